"""Writes six-zones.tsv: phrases, and what they mean for readers in six time zones. Called by make.py.

A line: phrase, language, and for each zone of ZONES the readings in ISO 8601 with the offset, separated by
` | ` (several: they are asked), or `!` and the word of the refusal. The expected readings are computed here
with zoneinfo from the rules of docs; nothing of the parser is used. Now is 2026-06-03T08:00:00Z: it is
Tuesday evening in Honolulu, and Wednesday from early morning to evening in the other zones.
"""
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

HERE = Path(__file__).parent
NOW = datetime(2026, 6, 3, 8, 0, tzinfo=timezone.utc)
ZONES = ["Europe/Berlin", "America/New_York", "Asia/Shanghai", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Honolulu"]
MINUTE = timedelta(minutes=1)


def instants(local: datetime, zone: str) -> list:
    """The instants of a local time: one, two if it occurs twice, or those around a gap."""
    first, second = (local.replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(timezone.utc) for fold in (0, 1))
    if first == second:
        return [first]
    if first.astimezone(ZoneInfo(zone)).replace(tzinfo=None) == local:
        return [first, second]
    # A gap: `second` is before the change. Search the first minute with the new offset.
    at, old = second, second.astimezone(ZoneInfo(zone)).utcoffset()
    while at.astimezone(ZoneInfo(zone)).utcoffset() == old:
        at += MINUTE
    return [at - MINUTE, at]


class Reader:
    """A person in a zone, and the zone that the phrase names, if it names one."""

    def __init__(self, zone: str, named: str = ""):
        self.zone = named or zone
        self.here = NOW.astimezone(ZoneInfo(zone)).replace(tzinfo=None).date()
        self.now = NOW.astimezone(ZoneInfo(self.zone)).replace(tzinfo=None)

    def text(self, at: datetime) -> str:
        text = at.astimezone(ZoneInfo(self.zone)).isoformat(timespec="seconds")
        return text.replace(":00+", "+", 1).replace(":00-", "-", 1) if at.second == 0 else text

    def shown(self, found: list, is_asked: bool = False) -> str:
        found = sorted(set(found))
        ahead = [at for at in found if at > NOW]
        if not ahead:
            return "!past"
        return " | ".join(self.text(at) for at in (found if is_asked else ahead))

    def on(self, dates: list, times: list, is_asked: bool = False) -> str:
        """These times on these dates."""
        locals_ = [datetime.combine(day, time(0)) + timedelta(minutes=minutes) for day in dates for minutes in times]
        return self.shown([at for local in locals_ for at in instants(local, self.zone)], is_asked and len(dates) > 1)

    def counted(self, days_of, times: list) -> str:
        """Dates that are counted from today: from that of the named zone, or from that of the reader."""
        there, here = days_of(self.now.date()), days_of(self.here)
        dates = there + [day for day in here if day not in there]
        is_asked = len(dates) > len(there)
        return self.on(dates, times, is_asked)

    def next(self, times: list) -> str:
        """The next moments with these times."""
        found = []
        for minutes in times:
            for days in (0, 1):
                local = datetime.combine(self.now.date(), time(0)) + timedelta(days=days, minutes=minutes)
                all_ = instants(local, self.zone)
                if all_[-1] > NOW:
                    found += all_
                    break
        return self.shown(found)

    def later(self, **span) -> str:
        return self.shown([NOW + timedelta(**span)])


def in_days(*counts):
    return lambda today: [today + timedelta(days=count) for count in counts]


def weekday(number: int):
    """The coming one: today's, and that of next week if it is today."""
    def dates(today: date) -> list:
        ahead = (number - today.weekday()) % 7
        return [today + timedelta(days=days) for days in ([0, 7] if ahead == 0 else [ahead])]
    return dates


def next_weekday(number: int):
    """The first one after today, or that of the next week."""
    def dates(today: date) -> list:
        after = (number - today.weekday() - 1) % 7 + 1
        of_week = 7 + number - today.weekday()
        return [today + timedelta(days=days) for days in sorted({after, of_week})]
    return dates


def of_week(number: int, weeks: int):
    return lambda today: [today + timedelta(days=number - today.weekday() + 7 * weeks)]


def hm(hour: int, minute: int = 0) -> int:
    return hour * 60 + minute


def valid(year: int, month: int, day: int) -> list:
    try:
        return [date(year, month, day)]
    except ValueError:
        return []


class Table:
    def __init__(self):
        self.lines = {}

    def add(self, phrase: str, language: str, mean, named: str = ""):
        assert (phrase, language) not in self.lines, phrase
        self.lines[phrase, language] = [mean(Reader(zone, named)) for zone in ZONES]

    def refuse(self, language: str, word: str, phrases: list):
        for phrase in phrases:
            self.add(phrase, language, lambda reader: "!" + word)

    def write(self):
        assert len(self.lines) >= 400, len(self.lines)
        head = f"# Written by make.py. Now is 2026-06-03T08:00:00Z. Zones: {' '.join(ZONES)}\n"
        rows = ["\t".join((phrase, language, *cells)) for (phrase, language), cells in self.lines.items()]
        (HERE / "six-zones.tsv").write_text(head + "\n".join(rows) + "\n")
        print("six-zones.tsv", len(rows), "phrases in", len(ZONES), "zones")


WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
# A place as typed, its zone.
PLACES = [("new york", "America/New_York"), ("tokyo", "Asia/Tokyo"), ("berlin", "Europe/Berlin"), ("Sydney", "Australia/Sydney"),
          ("los angeles", "America/Los_Angeles"), ("shanghai time", "Asia/Shanghai"), ("são paulo", "America/Sao_Paulo"),
          ("auckland", "Pacific/Auckland"), ("christmas island", "Indian/Christmas"), ("america/phoenix", "America/Phoenix"),
          ("honolulu", "Pacific/Honolulu"), ("utc", "UTC")]
ZH_PLACES = [("纽约", "America/New_York"), ("东京时间", "Asia/Tokyo"), ("柏林", "Europe/Berlin"), ("洛杉矶", "America/Los_Angeles"),
             ("北京时间", "Asia/Shanghai"), ("檀香山", "Pacific/Honolulu"), ("圣诞岛", "Indian/Christmas")]


def english(table: Table):
    times = [("9am", [hm(9)]), ("18:30", [hm(18, 30)]), ("at 7 in the evening", [hm(19)]), ("half past 11", [hm(11, 30)]),
             ("at 3", [hm(3), hm(15)]), ("8:05 p.m.", [hm(20, 5)]), ("noon", [hm(12)])]
    days = [("today", 0), ("tomorrow", 1), ("the day after tomorrow", 2), ("in 4 days", 4), ("in two weeks", 14)]
    for (word, count), (text, minutes) in ((a, b) for a in days for b in times):
        if word.startswith("in ") and text.startswith("half"):
            continue
        table.add(f"{word} {text}", "en", lambda reader: reader.counted(in_days(count), minutes))
    for text, minutes in times[:4] + times[5:]:
        table.add(text, "en", lambda reader: reader.next(minutes))
    for number, name in enumerate(WEEKDAYS):
        table.add(f"{name} 9am", "en", lambda reader: reader.counted(weekday(number), [hm(9)]))
        table.add(f"{name[:3]} 17:45", "en", lambda reader: reader.counted(weekday(number), [hm(17, 45)]))
        table.add(f"next {name} 14:00", "en", lambda reader: reader.counted(next_weekday(number), [hm(14)]))
        table.add(f"{name} next week at 2 pm", "en", lambda reader: reader.counted(of_week(number, 1), [hm(14)]))
        table.add(f"this {name} 20:15", "en", lambda reader: reader.counted(of_week(number, 0), [hm(20, 15)]))
    for month, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1):
        year = 2026 if month > 5 else 2027
        table.add(f"{name} 9 9:00", "en", lambda reader: reader.on([date(year, month, 9)], [hm(9)]))
        table.add(f"21 {name} 2027 8pm", "en", lambda reader: reader.on([date(2027, month, 21)], [hm(20)]))
    # The days on which clocks change in one of the zones.
    for day, hour, minute in [((2026, 10, 25), 2, 30), ((2026, 11, 1), 1, 30), ((2026, 10, 4), 2, 15), ((2027, 4, 4), 1, 45),
                              ((2027, 3, 28), 2, 30), ((2027, 3, 14), 2, 30), ((2028, 2, 29), 12, 0), ((2026, 12, 31), 23, 59)]:
        text = f"{date(*day)} {hour:02}:{minute:02}"
        table.add(text, "en", lambda reader: reader.on([date(*day)], [hm(hour, minute)]))
    slashes(table)
    for text, span in [("in 2 hours", dict(hours=2)), ("+90m", dict(minutes=90)), ("in half an hour", dict(minutes=30)),
                       ("in 36 hours", dict(hours=36)), ("in 1.5 hours", dict(minutes=90)), ("a week from now", dict(days=7)),
                       ("in 3 days", dict(days=3)), ("+45 min", dict(minutes=45)), ("in 20 secs", dict(seconds=20)),
                       ("in 2 hours and 15 minutes", dict(minutes=135)), ("in 2 hours tokyo", dict(hours=2))]:
        table.add(text, "en", lambda reader: reader.later(**span), "Asia/Tokyo" if "tokyo" in text else "")
    for place, zone in PLACES:
        for word, count in [("today", 0), ("tomorrow", 1)]:
            table.add(f"{word} 9am {place}", "en", lambda reader: reader.counted(in_days(count), [hm(9)]), zone)
        table.add(f"jun 9 9:00 {place}", "en", lambda reader: reader.on([date(2026, 6, 9)], [hm(9)]), zone)
        table.add(f"18:30 {place}", "en", lambda reader: reader.next([hm(18, 30)]), zone)
        table.add(f"wed 7pm {place}", "en", lambda reader: reader.counted(weekday(2), [hm(19)]), zone)
    english_refusals(table)


