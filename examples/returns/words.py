"""What the assistant says, in the customer's language. One line for each stage of a talk."""

import re
from typing import Any

SAID = {
    "ask_order_id": ("Which order is it?", "请问是哪一笔订单?"),
    "ask_reason": ("What is wrong with it: size, broken, or no longer wanted?", "请问原因是什么:尺码不合、有损坏,还是不想要了?"),
    "ask_wish": ("Which size would you like instead?", "请问想换成什么尺码?"),
    "ask_kind": ("What kind of thing are you looking for?", "请问想找哪一类商品?"),
    "confirm": ("{order_id}, {kind} ({detail}). Shall I go ahead?", "订单 {order_id},{kind}({detail})。确认提交吗?"),
    "confirm_withdrawal": ("Shall I withdraw ticket {ticket}?", "确认撤销工单 {ticket} 吗?"),
    "done": ("Done. Ticket {ticket} is open: {kind} ({detail}) for {order_id}.", "已提交工单 {ticket}:订单 {order_id},{kind}({detail})。"),
    "withdrawn": ("Ticket {ticket} is withdrawn.", "工单 {ticket} 已撤销。"),
    "dropped": ("All right, nothing is changed.", "好的,未做任何更改。"),
    "too_late": (
        "{order_id} was delivered more than 14 days ago and cannot be returned any more.",
        "订单 {order_id} 签收已超过 14 天,不能再退。",
    ),
    "no_such_order": ("There is no order {order_id}. Which order is it?", "没有订单 {order_id},请核对订单号。"),
    "already_open": ("Ticket {ticket} is open for {order_id} already.", "订单 {order_id} 已有工单 {ticket}。"),
    "no_ticket": ("There is no open ticket on {order_id}.", "订单 {order_id} 没有进行中的工单。"),
    "failed": (
        "I could not do this: our system does not answer ({what}). Nothing was changed; please try again later.",
        "抱歉没有办成:系统没有响应({what})。未做任何更改,请稍后再试。",
    ),
    "unsure": (
        "I cannot see whether it was done ({what}); please look again later before you ask anew.",
        "暂时无法确认是否已办成({what}),请稍后先查看再重试。",
    ),
    "where": ("{order_id} is {status}.", "订单 {order_id} {status}。"),
    "blocked": ("I can only help with your own orders and cannot do that.", "抱歉,我只能处理您本人的订单。"),
    "shown": ("These would suit you: {products}.", "为您推荐:{products}。"),
    "told_about": ("{name}: {blurb}, {price}. Shall I put it in your cart?", "{name}:{blurb},{price}。要加入购物车吗?"),
    "in_cart": ("{name} is in your cart.", "{name} 已加入购物车。"),
    "nothing": ("We have nothing of that kind at that price.", "这个价位没有合适的商品。"),
    "answered": ("{en}", "{zh}"),
    "unknown": ("I do not know that, and will not guess.", "这个我不清楚,不能乱说。"),
    "chat": ("Gladly. Is there anything else?", "不客气,还有什么可以帮您?"),
}
CHINESE_FOR = {"refund": "退款", "exchange": "换货", "on_the_road": "在途", "delivered": "已签收", "packing": "打包中"}
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def is_chinese(text: str) -> bool:
    return CHINESE.search(text) is not None


def say(stage: str, about: dict[str, Any], chinese: bool) -> str:
    """The sentence for a stage, in one of the two languages."""
    known = {name: CHINESE_FOR.get(str(value), value) if chinese else str(value).replace("_", " ") for name, value in about.items()}
    return SAID[stage][chinese].format_map(known)
