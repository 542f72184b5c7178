"""Index files in this process and print what it took: HOME COLLECTION FILE..."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from children import peak_megabytes
from handrail.bootstrap import build_engine
from handrail.corpus.reading import context_text, sentence_texts
from handrail.settings import load_settings


def main(home: str, name: str, *files: str) -> None:
    """Build with the model already loaded, as a rate asks for it."""
    engine = build_engine(load_settings(home=Path(home)))
    engine.library.embedder.embed_query("warm")
    wall, cpu = time.perf_counter(), time.process_time()
    report = engine.library.add([Path(file) for file in files], name)
    took = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
    peak = peak_megabytes()
    cases = engine.library.open(name).cases
    texts = [context_text(case) for case in cases]
    texts += [text for case in cases for text in sentence_texts(case)]
    (Path(home) / "texts.json").write_text(json.dumps(list(dict.fromkeys(texts))))
    counts = {"cases": report.records, "texts": report.embedded}
    print(json.dumps({**took, **counts, "peak_mb": peak}))


if __name__ == "__main__":
    main(*sys.argv[1:])