def slashes(table: Table):
    """Both readings are asked, also if one of them has passed; in Chinese only if the year is last."""
    for one, other in [(12, 11), (11, 12), (2, 7), (7, 2), (1, 6), (6, 1), (6, 3), (3, 6), (5, 4), (10, 10), (6, 26), (26, 6), (12, 31)]:
        dates = sorted({*valid(2026, one, other), *valid(2026, other, one)})
        for language in ("en", "zh"):
            text = f"{one}/{other}/2026 23:00"
            table.add(text, language, lambda reader: reader.on(dates, [hm(23)], True))
    table.add("5/4/2026 9:00", "en", lambda reader: "!past")
    table.add("31/31/2026 9:00", "en", lambda reader: "!no_such_time")

    def next_date(reader: Reader, month: int, day: int) -> date:
        this = date(2026, month, day)
        return this if this >= reader.now.date() else date(2027, month, day)
    for one, other in [(6, 9), (9, 6), (6, 3), (3, 6), (11, 12)]:
        text = f"{one}/{other} 9:00"
        both = lambda reader: [next_date(reader, one, other), next_date(reader, other, one)]
        table.add(text, "en", lambda reader: reader.on(both(reader), [hm(9)], True))
        table.add(text, "zh", lambda reader: reader.on(both(reader)[:1], [hm(9)]))


