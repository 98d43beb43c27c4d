"""Writes english.tsv, chinese.tsv and german.tsv: phrases, and the moments that they mean. And six-zones.tsv, see
six_zones.py.

    python3 make.py

A line: phrase, and the readings in ISO 8601 with the zone's offset, separated by ` | `; or `!` and the
word of the refusal. The expected moments are computed here with zoneinfo; nothing of the parser is used.
Now is Wednesday 2026-06-03 10:00 in Europe/Berlin.
"""
import sys
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

sys.dont_write_bytecode = True
import six_zones  # noqa: E402

BERLIN = "Europe/Berlin"
NOW = datetime(2026, 6, 3, 10, 0)
HERE = Path(__file__).parent


def iso(local: datetime, zone: str = BERLIN, fold: int = 0) -> str:
    at = local.replace(tzinfo=ZoneInfo(zone), fold=fold)
    text = at.isoformat(timespec="seconds")
    return text.replace(":00+", "+", 1).replace(":00-", "-", 1) if local.second == 0 else text


def day(days: int, hour: int, minute: int = 0, zone: str = BERLIN) -> str:
    return iso(NOW.replace(hour=hour, minute=minute) + timedelta(days=days), zone)


def on(month: int, date: int, hour: int, minute: int = 0, year: int = 2026, zone: str = BERLIN) -> str:
    return iso(datetime(year, month, date, hour, minute), zone)


def later(**span) -> str:
    at = NOW.replace(tzinfo=ZoneInfo(BERLIN)).astimezone(ZoneInfo("UTC")) + timedelta(**span)
    return iso(at.astimezone(ZoneInfo(BERLIN)).replace(tzinfo=None))


class Phrases:
    def __init__(self):
        self.lines = {}

    def add(self, phrase: str, *readings: str):
        expected = " | ".join(readings)
        assert self.lines.get(phrase, expected) == expected, phrase
        self.lines[phrase] = expected

    def write(self, name: str, title: str):
        head = f"# {title}, written by make.py. Now is 2026-06-03 10:00 in Europe/Berlin, a Wednesday.\n"
        (HERE / name).write_text(head + "".join(f"{a}\t{b}\n" for a, b in self.lines.items()))
        print(name, len(self.lines))


WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
ZH_WEEKDAYS = "一二三四五六日"


def coming(weekday: int) -> int:
    """Days until the next such weekday after today."""
    return (weekday - NOW.weekday() - 1) % 7 + 1


