"""Editors in the terminal: export, edit, try, import, look back, undo."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_runs import Run, run_in

from guide_sample import DIM, EDITOR, IDS, few
from handrail.bootstrap import build
from handrail.bootstrap import guide as guide_parts
from handrail.cli.entity_files import as_line, as_yaml, read_entities
from handrail.testing.hash_embedder import HashEmbedder
from handrail.wire.entities import EntitiesBody, EntityRecordBody, HistoryBody

BY = ("--by", EDITOR)
Edit = Callable[..., Path]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Commands over a store of a handful of entities, with an embedder that needs no model."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "build_embedder", lambda _settings: HashEmbedder(dim=DIM))
        patch.setattr(guide_parts, "packaged_entities", few)
        yield run_in(tmp_path / "home")


@pytest.fixture
def edited(tmp_path: Path) -> Edit:
    """A file with an entity that somebody has changed."""

    def edit(name: str = "late_pickups", **changes: Any) -> Path:
        (entity,) = (one for one in few() if one.entity_id == name)
        values = {**yaml.safe_load(as_yaml(entity)), **changes}
        path = tmp_path / f"{name}.edited.yaml"
        path.write_text(yaml.safe_dump(values, allow_unicode=True), encoding="utf-8")
        return path

    return edit


@pytest.mark.parametrize("entity", few(), ids=lambda entity: entity.entity_id)
def test_h13_a_file_gives_back_the_entity(tmp_path: Path, entity: Any) -> None:
    for name, text in (("one.yaml", as_yaml(entity)), ("one.jsonl", as_line(entity))):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert read_entities([tmp_path / name]) == [entity]


def test_h13_entities_are_listed_and_shown(run: Run) -> None:
    ran = run("entities", "list")
    body = EntitiesBody.model_validate(run("entities", "list", "--json").body)
    assert [line.split()[0] for line in ran.out.splitlines()] == sorted(IDS)
    assert [row.entity_id for row in body.entities] == sorted(IDS)
    safety = [line.split()[0] for line in ran.out.splitlines() if line.endswith("[safety]")]
    assert safety == ["domestic_violence_safety", "handler_crisis"]
    shown = yaml.safe_load(run("entities", "show", "late_pickups").out)
    record = EntityRecordBody.model_validate(run("entities", "show", "late_pickups", "--json").body)
    assert (shown["title"], record.by) == (record.entity.title, "handrail")
    assert "audience_types" not in shown


def test_an_export_is_a_folder_or_lines_and_comes_back_unchanged(run: Run, tmp_path: Path) -> None:
    folder, lines = tmp_path / "out", tmp_path / "all.jsonl"
    assert run("entities", "export", str(folder)).code == 0
    assert sorted(path.name for path in folder.iterdir()) == [f"{n}.en.yaml" for n in sorted(IDS)]
    assert run("entities", "export", str(lines), "--json").body["exported"] == len(IDS)
    assert run("entities", "export", "-").out == lines.read_text(encoding="utf-8")
    back = run("entities", "import", str(folder), *BY, "--json").body
    assert back == {"changed": [], "unchanged": len(IDS)}
    assert run("entities", "import", str(lines), *BY).out == f"{len(IDS)} unchanged\n"


def test_an_export_does_not_write_over_somebodys_work(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run("entities", "export", str(folder))
    mine = folder / "late_pickups.en.yaml"
    mine.write_text("entity_id: late_pickups  # my work\n", encoding="utf-8")
    ran = run("entities", "export", str(folder))
    assert (ran.code, "late_pickups.en.yaml" in ran.err) == (2, True)
    assert "my work" in mine.read_text(encoding="utf-8")
    assert run("entities", "export", str(folder), "--overwrite").code == 0
    assert "my work" not in mine.read_text(encoding="utf-8")


def test_an_import_says_what_changed_and_a_second_one_changes_nothing(
    run: Run, edited: Edit, tmp_path: Path
) -> None:
    file = edited(title="Late again", priority=61)
    new = tmp_path / "new.yaml"
    new.write_text(edited("gray_rock").read_text("utf-8").replace("gray_rock", "slate_rock"))
    ran = run("entities", "import", str(file), str(new), *BY)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "late_pickups: changed title, priority, now version 2",
        "slate_rock: new, now version 1",
        "0 unchanged",
    ]
    again = run("entities", "import", str(file), str(new), *BY, "--json").body
    assert again == {"changed": [], "unchanged": 2}


def test_what_changed_meanwhile_is_told_and_an_old_version_comes_back(
    run: Run, edited: Edit, tmp_path: Path
) -> None:
    run("entities", "import", str(edited(title="Late again")), *BY)
    old = tmp_path / "old.yaml"
    old.write_text(run("entities", "show", "late_pickups", "--version", "1").out, encoding="utf-8")
    ran = run("entities", "import", str(old), *BY)
    assert ran.out.startswith("late_pickups: changed title, now version 3")
    assert "was at version 2 and the file was made from 1" in ran.err
    told = run("entities", "history", "late_pickups")
    body = HistoryBody.model_validate(run("entities", "history", "late_pickups", "--json").body)
    assert [(one.version, one.by, one.changed) for one in body.versions] == [
        (1, "handrail", []),
        (2, EDITOR, ["title"]),
        (3, EDITOR, ["title"]),
    ]
    assert [line.split()[0] for line in told.out.splitlines()] == ["1", "2", "3"]
    assert f"{EDITOR}: title" in told.out


def test_an_import_is_all_or_none_and_names_the_place(
    run: Run, edited: Edit, tmp_path: Path
) -> None:
    good, bad = edited(title="Late again"), edited("gray_rock", title="", surprise=1)
    ran = run("entities", "import", str(good), str(bad), *BY)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error[content-invalid]: gray_rock.edited.yaml: ")
    assert "title" in ran.err
    assert run("entities", "show", "late_pickups", "--json").body["entity"]["version"] == 1


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.yaml", "entity_id: x\nentity_id: y\n", "found 'entity_id' twice"),
        ("a.yaml", "title: [", "at line 2"),
        ("a.yaml", "- 1\n", "a.yaml"),
        ("a.yaml", "# nothing\n", "no entity"),
        ("a.jsonl", "{}\n{oops\n", "a.jsonl line"),
        ("a.jsonl", "[]\n", "a.jsonl line 1"),
    ],
)
def test_a_file_that_holds_no_entity_says_where(
    run: Run, tmp_path: Path, name: str, text: str, told: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    ran = run("entities", "import", str(tmp_path / name), *BY)
    assert ran.code in (1, 2)
    assert told in ran.err


def test_a_write_has_a_name_on_it(run: Run, edited: Edit) -> None:
    file = str(edited(title="Late again"))
    assert run("entities", "import", file).code == 2
    assert run("entities", "import", file, "--by", " ").code == 2
    assert run("entities", "delete", "late_pickups", "--yes").code == 2
    assert run("entities", "show", "late_pickups", "--json").body["entity"]["version"] == 1


def test_h36_a_dry_run_tells_new_lost_and_stray_matches_in_words(
    run: Run, edited: Edit, tmp_path: Path
) -> None:
    file = edited(trigger_patterns=[{"phrase": "on the stairs"}], keywords=["grace period"])
    messages = tmp_path / "messages.jsonl"
    rows = [
        {"text": "she sat on the stairs", "entity_id": "late_pickups"},
        {"prompt": "I cried on the stairs", "entity_id": "gray_rock"},
        {"text": "what is a grace period", "entity_id": "gray_rock"},
        "he was 40 minutes late",
    ]
    messages.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    ran = run("entities", "dry-run", str(file), "--messages", str(messages))
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "late_pickups: tried on 4 messages, 3 matches",
        "new: 2 matches that are not there today",
        "  - “she sat [on the stairs]” by trigger 1, “on the stairs”",
        "  - “I cried [on the stairs]” by trigger 1, “on the stairs”, written for gray_rock",
        "lost: 1 messages that only today's version matches",
        "  - “he was 40 minutes late”",
        "stray: 1 older matches in messages that were written for another entity",
        "  - “what is a [grace period]” by the keyword “grace period”, written for gray_rock",
    ]
    assert run("entities", "show", "late_pickups", "--json").body["entity"]["version"] == 1


def test_h36_a_dry_run_tries_the_known_phrases_or_plain_lines(
    run: Run, edited: Edit, tmp_path: Path
) -> None:
    lines = tmp_path / "messages.txt"
    lines.write_text("he was late again\n\nanother line\n", encoding="utf-8")
    file = str(edited(keywords=["late again"]))
    known = run("entities", "dry-run", file, "--json").body
    assert known["tried"] == sum(len(one.recognition) for one in few())
    assert run("entities", "dry-run", file, "--messages", str(lines), "--json").body["tried"] == 2


def test_a_deleted_entity_is_out_of_use_until_it_is_imported(
    run: Run, tmp_path: Path, edited: Edit
) -> None:
    assert run("entities", "delete", "late_pickups", *BY, "--yes").code == 0
    assert "late_pickups" not in run("entities", "list").out
    assert "[out of use]" in run("entities", "history", "late_pickups").out
    assert run("entities", "delete", "late_pickups", *BY, "--yes").code == 2
    assert run("entities", "import", str(edited()), *BY).code == 0
    assert "late_pickups" in run("entities", "list").out


@pytest.mark.parametrize("command", ["show", "history"])
def test_an_unknown_entity_is_a_mistake(run: Run, command: str) -> None:
    ran = run("entities", command, "absent")
    assert (ran.code, ran.out) == (2, "")
    assert "handrail entities list" in ran.err