def english_refusals(table: Table):
    table.refuse("en", "holiday", [
        "christmas 9am", "christmas eve 18:00", "9am christmas", "tomorrow christmas 9am", "on christmas day at noon", "xmas 9am",
        "9am christmas time", "easter monday", "easter monday 9am", "easter 9am", "monday easter 9am", "good friday 9am", "new year 9am",
        "new year's eve 23:59", "New Year’s Day 10:00", "boxing day 9am", "thanksgiving 9am", "halloween 18:00", "valentine's day 9am",
        "palm sunday 9am", "may day 9am", "labor day 9am", "labour day 9am", "black friday 9am", "cyber monday 9am", "mother's day 9am",
        "independence day 9am", "chinese new year 9am", "lunar new year 9am", "mid-autumn festival 9am", "st. patrick's day 9am",
        "pentecost 9am", "whit monday 9am", "bank holiday monday 9am", "midsummer 9am", "christmas dinner 9am", "passover 9am",
        "eid al-fitr 9am", "diwali 9am", "jun 9 easter 9am", "9am holiday"])
    table.refuse("en", "place", [
        "reunion 9am", "9am reunion", "tomorrow 9am reunion", "réunion 9am", "center 9am", "9am center", "tomorrow 9:00 center",
        "wake 9am", "9am wake", "tomorrow 9am wake", "midway 9am", "9am midway", "tomorrow midway 9am", "troll 9am", "tomorrow 9am troll",
        "oral 9am", "tomorrow 9am oral", "resolute 9am", "tomorrow 9am phoenix", "9am jersey", "tomorrow 9am canary", "9am knox",
        "tomorrow 9am casey", "tomorrow 9am virgin", "tomorrow 9am yap", "9am samoa", "london tomorrow 9am", "tokyo 9am",
        "berlin jun 9 9:00", "tomorrow berlin 9am", "9am san juan", "tomorrow 9am cordoba", "9am south pole", "tomorrow 9am merida"])
    table.refuse("en", "not_understood", [
        "9am tomorrow meeting", "tomorrow 9am est", "tomorrow 9am cst", "tomorrow 9ish", "every monday 9am", "9am tokyos", "9am parisian",
        "call anna tomorrow 9am", "tomorrow 9am berlin london", "jun 9 or jun 10 9:00", "6/9/26 9:00", "06-09-2026 9:00", "9 jun 10",
        "end of month", "2 hours", "half nine", "tomorrow 9am 10am", "9", "soon"])
    table.refuse("en", "no_time", ["tomorrow", "friday", "jun 9", "12/11/2026", "tomorrow morning"])
    table.refuse("en", "no_such_time", ["feb 30 9:00", "tomorrow 25:00", "13/13/2026 9:00", "tomorrow 13pm", "2/30/2027 9:00"])
    table.refuse("en", "other_weekday", ["mon 2026-06-09 9:00", "mon jun 9 9:00"])
    # The weekday decides.
    table.add("thu 12/11/2026 9:00", "en", lambda reader: reader.on([date(2026, 11, 12)], [hm(9)]))
    table.add("fri 12/11/2026 9:00", "en", lambda reader: reader.on([date(2026, 12, 11)], [hm(9)]))