def english() -> Phrases:
    p = Phrases()
    # The phrases of the issue, and those like them.
    p.add("tue 9am", day(6, 9))
    p.add("+90m", later(minutes=90))
    p.add("in 2 hours", later(hours=2))
    p.add("tomorrow 18:30", day(1, 18, 30))
    p.add("next monday 9", day(5, 9))
    p.add("jun 9 9:00 berlin", on(6, 9, 9))
    p.add("2026-11-01 01:30", on(11, 1, 1, 30))
    p.add("2026-11-01 01:30 new york", iso(datetime(2026, 11, 1, 1, 30), "America/New_York", 0),
          iso(datetime(2026, 11, 1, 1, 30), "America/New_York", 1))
    p.add("2026-10-25 02:30", iso(datetime(2026, 10, 25, 2, 30)), iso(datetime(2026, 10, 25, 2, 30), fold=1))
    p.add("2027-03-28 02:30", on(3, 28, 1, 59, 2027), on(3, 28, 3, 0, 2027))
    p.add("next friday 9am", day(2, 9), day(9, 9))
    p.add("next friday at 18:00", day(2, 18), day(9, 18))
    p.add("7-8pm tomorrow", day(1, 19), day(1, 20))
    p.add("tomorrow 7 or 8 pm", day(1, 19), day(1, 20))
    p.add("next free slot", "!no_slots")
    p.add("next slot", "!no_slots")
    # Days, times.
    times = [("18:30", 18, 30), ("at 6pm", 18, 0), ("11am", 11, 0), ("at 11:15", 11, 15), ("9:45 pm", 21, 45),
             ("noon", 12, 0), ("at 7 in the evening", 19, 0), ("half past 11", 11, 30), ("at 8 o'clock", 8, 0),
             ("quarter to 12", 11, 45), ("8:05 p.m.", 20, 5), ("23:59", 23, 59)]
    for word, days in [("today", 0), ("tomorrow", 1), ("the day after tomorrow", 2)]:
        for text, hour, minute in times:
            if (days, hour) != (0, 8):
                p.add(f"{word} {text}", day(days, hour, minute))
    p.add("today at 8 o'clock", "!past")
    for text, hour, minute in times[:6]:
        p.add(f"{text} tomorrow", day(1, hour, minute))
    for text, days, hour in [("tonight at 8", 0, 20), ("tonight 9pm", 0, 21), ("this afternoon at 3", 0, 15),
                             ("this evening at 7", 0, 19), ("tomorrow morning at 9", 1, 9),
                             ("tomorrow afternoon at 4", 1, 16), ("tomorrow evening at 6", 1, 18),
                             ("9 tomorrow morning", 1, 9), ("at 9 in the morning tomorrow", 1, 9),
                             ("tomorrow night at 10", 1, 22)]:
        p.add(text, day(days, hour))
    # A time alone is the next one.
    for text, days, hour, minute in [("18:30", 0, 18, 30), ("9am", 1, 9, 0), ("9:59", 1, 9, 59), ("10:00", 1, 10, 0),
                                     ("10:01", 0, 10, 1), ("at noon", 0, 12, 0), ("midnight", 1, 0, 0), ("11 pm", 0, 23, 0),
                                     ("at 11", 0, 11, 0), ("12pm", 0, 12, 0), ("12am", 1, 0, 0), ("0:15", 1, 0, 15),
                                     ("half past 9", 1, 9, 30), ("noon", 0, 12, 0), ("9.30pm", 0, 21, 30)]:
        p.add(text, day(days, hour, minute))
    # A small hour is one of the morning or of the afternoon.
    for hour in range(1, 7):
        p.add(f"tomorrow at {hour}", day(1, hour), day(1, hour + 12))
        p.add(f"tomorrow at {hour} pm", day(1, hour + 12))
    p.add("tomorrow at midnight", day(1, 0), day(2, 0))
    p.add("tomorrow night at 1", day(1, 1), day(2, 1))
    p.add("tonight at 2", day(1, 2))
    # Weekdays.
    for number, name in enumerate(WEEKDAYS):
        days = coming(number)
        readings = [day(days, 9)] if number != 2 else [day(7, 9)]
        for text in (f"{name} 9am", f"on {name[:3]} at 9 am", f"9:00 {name[:3]}"):
            p.add(text, *readings)
        both = [day(0, 14), day(7, 14)] if number == 2 else [day(days, 14)]
        p.add(f"{name} 14:00", *both)
        in_next_week = number - 2 + 7
        nexts = sorted({days, in_next_week})
        p.add(f"next {name} 14:00", *[day(one, 14) for one in nexts])
        p.add(f"next week {name} 14:00", day(in_next_week, 14))
        p.add(f"{name} next week at 2 pm", day(in_next_week, 14))
        this = number - 2
        p.add(f"this {name} 15:30", *([day(this, 15, 30)] if this >= 0 else ["!past"]))
    # Dates.
    for month, name in enumerate(["jan", "feb", "mar", "apr", "may", "june", "july", "aug", "sept", "oct", "nov", "dec"], 1):
        year = 2026 if month > 5 else 2027
        p.add(f"{name} 9 9:00", on(month, 9, 9, 0, year))
        p.add(f"9 {name} 18:30", on(month, 9, 18, 30, year))
        p.add(f"{name} 21st, 2027 at 8am", on(month, 21, 8, 0, 2027))
    for text, *rest in [("2026-06-09 09:00", 6, 9, 9, 0), ("2026/06/09 09:00", 6, 9, 9, 0), ("2026.6.9 9:00", 6, 9, 9, 0),
                        ("9.6. 9:00", 6, 9, 9, 0), ("9.6.2026 9:00", 6, 9, 9, 0), ("2026-06-09T09:00", 6, 9, 9, 0),
                        ("9th of June at 9am", 6, 9, 9, 0), ("the 9th of june, 9:00", 6, 9, 9, 0),
                        ("9:00 jun 9", 6, 9, 9, 0), ("Tue 9 Jun, 09:00", 6, 9, 9, 0), ("Tuesday, June 9, 2026 9:00", 6, 9, 9, 0),
                        ("the 9th at 9am", 6, 9, 9, 0), ("on the 2nd at 9am", 7, 2, 9, 0), ("the 3rd 11:00", 6, 3, 11, 0),
                        ("jun 9 9", 6, 9, 9, 0), ("jun 9 0930", 6, 9, 9, 30), ("jun 9 1830", 6, 9, 18, 30),
                        ("31 dec 23:59", 12, 31, 23, 59), ("２０２６-０６-０９ ０９：００", 6, 9, 9, 0),
                        ("june 9 2026 noon", 6, 9, 12, 0), ("26/11 9:00", 11, 26, 9, 0), ("11/26 9:00", 11, 26, 9, 0),
                        ("6/6 9:00", 6, 6, 9, 0), ("26/11/2026 9am", 11, 26, 9, 0)]:
        p.add(text, on(*rest))
    p.add("6/9 9:00", on(6, 9, 9), on(9, 6, 9))
    # One of them has passed: it is asked in any case.
    p.add("11/1/2026 9:00", on(1, 11, 9), on(11, 1, 9))
    p.add("jun 3 11:00", on(6, 3, 11))
    p.add("jun 2 11:00", on(6, 2, 11, 0, 2027))
    p.add("feb 29 2028 9:00", on(2, 29, 9, 0, 2028))
    # Durations.
    for text, span in [("+1h", dict(hours=1)), ("+1h30m", dict(minutes=90)), ("+45 min", dict(minutes=45)), ("+2d", dict(days=2)),
                       ("+1w", dict(days=7)), ("+30s", dict(seconds=30)), ("in 90 minutes", dict(minutes=90)),
                       ("in an hour", dict(hours=1)), ("in half an hour", dict(minutes=30)), ("in 1.5 hours", dict(minutes=90)),
                       ("in 1 hour and 30 minutes", dict(minutes=90)), ("in two hours", dict(hours=2)), ("in a day", dict(days=1)),
                       ("in a week", dict(days=7)), ("in 3 days", dict(days=3)), ("in two weeks", dict(days=14)),
                       ("2 hours from now", dict(hours=2)), ("90 minutes later", dict(minutes=90)), ("in 10 min", dict(minutes=10)),
                       ("in 36 hours", dict(hours=36)), ("in 1h 15m", dict(minutes=75)), ("an hour from now", dict(hours=1)),
                       ("in 20 secs", dict(seconds=20)), ("a week from now", dict(days=7)), ("in 5h", dict(hours=5))]:
        p.add(text, later(**span))
    for hour in range(7, 12):
        p.add(f"jun {hour} at {hour}:20", on(6, hour, hour, 20))
        p.add(f"{hour}:20 on {hour} july 2026", on(7, hour, hour, 20))
        p.add(f"@{hour}am tomorrow", day(1, hour))
        p.add(f"tomorrow, {hour} PM", day(1, hour + 12))
    for minutes in (5, 15, 20, 45, 75, 120):
        p.add(f"+{minutes} minutes", later(minutes=minutes))
        p.add(f"in {minutes}min", later(minutes=minutes))
        p.add(f"{minutes} mins from now", later(minutes=minutes))
    p.add("TOMORROW 9AM", day(1, 9))
    p.add("tmr 9am", day(1, 9))
    p.add("fri @ 9", day(2, 9))
    p.add("in a month", on(7, 3, 10))
    p.add("in 2 months", on(8, 3, 10))
    p.add("in 2 days at 9am", day(2, 9))
    p.add("in 3 weeks at 18:00", day(21, 18))
    # From summer time to winter time: days of the calendar, or of 24 hours.
    p.add("in 150 days", later(days=150), on(10, 31, 10))
    # Zones.
    for text, zone, local in [("jun 9 9:00 new york", "America/New_York", (6, 9, 9)), ("jun 9 9:00 Tokyo", "Asia/Tokyo", (6, 9, 9)),
                              ("jun 9 9:00 Europe/London", "Europe/London", (6, 9, 9)), ("jun 9 9:00 utc", "UTC", (6, 9, 9)),
                              ("jun 9 9am shanghai time", "Asia/Shanghai", (6, 9, 9)), ("jun 9 9:00 beijing", "Asia/Shanghai", (6, 9, 9)),
                              ("9:00 berlin jun 9", BERLIN, (6, 9, 9)), ("9am in london jun 9", "Europe/London", (6, 9, 9)),
                              ("tomorrow 9:00 tokyo", "Asia/Tokyo", (6, 4, 9)), ("tomorrow 9am sao paulo", "America/Sao_Paulo", (6, 4, 9))]:
        p.add(text, on(*local, zone=zone))
    p.add("2026-06-09T07:00:00Z", on(6, 9, 9))
    p.add("2026-06-09T09:00+02:00", on(6, 9, 9))
    p.add("2026-06-09T03:00:00.000-04:00", on(6, 9, 9))
    return p


