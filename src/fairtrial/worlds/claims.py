"""What a message of a simulated user claims, against what that user was told and shown: a made-up order spoils the trial.

Looked at are numbers and ids, names in quotes, and the things that are bought, returned or broken, in English and Chinese. A
number up to ten is common speech. Signs only: a model is told what it made up and may say it again in other words.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from fairtrial.records.text import dumps
from fairtrial.worlds.manners import flat

SMALL = 10
MOST_TOKENS = 50
_TOKEN = re.compile(r"(?<![a-z0-9])[a-z]*[-_#]?[0-9][a-z0-9_\-./:,]*")
_NUMBER = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")
_ORDINAL = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)")
_MEASURE = re.compile(r"([0-9]+(?:\.[0-9]+)?)-?(?:[a-z]+)?")
_QUOTED = re.compile("[\u300c\u300e\u300a]([^\u300c\u300d\u300e\u300f\u300a\u300b]{2,60})[\u300d\u300f\u300b]")
_DETERMINER = r"(?:the|my|a|an|this|that|these|those|some|another)"
_STOP = (
    r"(?=[.,;!?:()\"]|$|\s(?:from|in|on|of|for|that|which|i|we|because|since|as|and|or|but|with|to|at|is|was|are|were|it|please|instead|by|"
    r"before|after|when|so|if|now|today|again|back|too|thanks|then|has|have|had|does|did|doesn't|never|arrived|came|stopped|broke|yet|right|"
    r"about|recently|off|like|delivered|only|just|around|though|first|anyway|here|there|using|plus|via|than|into|between|last|i'm|i've|isn't|aren't|wasn't|don't)\b)"
)
_THING = r"([a-z][a-z'\- ]{0,60}?)" + _STOP
_OBJECTS = (
    re.compile(
        r"\b(?:return|refund|exchange|cancel|replace|buy|order|purchase|receive|send back)(?:ed|d|ing|ling|led)?\s+(?:for\s+)?"
        + _DETERMINER
        + r"\s+"
        + _THING
    ),
    re.compile(r"\b(?:bought|sent back|got|want|take|choose|pick|prefer|mean|it's|it is)\s+(?:the|my|this|that|these|those)\s+" + _THING),
    re.compile(r"\b(?:the|my)\s+([a-z][a-z'\- ]{0,60}?)(?=\s(?:that |which )?(?:i|we) (?:bought|ordered|purchased|received|got)\b)"),
    re.compile(
        r"\b(?:the|my|this)\s+([a-z][a-z'\- ]{0,60}?)(?=\s(?:is|was|are|were|arrived|came) "
        r"(?:broken|defective|damaged|faulty|missing|too (?:small|big|large|tight|loose)|the wrong))"
    ),
)
_WORDS = """
order item thing product article package parcel box one money refund return ticket request card account size colour color purchase delivery
shipment replacement receipt invoice discount coupon help question problem issue moment minute answer reply way option same other first
second third fourth fifth last latest cheaper cheapest smaller bigger larger whole rest full amount price payment credit label confirmation
email message call day time chance idea information details status update human agent person manager supervisor kind sort model version
number code address name date process policy service shop store company exchange cancellation matter case appointment booking reservation
two three four five half total sum bill fee cost difference method part top situation id gear kit set pair stuff everything was were is are
"""
_VERB_ZH = r"(?:退掉|退货|退换|退款|退|换掉|换货|换|购买|买|订购|下单|取消|收到)"
_OBJECT_ZH = re.compile(_VERB_ZH + r"(?:了|过|掉|一下|那|这|我|的|是|买|[一两几]?[个件双台把只条款部套张本瓶盒])*([\u4e00-\u9fff]{2,12})")
_CUT_ZH = re.compile(r"[的了吗呢吧啊到给至把被用在从跟和与因为但还是不没太坏就可能怎需要想请我你您它]")
_EVERYDAY_ZH = re.compile(
    r"(?:订单|商品|东西|货|款|产品|包裹|快递|尺码|尺寸|颜色|这个|那个|一下|申请|服务|流程|售后|客服|人工|运费|发票|钱|金额|手续|方式|地址|"
    r"信息|优惠|价格|退货|换货|退款|取消|政策|时候|原因|多少|什么|一个|一件|一双|第[一二三四五])$"
)


def invented(message: str, known: list[Any]) -> str | None:
    """The first thing that the message names and that nobody told or showed this user; None where there is none."""
    text = flat(message)
    told = flat("\n".join(part if isinstance(part, str) else dumps(part) for part in known))
    return _number(text, told) or _quoted(text, told) or _thing(text, told) or _thing_zh(text, told)


def _number(text: str, told: str) -> str | None:
    numbers = {_decimal(found) for found in _NUMBER.findall(told)}
    for found in list(dict.fromkeys(_TOKEN.findall(text)))[:MOST_TOKENS]:
        token = found.rstrip(".,:/-_")
        plain = _ORDINAL.fullmatch(token) or _MEASURE.fullmatch(token)
        value = _decimal(plain[1] if plain else token)
        if value is not None and (value <= SMALL or value in numbers):
            continue
        if not _is_everyday(token) and not _stands_in(token, told):
            return str(token)
    return None


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text.replace(",", "").lstrip("#"))
    except InvalidOperation:
        return None


def _is_everyday(token: str) -> bool:
    """A time of day, or round the clock: no id."""
    return re.fullmatch(r"(?:10|[0-9]):[0-9]{2}(?:am|pm)?|24/7|100%?", token) is not None


def _stands_in(token: str, told: str) -> bool:
    bare = token.lstrip("#")
    return re.search(rf"(?<![a-z0-9]){re.escape(bare)}(?![a-z0-9])", told) is not None


def _quoted(text: str, told: str) -> str | None:
    return next((found for found in _QUOTED.findall(text) if found.strip(" .,!?") not in told), None)


def _thing(text: str, told: str) -> str | None:
    words = {_stem(word) for word in re.findall(r"[a-z][a-z'\-]*", told)}
    everyday = {_stem(word) for word in _WORDS.split()}
    for pattern in _OBJECTS:
        for found in pattern.findall(text):
            head = _stem(found.split()[-1])
            if head not in everyday and head not in words:
                return str(found).strip()
    return None


def _stem(word: str) -> str:
    """Singular and plural alike."""
    bare = word.removesuffix("'s")
    return bare[:-2] if bare.endswith(("ses", "xes", "shes", "ches")) else bare.rstrip("s") if len(bare) > 3 else bare


def _thing_zh(text: str, told: str) -> str | None:
    for found in _OBJECT_ZH.findall(text):
        name = _CUT_ZH.split(found)[0]
        if len(name) >= 2 and not _EVERYDAY_ZH.search(name) and name[-2:] not in told:
            return str(name)
    return None
