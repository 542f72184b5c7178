"""The default model and formats, from a file to an answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from corpus_sample import CASES

from handrail.adapters.bm25s import Bm25
from handrail.adapters.faiss import FaissFlat
from handrail.adapters.minilm import MiniLmEmbedder
from handrail.adapters.parquet import ParquetTables
from handrail.corpus.collection import Formats
from handrail.corpus.library import Library
from handrail.corpus.reading import context_text
from handrail.errors import IndexCorrupt


@pytest.fixture(scope="module")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Library:
    home = tmp_path_factory.mktemp("home")
    formats = Formats(vectors=FaissFlat(), lexical=Bm25(), tables=ParquetTables())
    library = Library(home, MiniLmEmbedder(), formats)
    lines = [
        {"Context": case.context, "Response": case.response, "title": case.title, "n": n}
        for n, case in enumerate(CASES)
    ]
    path = home / "cases.ndjson"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    library.add([path], "main")
    return library


def test_c8_the_nearest_context_is_the_one_that_means_the_same(packaged: Library) -> None:
    opened = packaged.open("main")
    asked = packaged.embedder.embed_query("lying awake the night before a test")
    best = opened.contexts.search(asked, k=1)[0]
    assert opened.first_case(opened.context_id(best.row)).id == CASES[0].id
    assert opened.lexical.search("my sister", k=1)[0].row == best.row + 1


def test_c9_sentence_vectors_are_the_model_s(packaged: Library) -> None:
    opened = packaged.open("main")
    for case in opened.cases:
        for sent_id, vector in enumerate(opened.sentence_vectors(case.id)):
            again = packaged.embedder.embed_query(case.sentence(sent_id).text)
            assert vector.tobytes() == again.tobytes()


def test_token_vectors_are_the_model_s(packaged: Library) -> None:
    opened = packaged.open("main")
    model = packaged.embedder
    assert opened.tokens is not None
    assert isinstance(model, MiniLmEmbedder)
    for row in range(opened.contexts.count):
        reading = model.read([context_text(opened.first_case(opened.context_id(row)))])[0]
        pieces, tokens = opened.tokens.block(row)
        assert np.array_equal(pieces, reading.pieces)
        assert np.array_equal(tokens, reading.tokens)


def test_c10_the_files_have_their_names(packaged: Library) -> None:
    files = packaged.open("main").manifest.files
    assert {"cases.parquet", "ctx.faiss", "resp.faiss", "sent_manifest.jsonl"} <= files.keys()
    assert packaged.verify("main").dim == 384


def test_c68_another_process_builds_the_same_bytes(packaged: Library, tmp_path: Path) -> None:
    """Hash seeds, times and paths leave no trace."""
    code = (
        "from pathlib import Path; import sys\n"
        "from handrail.bootstrap import formats\n"
        "from handrail.adapters.minilm import MiniLmEmbedder\n"
        "from handrail.corpus.library import Library\n"
        "library = Library(Path(sys.argv[1]), MiniLmEmbedder(), formats())\n"
        "print(library.add([Path(sys.argv[2])], 'other').manifest.checksum)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path), str(packaged.home / "cases.ndjson")]
    environment = os.environ | {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == packaged.open("main").manifest.checksum
    assert done.stderr == ""


@pytest.mark.parametrize("name", ["ctx.faiss", "lexical/vocab.index.json", "tokens.npy"])
def test_c11_a_changed_byte_is_found(packaged: Library, tmp_path: Path, name: str) -> None:
    copy = replace(packaged, home=tmp_path)
    copy.add([packaged.home / "cases.ndjson"], "main")
    index = tmp_path / "collections" / "main" / copy.open("main").manifest.checksum[:12]
    raw = bytearray((index / name).read_bytes())
    raw[-1] ^= 1
    (index / name).write_bytes(raw)
    with pytest.raises(IndexCorrupt, match=name):
        copy.open("main")