def chinese() -> Phrases:
    p = Phrases()
    p.add("明天上午九点", day(1, 9))
    p.add("下周二 14:30", day(6, 14, 30))
    p.add("两小时后", later(hours=2))
    p.add("6月9日晚上8点", on(6, 9, 20))
    p.add("明天7–8点", day(1, 7), day(1, 8))
    p.add("明晚七八点", day(1, 19), day(1, 20))
    p.add("下一个空档", "!no_slots")
    p.add("下个空闲时段", "!no_slots")
    times = [("上午九点", 9, 0), ("9:30", 9, 30), ("下午三点", 15, 0), ("下午3点半", 15, 30), ("晚上8点", 20, 0), ("晚上八点一刻", 20, 15),
             ("中午12点", 12, 0), ("中午", 12, 0), ("14点", 14, 0), ("14时30分", 14, 30), ("21点05分", 21, 5), ("早上7点三刻", 7, 45),
             ("傍晚六点", 18, 0), ("十一点整", 11, 0), ("凌晨两点", 2, 0), ("１８：３０", 18, 30), ("晚上九点零五分", 21, 5), ("下午二点二十分", 14, 20)]
    for word, days in [("明天", 1), ("后天", 2), ("大后天", 3), ("明日", 1)]:
        for text, hour, minute in times:
            p.add(f"{word}{text}", day(days, hour, minute))
    for text, hour, minute in [("今天下午三点", 15, 0), ("今天 18:30", 18, 30), ("今晚8点", 20, 0), ("今晚九点半", 21, 30), ("今天中午", 12, 0),
                               ("今日23点", 23, 0), ("今天晚上十点", 22, 0)]:
        p.add(text, day(0, hour, minute))
    p.add("今天上午九点", "!past")
    for text, days, hour in [("明早八点", 1, 8), ("明晚8点", 1, 20), ("明早9点", 1, 9), ("明晨6点", 1, 6), ("后晚七点", 2, 19)]:
        p.add(text, day(days, hour))
    for hour, name in enumerate("一两三四五六", 1):
        p.add(f"明天{name}点", day(1, hour), day(1, hour + 12))
        p.add(f"明天下午{name}点", day(1, hour + 12))
    p.add("明天晚上12点", day(1, 0), day(2, 0))
    p.add("明天午夜", day(1, 0), day(2, 0))
    p.add("明天零点", day(1, 0))
    p.add("明天凌晨零点", day(1, 0))
    # A time alone is the next one.
    for text, days, hour, minute in [("18:30", 0, 18, 30), ("上午九点", 1, 9, 0), ("晚上8点", 0, 20, 0), ("21点", 0, 21, 0), ("下午三点半", 0, 15, 30),
                                     ("中午", 0, 12, 0), ("8点钟", 1, 8, 0), ("十点一刻", 0, 10, 15), ("午夜", 1, 0, 0)]:
        p.add(text, day(days, hour, minute))
    for number, name in enumerate(ZH_WEEKDAYS):
        days, in_next_week, this = coming(number), number + 5, number - 2
        for week in ("周", "星期", "礼拜"):
            p.add(f"{week}{name}上午9点", *([day(days, 9)] if number != 2 else [day(7, 9)]))
            p.add(f"下{week}{name} 14:30", day(in_next_week, 14, 30))
        p.add(f"本周{name}晚上8点", *([day(this, 20)] if this >= 0 else ["!past"]))
        p.add(f"这周{name}20:00", *([day(this, 20)] if this >= 0 else ["!past"]))
        p.add(f"下下周{name}九点", day(in_next_week + 7, 9))
        p.add(f"下个周{name}15:00", *[day(one, 15) for one in sorted({days, in_next_week})])
        both = [day(0, 15), day(7, 15)] if number == 2 else [day(days, 15)]
        p.add(f"周{name}下午三点", *both)
    months = "一 二 三 四 五 六 七 八 九 十 十一 十二".split()
    for month, name in enumerate(months, 1):
        year = 2026 if month > 5 else 2027
        p.add(f"{month}月9日9点", on(month, 9, 9, 0, year))
        p.add(f"{name}月二十一日上午十点", on(month, 21, 10, 0, year))
        p.add(f"{month}月15号晚上8点半", on(month, 15, 20, 30, year))
        p.add(f"2027年{month}月9日 18:30", on(month, 9, 18, 30, 2027))
    for text, *rest in [("2026-06-09 09:00", 6, 9, 9, 0), ("2026年6月9日上午9点", 6, 9, 9, 0), ("二〇二六年六月九日九点", 6, 9, 9, 0),
                        ("6月9日周二 9:00", 6, 9, 9, 0), ("6月9日星期二 09:00", 6, 9, 9, 0), ("9号上午9点", 6, 9, 9, 0), ("2号上午9点", 7, 2, 9, 0),
                        ("15日晚上8点", 6, 15, 20, 0), ("下个月15号9点", 7, 15, 9, 0), ("下月1日上午10点", 7, 1, 10, 0), ("本月30日9点", 6, 30, 9, 0),
                        ("6/9 9:00", 6, 9, 9, 0), ("6月9日的晚上8点", 6, 9, 20, 0), ("11月1日凌晨1点半", 11, 1, 1, 30), ("九点 6月9日", 6, 9, 9, 0),
                        ("6月9號晚上8點", 6, 9, 20, 0), ("下個月15號9點", 7, 15, 9, 0)]:
        p.add(text, on(*rest))
    p.add("明年1月1日零点", on(1, 1, 0, 0, 2027))
    p.add("今年12月31日23:59", on(12, 31, 23, 59))
    p.add("10月25日凌晨2点半", iso(datetime(2026, 10, 25, 2, 30)), iso(datetime(2026, 10, 25, 2, 30), fold=1))
    p.add("2027年3月28日凌晨2点半", on(3, 28, 1, 59, 2027), on(3, 28, 3, 0, 2027))
    for text, span in [("半小时后", dict(minutes=30)), ("半个小时后", dict(minutes=30)), ("一个半小时后", dict(minutes=90)), ("两个半小时后", dict(minutes=150)),
                       ("九十分钟后", dict(minutes=90)), ("90分钟后", dict(minutes=90)), ("三天后", dict(days=3)), ("3天后", dict(days=3)),
                       ("一周后", dict(days=7)), ("两个星期后", dict(days=14)), ("2小时30分钟后", dict(minutes=150)), ("十五分钟以后", dict(minutes=15)),
                       ("一刻钟后", dict(minutes=15)), ("两个小时之后", dict(hours=2)), ("三十秒后", dict(seconds=30)), ("1.5小时后", dict(minutes=90)),
                       ("一百二十分钟后", dict(minutes=120)), ("兩小時後", dict(hours=2)), ("1小时后", dict(hours=1)), ("十天后", dict(days=10)),
                       ("两周后", dict(days=14)), ("一个钟头后", dict(hours=1)), ("48小时后", dict(hours=48))]:
        p.add(text, later(**span))
    for hour, name in zip(range(7, 12), "七 八 九 十 十一".split()):
        p.add(f"后天早上{name}点", day(2, hour))
        p.add(f"明天晚上{name}点半", day(1, hour + 12, 30))
        p.add(f"6月{hour}日{name}点二十分", on(6, hour, hour, 20))
    p.add("一个月后", on(7, 3, 10))
    p.add("三天后上午九点", day(3, 9))
    p.add("两周后18:00", day(14, 18))
    for text, zone, local in [("6月9日9点 纽约", "America/New_York", (6, 9, 9)), ("6月9日9点柏林时间", BERLIN, (6, 9, 9)),
                              ("北京时间6月9日9点", "Asia/Shanghai", (6, 9, 9)), ("6月9日晚上8点东京", "Asia/Tokyo", (6, 9, 20)),
                              ("上海时间明天上午九点", "Asia/Shanghai", (6, 4, 9)), ("9:00伦敦明天", "Europe/London", (6, 4, 9))]:
        p.add(text, on(*local, zone=zone))
    return p


