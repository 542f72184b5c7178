"""Policy files say which law they answer to, state every switch, and combine by name."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from handrail.bootstrap import build_engine
from handrail.content import loader, policies
from handrail.content.policies import known_profiles, load_policy, load_profile
from handrail.domain.duties import DEFAULT_DUTIES, Duties, strictest
from handrail.errors import ContentInvalid, InvalidSettings
from handrail.settings import Settings
from handrail.testing.hash_embedder import HashEmbedder

SWITCHES = {f.name for f in fields(Duties)}


def test_the_profiles_are_those_that_are_documented() -> None:
    assert known_profiles() == [
        "california-sb243",
        "default",
        "eu-ai-act",
        "illinois-hb1806",
        "utah-hb452",
    ]


@pytest.mark.parametrize("name", known_profiles())
def test_a_profile_states_every_switch_and_is_no_legal_advice(name: str) -> None:
    profile = load_profile(name)
    assert set(type(profile.switches).model_fields) == SWITCHES
    assert profile.standing == "not legal advice"
    assert profile.left_open
    assert bool(profile.laws) is (name != "default")


@pytest.mark.parametrize("name", known_profiles())
def test_what_answers_a_law_is_a_switch_that_is_on(name: str) -> None:
    profile = load_profile(name)
    for law in profile.laws:
        named = SWITCHES & set(re.findall(r"\w+", law.answered_by))
        assert named or "whatever the switches say" in law.answered_by
        on = [getattr(profile.duties, switch) for switch in named - {"therapeutic_communication"}]
        assert all(on)


def test_the_default_profile_is_the_default_of_the_code() -> None:
    assert load_profile("default").duties == DEFAULT_DUTIES == load_policy("").duties


def test_profiles_combine_to_the_strictest_over_the_default() -> None:
    policy = load_policy(" california-sb243,illinois-hb1806 , california-sb243")
    assert policy.ids == ("default", "california-sb243", "illinois-hb1806")
    assert policy.duties == strictest(*(load_profile(name).duties for name in policy.ids))
    assert policy.duties.referral_counts
    assert policy.duties.ai_notice_every == 3
    assert not policy.duties.therapeutic_communication


def test_each_law_sets_what_it_asks_for() -> None:
    assert load_policy("california-sb243").duties.minors_reminder_hours == 3
    assert load_policy("california-sb243").duties.referral_counts
    assert load_policy("utah-hb452").duties.redisclose_after_days == 7
    assert load_policy("utah-hb452").duties.redisclose_when_asked
    assert not load_policy("illinois-hb1806").duties.therapeutic_communication
    assert load_policy("eu-ai-act").duties.mark_synthetic
    assert load_policy("eu-ai-act").duties.ai_notice_at_start


@pytest.mark.parametrize("names", ["california", "default,utah", "EU-AI-ACT", "../policy/default"])
def test_an_unknown_profile_is_refused_with_the_known_ones(names: str, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, policy=names)
    with pytest.raises(InvalidSettings, match="Known: california-sb243, default") as refused:
        build_engine(settings, embedder=HashEmbedder(384))
    assert "HANDRAIL_POLICY" in str(refused.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda body: body["switches"].pop("no_diagnosis"), "no_diagnosis"),
        (lambda body: body["switches"].update(no_diagnoses=True), "no_diagnoses"),
        (lambda body: body["switches"].update(minors_reminder_hours=0), "minors_reminder_hours"),
        (lambda body: body.update(standing="legal advice"), "standing"),
        (lambda body: body.update(id="other"), "other"),
    ],
)
def test_a_broken_profile_is_no_profile(
    change: object, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / policies.FOLDER
    folder.mkdir()
    body = yaml.safe_load((loader.ROOT / "policy" / "default.yaml").read_text(encoding="utf-8"))
    assert callable(change)
    change(body)
    (folder / "default.yaml").write_text(yaml.safe_dump(body), encoding="utf-8")
    for module in (loader, policies):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    with pytest.raises(ContentInvalid, match=said):
        load_profile("default")
