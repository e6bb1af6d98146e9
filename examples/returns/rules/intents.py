"""What somebody wants, from their words and from what is under way. The router and the matching of skills rest on it."""

import re

from rules.cards import names_one
from rules.slots import orders_in

TICKET = re.compile(r"\b(?:return|refund|send (?:it|them) back|exchange|swap|withdraw|ticket)|退|换|撤销|工单")
RECOMMEND = re.compile(r"recommend|suggest|looking for|i need\b(?! to)|i want\b(?! to)|show me|推荐|想买|想要一|有没有")
ASKS = re.compile(r"how (?:long|many|much)|what (?:is|about|are)|when|do you|is there|may i|where is|where's|多久|几天|多少|吗|怎么|到哪")
WHERE = re.compile(r"where is|where's|到哪")
DONE = re.compile(r"^\W*(?:thanks|thank you|bye|goodbye|谢|再见|好的,?谢)")
EXCHANGE = re.compile(r"exchange|swap|another size|换")
WITHDRAW = re.compile(r"withdraw|take back (?:my|the) ticket|撤销|取消工单")
DROP = re.compile(r"forget it|never mind|leave it|keep it|算了|不退了|不换了")


def intent(text: str, under_way: str = "", shown: int = 0) -> str:
    """`ticket`, `recommend`, `question` or `chat`. What says nothing new goes on with what is `under_way`."""
    said = text.lower()
    if WHERE.search(said) or (ASKS.search(said) and not orders_in(text) and not (shown and names_one(said))):
        return "question"
    if DONE.search(said) and not orders_in(text):
        return "chat"
    if TICKET.search(said):
        return "ticket"
    if RECOMMEND.search(said) or (shown and names_one(said)):
        return "recommend"
    return under_way or "chat"


def skill(text: str, current: str = "") -> str:
    """`return_goods`, `exchange_goods`, `withdraw_ticket`, or `drop` where it is called off. Else the current one goes on."""
    said = text.lower()
    if DROP.search(said):
        return "drop"
    if WITHDRAW.search(said):
        return "withdraw_ticket"
    if EXCHANGE.search(said):
        return "exchange_goods"
    return "return_goods" if TICKET.search(said) else current or "return_goods"
