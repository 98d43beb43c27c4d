"""Writes evasions.json and innocent.json: texts that hide a term, and texts that have none.

    python3 make.py

An evasion is a term and a Markdown text in which a reader sees the term. The terms and their exceptions
are in terms.json.
"""
import json
import random
from pathlib import Path

HERE = Path(__file__).parent
LATIN = ["casino", "viagra", "cialis", "ass", "scunt", "sex", "heroin", "scam", "lottery win", "free money"]
CHINESE = ["口交", "赌博网站", "代开发票", "色情", "枪支弹药", "迷药", "办假证", "内幕消息"]
# Traditional forms, and other forms of the characters.
TRADITIONAL = {"赌博网站": "賭博網站", "代开发票": "代開發票", "枪支弹药": "槍支彈藥", "迷药": "迷藥", "办假证": "辦假證", "内幕消息": "內幕消息"}
ZERO_WIDTH = ["\u200b", "\u200c", "\u200d", "\ufeff", "\u2060", "\u00ad", "\u202e", "\u2066", "\u034f", "\ufe0f"]
LOOKS_LIKE = {"a": "аɑα", "c": "сϲ", "e": "еҽ", "i": "іι", "o": "оοօ", "s": "ѕ", "h": "һ", "r": "г", "n": "ոп", "m": "м", "t": "т",
              "u": "υս", "w": "ԝѡ", "y": "уγ", "v": "νѵ", "g": "ɡց", "x": "х", "l": "ӏ", "f": "ք"}
random.seed(20261126)


def wide(text):
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def zero_width(text):
    return random.choice(ZERO_WIDTH).join(text)


def like(text):
    return "".join(random.choice(LOOKS_LIKE[c]) if c in LOOKS_LIKE and c not in "lf" else c for c in text)


def some_like(text):
    places = [i for i, c in enumerate(text) if c in LOOKS_LIKE and c not in "lf"]
    place = random.choice(places)
    return text[:place] + LOOKS_LIKE[text[place]][0] + text[place + 1:]


def mathematical(text):
    return "".join(chr(0x1D41A + ord(c) - 97) if c.isalpha() else c for c in text)


def circled(text):
    return "".join(chr(0x24D0 + ord(c) - 97) if c.isalpha() else c for c in text)


def entities(text):
    return "".join(f"&#{ord(c)};" if i % 2 else f"&#x{ord(c):x};" for i, c in enumerate(text))


def middle(text):
    return 1 + random.randrange(len(text) - 1)


def between(text, before, after):
    at = middle(text)
    return text[:at - 1] + before + text[at - 1:at] + after + text[at:]


def apart(text, mark):
    return mark.join(text)


FORMS = [
    ("wide", wide), ("zero-width", zero_width), ("entities", entities),
    ("bold inside", lambda t: between(t, "**", "**")), ("emphasis inside", lambda t: between(t, "*", "*")),
    ("tag inside", lambda t: between(t, "<b>", "</b>")), ("comment inside", lambda t: between(t, "<!-- x -->", "")),
    ("link inside", lambda t: between(t, "[", "](https://example.org)")), ("struck", lambda t: between(t, "~~", "~~")),
    ("upper case", str.upper), ("wide zero-width", lambda t: zero_width(wide(t))),
]
LATIN_FORMS = [("homoglyphs", like), ("one homoglyph", some_like), ("mathematical", mathematical), ("circled", circled)]
CHINESE_FORMS = [("spaced", lambda t: apart(t, " ")), ("dotted", lambda t: apart(t, ".")), ("starred", lambda t: apart(t, " * ")),
                 ("wide spaced", lambda t: apart(t, "\u3000")), ("dashed", lambda t: apart(t, "-")), ("emoji", lambda t: apart(t, "🌟")),
                 ("lines", lambda t: apart(t, "\n") if len(t) > 2 else t), ("middle dots", lambda t: apart(t, "·"))]
evasions = []
for term in LATIN:
    for name, form in FORMS + LATIN_FORMS:
        evasions.append({"form": name, "term": term, "text": f"Read about {form(term)} here."})
for term in CHINESE:
    forms = [form for form in FORMS if form[0] not in ("upper case", "wide")] + CHINESE_FORMS
    for name, form in forms:
        evasions.append({"form": name, "term": term, "text": f"今天介绍{form(term)}的事"})
