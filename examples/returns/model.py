"""A chat model without a network: each role's script answers, and the same question always gets the same answer.

It is an ordinary LangChain model. Put another one in its place and nothing else has to change.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

Script = Callable[[dict[str, Any]], dict[str, Any]]


class ScriptedModel(BaseChatModel):
    """Answers the last message by the script of the role that the system message is named for."""

    scripts: Mapping[str, Script]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **more: Any) -> ChatResult:
        role, asked = str(messages[0].name), str(messages[-1].content)
        answer = dict(self.scripts[role](json.loads(asked)))
        calls = [{"name": name, "args": args, "id": f"call-{number}"} for number, (name, args) in enumerate(answer.pop("calls", []))]
        text = json.dumps(answer, ensure_ascii=False)
        spoken, heard = len(text) // 4, sum(len(str(message.content)) for message in messages) // 4
        used = {"input_tokens": heard, "output_tokens": spoken, "total_tokens": heard + spoken}
        message = AIMessage(text, tool_calls=calls, usage_metadata=used)
        return ChatResult(generations=[ChatGeneration(message=message)])
