"""What can be told of a message by its words, in English and Chinese: a goodbye, an open question, a role turned round.

Signs only, and each on the careful side: what is no plain goodbye is content that an agent must be able to act on. Kept out:
what follows from a sign (`users.py`, `trials/talk.py`), and what a message claims (`claims.py`).
"""

from __future__ import annotations

import re
import unicodedata

_REASONING = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|inner_monologue"
_THOUGHT = re.compile(rf"<({_REASONING})\b[^>]{{0,200}}>.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_THOUGHT_END = re.compile(rf"\A.*</(?:{_REASONING})\s*>", re.IGNORECASE | re.DOTALL)
_STOP = re.compile(r"#{2,3}\s{0,3}(?:STOP|END|TRANSFER|OUT-OF-SCOPE)\s{0,3}#{2,3}", re.IGNORECASE)

_GOODBYE = """
thanks thank thx ty you so very much a lot again bye goodbye byebye see later take care cheers have nice great good lovely wonderful
day evening weekend one too perfect excellent awesome amazing brilliant well for your the all help helping assistance support that is
that's thats it's it i i'm am appreciate really happy everything was were are best and then now as farewell ciao welcome you're
"""
_CLOSING_WORDS = frozenset(_GOODBYE.split())
_ANSWERS = frozenset({"ok", "okay", "sure", "alright", "yes", "yep", "yeah", "fine", "no", "nope", "nothing", "else", "need", "needed"})
"""Words that may close a talk, but answer a question where one was asked."""
_CLOSING_NEEDS = re.compile(
    r"\b(thanks?|thx|ty|bye|goodbye|byebye|cheers|farewell|appreciate|see you|take care|awesome|amazing|you're the best)\b"
)
_CLOSING_ZH = re.compile(
    r"非常|十分|太|真的|真|很|多谢|谢谢|感谢|谢了|再见|拜拜|回见|下次见|辛苦了?|祝|您|你|们|的|了|啦|啊|哦|呀|哈|呢|那|就|先|这样|棒|好心情|愉快|"
    r"开心|生活|工作|顺利|一切|客气|帮助|帮忙|服务|耐心|满意|周到|慢走|天|今天|有|个|美好|一天|晚安|也|再次|小姐姐|小哥哥|客服|大家|好(?!的)"
)
_ANSWERS_ZH = re.compile(r"好的?|嗯+|行|可以|收到|明白|知道|没有?|不用|不需要|其他|别的|对|是|我|事|问题")
_CLOSING_ZH_NEEDS = re.compile(r"多谢|谢谢|感谢|谢了|再见|拜拜|回见|下次见|辛苦|棒|晚安|慢走|祝")

_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]*")
_ANYTHING_ELSE = re.compile(
    r"anything else|something else|else (?:i|we) can|any other (?:question|request|thing)|"
    r"(?:还|其他|其它|别的|另外)[^?]{0,12}(?:帮|需要|问题|吗|么|服务)",
    re.IGNORECASE,
)
_INVITES = re.compile(r"\b(?:let me know|feel free|reach out|just ask|come back)\b", re.IGNORECASE)
_IF_NEEDED = re.compile(
    r"\b(?:if you (?:ever |still |do )?(?:need|have|run into) (?:to make )?"
    r"(?:any|more|further|additional|other|some|help|assistance|questions?)|further assistance|whenever you)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"[?？]|\(\s*(?:yes|y)\s*/\s*(?:no|n)\s*\)|\bplease (?:confirm|tell|provide|choose|select|give|send|enter|state|reply|let)\b|"
    r"\b(?:let me know|confirm whether|which one|could you|can you|would you|do you want|shall i|should i|may i)\b|"
    r"请问|请(?:您|你)?(?:确认|提供|选择|告诉|告知|输入|回复|说明|核对|补充)|是否|吗(?:[。！!]|$)|要不要|可以吗|哪一?(?:个|款|单|件|双|种)",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"\b(?:(?:i'll|i will)(?! be (?:here|happy|glad))|i'm going to|i am going to|let me(?! know)|one moment|"
    r"just a moment|please wait|hold on|i'm now|working on it)\b|"
    r"我(?:这就|马上|将|会|来|正在)|稍等|马上(?:为|帮|给)|正在为|请等",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"[?？]|\b(?:please|can you|could you|would you|i want|i'd like|i would like|(?<!if )i need|i also|go ahead|do it|"
    r"confirm(?:ed)?|cancel|refund|change|instead)\b|帮我|麻烦|请|我要|我想|我还|(?<!不)需要|确认|确定|同意|取消|退|换|改",
    re.IGNORECASE,
)
_ASSISTANT = re.compile(
    r"\A\s*(?:assistant|agent|support|customer service|客服|助手|智能体)\s*[:：]|"
    r"\b(?:as|i am|i'm|this is|speaking as) (?:the|your|an?) (?:[a-z]+ ){0,2}(?:support|service|shopping|virtual|ai|chat|sales|care) ?"
    r"(?:agent|assistant|representative|bot|advisor|model)?\b|\bas (?:the|your|an?) (?:ai|assistant|agent|language model)\b|"
    r"\bi(?:'m| am) (?:your|an?) (?:ai|assistant|language model)\b|\bhow (?:can|may) i (?:help|assist) you\b|"
    r"\bi(?:'ve| have| just)? ?(?:now |already )?(?:refunded|cancelled|canceled|processed|issued|booked|credited|updated|created) "
    r"(?:[^.!?\n]{0,60}\b(?:to|for) you\b|your\b)|\bthank you for (?:contacting|reaching out|calling)\b|"
    r"\b(?:anything else|something else) (?:i|we) can (?:help|assist|do for you)\b|"
    r"\byour (?:order|refund|return|ticket|request|case) (?:has been|is now|was|will be) (?:processed|cancelled|canceled|refunded|booked|"
    r"created|issued|approved|shipped|completed)|"
    r"(?:请问)?有什么(?:可以|能)(?:帮|为)(?:助|到)?(?:您|你)|(?:很高兴|乐意)为您?服务|我(?:已经?|刚刚?|现在|来|马上|这就)?(?:已)?(?:为|帮)您|"
    r"(?:作为|我是)(?:您的|你的|一名|一个|本店|智能|人工|AI|在线)*(?:客服|助手|助理|智能体|人工智能|导购)|您的(?:订单|退款|退货|工单|申请|请求)(?:已|将)",
    re.IGNORECASE,
)
_BACKSTAGE = re.compile(
    r"should_end|\b(?:simulated user|user simulator|answer key|system prompt|my persona|(?:my|the) (?:hidden )?instructions say)\b|"
    r"\bground truth\b|模拟用户|标准答案|系统提示词?|我的人设|我的指令",
    re.IGNORECASE,
)