for term, text in TRADITIONAL.items():
    evasions.append({"form": "traditional", "term": term, "text": f"今天介紹{text}的事"})
    evasions.append({"form": "traditional spaced", "term": term, "text": f"今天介紹{' '.join(text)}的事"})
for term in LATIN[:4]:
    evasions.append({"form": "link target", "term": term, "text": f"[Here](https://example.org/{term}/now)"})
    evasions.append({"form": "alternative text", "term": term, "text": f"![the {term} picture](x.png)"})
evasions.append({"form": "encoded target", "term": "色情", "text": "[这里](https://example.org/%E8%89%B2%E6%83%85)"})

INNOCENT = """classic literature
a first-class assessment of the assets
The town of Scunthorpe is in Lincolnshire.
Middlesex, Essex and Sussex are counties.
The specialist socialises on Saturdays.
Passengers assemble at the embassy.
Massachusetts passed the assistance act.
A casinography of old buildings
heroine of the novel
The heroines met the heroic crew.
Scampi with lemon
The scamper of small feet
Sextet for strings, sextant for sailors
unisexual flowers and asexual spores
Grass, brass and glass
The assassin in the opera
bassoon, cassette, passage
Free moneyless trade
lottery winners and lottery winnings
The bypass is closed.
compass, trespass, harass
`assert_eq!(class, pass)`
assign(assistant)
https://example.org/classes/assets
A **class** of *glass*
cl**ass**ic
Dickens wrote about Essex in 1840.
sexagesimal numbers
Casinos are plural here
viagras is no word
specialists and specialism
Vivaldi, Cialdini, Cialente
hassle-free onboarding
classification and passwords
Mass at the cathedral
the ambassador's message
Tassel, vassal, hassock
The assay office, the associate
Asset, assent, assert, assess
An assortment of assumptions
Sassafras tea
Gassing up the jeep
heroinism in verse
Scamp and scamps
scammony, a plant
The casinò of 1638
Sexton of the church
sexennial, sextuple
Pure scuntle, an old word
Scunthorpes""".splitlines()
INNOCENT_ZH = """路口交通繁忙
十字路口交通信号灯
路口，交通管制
市区路口 交通拥堵
出口交易额上升
进口交货时间
他在门口交谈
窗口交费
港口交接
人口交流
关口交涉
口交换机
他喜欢赌气，博学多才
这个网站很好
博物馆的网站
代代开花，发票已寄
开发票据系统
代理开发
他的脸色，情绪都很好
特色情景教学
景色情趣
角色情感
出色情报员
蓝色情人节
枪炮玫瑰
支援前线
弹簧床，药房
迷路了，药也没带
入迷药学
沉迷药理研究
办事处，假期，证件
办假期手续
内部消息灵通
内衣，幕布
幕后消息
开具发票
开发新产品
假如证明了
天气预报说明天有雨
春眠不觉晓，处处闻啼鸟。
我们在会议室讨论了发布计划。
请在下周二下午两点半之前提交稿件。
数据库迁移完成，所有测试通过。
编辑部的口号：准确、及时、公正。
北京时间上午九点发布
订阅者可以收到邮件通知
本月三十日截止
图书馆周末开放
火车从站台出发
学校门口交通安全""".splitlines()
terms = [{"term": term} for term in LATIN + CHINESE]
exceptions = {
    "口交": ["路口交通", "出口交易", "进口交货", "门口交谈", "窗口交费", "港口交接", "人口交流", "关口交涉", "口交换机", "门口交通"],
    "色情": ["脸色情绪", "特色情景", "景色情趣", "角色情感", "出色情报", "蓝色情人节"],
    "迷药": ["入迷药学", "沉迷药理", "迷路"],
}
for term in terms:
    if term["term"] in exceptions:
        term["exceptions"] = exceptions[term["term"]]


def write(name, value):
    (HERE / name).write_text(json.dumps(value, ensure_ascii=True, indent=0) + "\n")
    print(name, len(value))


write("terms.json", terms)
write("evasions.json", evasions)
write("innocent.json", INNOCENT + INNOCENT_ZH)