def german():
    p = Phrases()
    for text, *at in [("morgen 9 Uhr", 1, 9), ("Morgen um 9", 1, 9), ("morgen um neun", 1, 9), ("übermorgen 14:30", 2, 14, 30),
                      ("uebermorgen 14:30 Uhr", 2, 14, 30), ("Übermorgen um 14.30 Uhr", 2, 14, 30), ("heute 18 Uhr", 0, 18),
                      ("heute um 18:30", 0, 18, 30), ("heute Abend um 8", 0, 20), ("heute abend 20 Uhr", 0, 20), ("heute Nachmittag um 3", 0, 15),
                      ("heute Mittag", 0, 12), ("morgen Mittag", 1, 12), ("morgen früh um 8", 1, 8), ("morgen frueh 8 Uhr", 1, 8),
                      ("morgen Vormittag 10 Uhr", 1, 10), ("morgen Abend um halb neun", 1, 20, 30), ("morgen halb neun", 1, 8, 30),
                      ("morgen halb 10", 1, 9, 30), ("morgen halb eins", 1, 12, 30), ("morgen Viertel nach 8", 1, 8, 15),
                      ("morgen Viertel vor neun", 1, 8, 45), ("morgen 9 Uhr 30", 1, 9, 30), ("um 9 Uhr morgen", 1, 9), ("morgen 0 Uhr", 1, 0),
                      ("nächsten Montag 9 Uhr", 5, 9), ("naechsten Montag um 9", 5, 9), ("nächste Woche Montag um 9", 5, 9),
                      ("Montag nächster Woche 9 Uhr", 5, 9), ("Montag 9 Uhr", 5, 9), ("Montag um 9", 5, 9), ("Mo 9:00 Uhr", 5, 9), ("Mo. 9 Uhr", 5, 9),
                      ("am Montag um 9 Uhr", 5, 9), ("Montagabend um 8", 5, 20), ("Montag Morgen um 8", 5, 8), ("Donnerstagvormittag 10 Uhr", 1, 10),
                      ("diesen Freitag 9 Uhr", 2, 9), ("am Sonnabend um 10 Uhr", 3, 10), ("So 10 Uhr", 4, 10), ("in 2 Tagen um 9 Uhr", 2, 9),
                      ("in einer Woche um 9", 7, 9), ("am Abend um 8", 0, 20), ("um 12 Uhr mittags", 0, 12), ("15 Uhr", 0, 15), ("am Freitag, 7 Uhr früh", 2, 7)]:
        p.add(text, day(*at))
    for text, *at in [("am 3. Juli um 8", 7, 3, 8), ("3. Juli 8 Uhr", 7, 3, 8), ("3. Juli 8:15 Uhr", 7, 3, 8, 15), ("3 Juli 8 Uhr", 7, 3, 8),
                      ("Freitag, den 3. Juli um 8 Uhr", 7, 3, 8), ("8 Uhr am 3. Juli", 7, 3, 8), ("18 Uhr am 3. Juli", 7, 3, 18), ("am 3.7. um 8", 7, 3, 8),
                      ("3.7.2026 8 Uhr", 7, 3, 8), ("am 3.7.2026 um 18.15 Uhr", 7, 3, 18, 15), ("am 30. November 2026 um 17:05 Uhr", 11, 30, 17, 5),
                      ("am 15. um 9 Uhr", 6, 15, 9), ("am dritten Juli um acht", 7, 3, 8), ("24. Dez. 9 Uhr", 12, 24, 9), ("9. Okt 9 Uhr", 10, 9, 9),
                      ("in einem Monat", 7, 3, 10)]:
        p.add(text, on(*at))
    p.add("am 3. Mai um 8", on(5, 3, 8, year=2027))
    p.add("1. März 2027, 16 Uhr", on(3, 1, 16, year=2027))
    p.add("1. Maerz 2027 16:00", on(3, 1, 16, year=2027))
    for text, span in [("in 2 Stunden", dict(hours=2)), ("in zwei Stunden", dict(hours=2)), ("in einer Stunde", dict(hours=1)),
                       ("in einer halben Stunde", dict(minutes=30)), ("in anderthalb Stunden", dict(minutes=90)), ("in eineinhalb Stunden", dict(minutes=90)),
                       ("in einer Viertelstunde", dict(minutes=15)), ("in 90 Minuten", dict(minutes=90)), ("in 2 Std 30 Min", dict(minutes=150)),
                       ("in 2 Stunden und 30 Minuten", dict(minutes=150)), ("2 Stunden später", dict(hours=2)), ("in 3 Tagen", dict(days=3)),
                       ("in zwei Wochen", dict(days=14)), ("in fünf Minuten", dict(minutes=5)), ("in fuenf Minuten", dict(minutes=5))]:
        p.add(text, later(**span))
    for text, *readings in [("nächsten Freitag 9 Uhr", (2, 9), (9, 9)), ("morgen um 5 Uhr", (1, 5), (1, 17)), ("morgen 7 oder 8 Uhr", (1, 7), (1, 8)),
                            ("morgen 7 bis 8 Uhr", (1, 7), (1, 8)), ("morgen halb sieben", (1, 6, 30), (1, 18, 30))]:
        p.add(text, *(day(*reading) for reading in readings))
    p.add("am 9. Juni 9 Uhr in Berlin", on(6, 9, 9))
    p.add("am 9. Juni 9 Uhr Wien", on(6, 9, 9, zone="Europe/Vienna"))
    p.add("am 9. Juni um 9 Uhr Moskau", on(6, 9, 9, zone="Europe/Moscow"))
    p.add("am 9. Juni 9 Uhr Tokio", on(6, 9, 9, zone="Asia/Tokyo"))
    p.add("am 9. Juni 9 Uhr Londoner Zeit", on(6, 9, 9, zone="Europe/London"))
    for text, why in [("nächster freier Termin", "no_slots"), ("heute Abend", "no_time"), ("Montag", "no_time"), ("am 9.", "no_time"),
                      ("Heiligabend 9 Uhr", "holiday"), ("Ostermontag um 9", "holiday"), ("gestern 9 Uhr", "past"),
                      ("30. Februar 9 Uhr", "no_such_time"), ("morgen 25 Uhr", "not_understood"), ("morgen gegen 9 Uhr", "not_understood"),
                      ("Dienstag, 3. Juli 9 Uhr", "other_weekday"), ("am Morgen", "no_time"), ("halb", "not_understood"), ("Köln 9 Uhr", "not_understood")]:
        p.add(text, "!" + why)
    return p


english().write("english.tsv", "English phrases")
chinese().write("chinese.tsv", "Chinese phrases")
german().write("german.tsv", "German phrases")
six_zones.write()