def flat(text: str) -> str:
    """Text in one form for comparing: compatibility forms, case and white space evened out."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'").split())


def spoken(text: str) -> tuple[str, bool]:
    """What is really said, without private reasoning and stop marks; and whether there was such a mark."""
    said = _THOUGHT.sub("", text)
    said = _THOUGHT_END.sub("", said)
    return _STOP.sub("", said).strip(), _STOP.search(said) is not None


def is_closing(text: str, *, asked: bool = False) -> bool:
    """Whether it is a goodbye, thanks or praise and nothing that could be acted on; where something was `asked`, yes and no are
    answers to it."""
    words = flat(text)
    if _CLOSING_ZH_NEEDS.search(words):
        words = _CLOSING_ZH.sub(" ", words if asked else _ANSWERS_ZH.sub(" ", words))
    elif not _CLOSING_NEEDS.search(words):
        return False
    known = _CLOSING_WORDS if asked else _CLOSING_WORDS | _ANSWERS
    return all(word in known for word in re.findall(r"[\w']+", words))


def _without_offers(text: str) -> str:
    """The words without the sentences that only offer further help."""
    return " ".join(sentence for sentence in _SENTENCE.findall(flat(text)) if not _offers(sentence))


def _offers(sentence: str) -> bool:
    needed = _INVITES.search(sentence) is not None and _IF_NEEDED.search(sentence) is not None
    return needed or _ANYTHING_ELSE.search(sentence) is not None


def asks(text: str) -> bool:
    """Whether the agent waits for an answer. An offer of further help is no such question."""
    return _QUESTION.search(_without_offers(text)) is not None


def announces(text: str) -> bool:
    """Whether the agent says that it is about to act."""
    return _ANNOUNCED.search(_without_offers(text)) is not None


def requests(text: str) -> bool:
    """Whether the user wants something of the agent: a question, a wish, a word to go ahead."""
    return _REQUEST.search(flat(text)) is not None


def speaks_as_assistant(text: str) -> str | None:
    """The words that only the other side would say, or None."""
    found = _ASSISTANT.search(flat(text))
    return found.group().strip() if found else None


def names_backstage(text: str) -> str | None:
    """The words that tell of the play itself, or None."""
    found = _BACKSTAGE.search(flat(text))
    return found.group().strip() if found else None


def quotes(text: str, hidden: str) -> bool:
    """Whether `hidden` stands in the text as words of their own."""
    sought = flat(hidden)
    if not sought:
        return False
    before, after = (r"(?<![\w.,])" if sought[0].isalnum() and sought[0].isascii() else ""), ""
    if sought[-1].isalnum() and sought[-1].isascii():
        after = r"(?![\w]|[.,]\d)"
    return re.search(before + re.escape(sought) + after, flat(text)) is not None