def chinese(table: Table):
    times = [("上午九点", [hm(9)]), ("18:30", [hm(18, 30)]), ("下午三点半", [hm(15, 30)]), ("晚上8点", [hm(20)]), ("中午", [hm(12)]),
             ("三点", [hm(3), hm(15)])]
    for (word, count), (text, minutes) in ((a, b) for a in [("今天", 0), ("明天", 1), ("后天", 2), ("大后天", 3)] for b in times):
        table.add(f"{word}{text}", "zh", lambda reader: reader.counted(in_days(count), minutes))
    for text, minutes in times[:5]:
        table.add(text, "zh", lambda reader: reader.next(minutes))
    for number, name in enumerate("一二三四五六日"):
        table.add(f"周{name}上午9点", "zh", lambda reader: reader.counted(weekday(number), [hm(9)]))
        table.add(f"星期{name}17:45", "zh", lambda reader: reader.counted(weekday(number), [hm(17, 45)]))
        table.add(f"下周{name} 14:30", "zh", lambda reader: reader.counted(of_week(number, 1), [hm(14, 30)]))
        table.add(f"本周{name}20:15", "zh", lambda reader: reader.counted(of_week(number, 0), [hm(20, 15)]))
    for month in range(1, 13):
        year = 2026 if month > 5 else 2027
        table.add(f"{month}月9日9点", "zh", lambda reader: reader.on([date(year, month, 9)], [hm(9)]))
        table.add(f"2027年{month}月21日晚上8点", "zh", lambda reader: reader.on([date(2027, month, 21)], [hm(20)]))
    for text, span in [("两小时后", dict(hours=2)), ("半小时后", dict(minutes=30)), ("三天后", dict(days=3)), ("一周后", dict(days=7)),
                       ("一刻钟后", dict(minutes=15)), ("1.5小时后", dict(minutes=90)), ("48小时后", dict(hours=48))]:
        table.add(text, "zh", lambda reader: reader.later(**span))
    for place, zone in ZH_PLACES:
        table.add(f"明天9:00 {place}", "zh", lambda reader: reader.counted(in_days(1), [hm(9)]), zone)
        table.add(f"今天上午九点{place}", "zh", lambda reader: reader.counted(in_days(0), [hm(9)]), zone)
        table.add(f"6月9日9点{place}", "zh", lambda reader: reader.on([date(2026, 6, 9)], [hm(9)]), zone)
    table.add("北京时间明天上午九点", "zh", lambda reader: reader.counted(in_days(1), [hm(9)]), "Asia/Shanghai")
    table.add("东京时间6月9日9点", "zh", lambda reader: reader.on([date(2026, 6, 9)], [hm(9)]), "Asia/Tokyo")
    table.refuse("zh", "holiday", [
        "圣诞节上午九点", "圣诞上午九点", "明天圣诞节九点", "平安夜晚上八点", "复活节九点", "复活节星期一上午九点", "春节上午九点", "除夕晚上八点",
        "元旦九点", "国庆节九点", "國慶節九點", "中秋节晚上八点", "端午节九点", "清明节九点", "劳动节九点", "五一节九点", "情人节晚上八点", "双十一零点",
        "感恩节九点", "大年初一九点", "母亲节九点", "九点春节", "黑色星期五九点", "假期九点"])
    table.refuse("zh", "place", ["纽约明天9:00", "伦敦6月9日9点", "明天柏林9点", "东京9点", "中途岛9点"])
    table.refuse("zh", "not_understood", ["每周二九点", "明天九点左右", "明天九点火星时间", "月底九点", "两小时", "明天后天九点", "开会明天九点"])
    table.refuse("zh", "no_time", ["明天", "下周二", "6月9日"])
    table.refuse("zh", "no_such_time", ["6月31日九点", "明天下午九点"])


def write():
    table = Table()
    english(table)
    chinese(table)
    table.write()
