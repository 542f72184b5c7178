"""The fake keeps the contract that the real adapters keep."""

from __future__ import annotations

import pytest

from handrail.errors import ModelFailed
from handrail.testing.chat_model_contract import ChatModelContract
from handrail.testing.scripted_model import Late, ScriptedModel


class TestScriptedModel(ChatModelContract):
    @pytest.fixture
    def echoing(self) -> ScriptedModel:
        return ScriptedModel(lambda request: request.user)

    @pytest.fixture
    def failing(self) -> ScriptedModel:
        return ScriptedModel(ModelFailed("the model server answered 500"))

    @pytest.fixture
    def hanging(self) -> ScriptedModel:
        return ScriptedModel(Late(), lambda request: request.user)
