"""`OpenAIEmbedder` against a real server in a process of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.request import urlopen

import pytest

from handrail.adapters.openai.embeddings import BATCH, OpenAIEmbedder
from handrail.errors import InvalidSettings, ModelFailed
from handrail.testing.embedder_contract import EmbedderContract
from handrail.testing.embedding_server import DIM, embedding_server

pytestmark = pytest.mark.sockets


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with embedding_server() as base:
        yield base


def seen(url: str) -> list[dict[str, object]]:
    with urlopen(url) as reply:
        found: list[dict[str, object]] = json.load(reply)
    return found


def embedder(url: str, model: str = "good", **options: str) -> OpenAIEmbedder:
    return OpenAIEmbedder(base_url=url, model=model, **options)


class TestOpenAIEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self, url: str) -> OpenAIEmbedder:
        return embedder(url)


def test_the_dimension_is_the_server_s(url: str) -> None:
    assert embedder(url).dim == DIM


def test_c7_an_e5_model_gets_its_prefixes_by_name(url: str) -> None:
    model = embedder(url, "intfloat/e5-small-v2")
    model.embed_query("rest")
    model.embed_documents(["rest"])
    assert [request["body"]["input"] for request in seen(url)[-2:]] == [
        ["query: rest"],
        ["passage: rest"],
    ]


def test_many_texts_go_in_several_requests(url: str) -> None:
    model = embedder(url)
    assert model.dim == DIM
    before = len(seen(url))
    assert model.embed_documents(["word"] * (BATCH + 1)).shape == (BATCH + 1, DIM)
    assert [len(request["body"]["input"]) for request in seen(url)[before:]] == [BATCH, 1]


def test_the_key_is_sent_and_nothing_of_the_machine(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "somebody")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "something")
    embedder(url, api_key="planted").embed_query("rest")
    headers = seen(url)[-1]["headers"]
    assert "authorization" in headers
    assert not [name for name in headers if name.startswith(("openai", "x-"))]
    embedder(url).embed_query("rest")
    assert "authorization" not in seen(url)[-1]["headers"]


@pytest.mark.parametrize("mode", ["too-few", "uneven", "no-length", "no-numbers", "refused"])
def test_a_bad_reply_is_one_error_without_the_text(url: str, mode: str) -> None:
    with pytest.raises(ModelFailed) as failure:
        embedder(url, mode).embed_query("canary-5d1c")
    assert "canary" not in repr(failure.value)
    assert failure.value.__cause__ is None


def test_vectors_that_change_their_length_are_an_error(url: str) -> None:
    with pytest.raises(ModelFailed, match="length"):
        embedder(url, "grown").embed_documents(["one", "two"])


def test_a_server_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ModelFailed):
        embedder("http://127.0.0.1:9/v1").embed_query("rest")


def test_without_an_address_the_setting_is_named() -> None:
    with pytest.raises(InvalidSettings, match="HANDRAIL_EMBEDDING__BASE_URL"):
        OpenAIEmbedder(base_url=None, model="any")


def test_another_model_or_prefix_is_another_fingerprint(url: str) -> None:
    made = [
        embedder(url),
        embedder(url, "other"),
        embedder(url, query_prefix="q: "),
        embedder(url, document_prefix="d: "),
    ]
    assert len({model.fingerprint for model in made}) == len(made)
