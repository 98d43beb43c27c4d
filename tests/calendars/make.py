#!/usr/bin/env python3
"""Writes files.txt: 200 calendar files, as other programs write them, and the times of their events by other
programs: icalendar, recurring-ical-events, python-dateutil and zoneinfo.

    python3 -m venv venv
    venv/bin/pip install icalendar==7.3.2 recurring-ical-events==3.8.2 python-dateutil==2.9.0.post0 tzdata==2026.6
    venv/bin/python tests/calendars/make.py

README.md describes the file.
"""

import os
import pathlib
import random
import zoneinfo
from datetime import date, datetime, timedelta, timezone

os.environ["PYTHONTZPATH"] = ""
zoneinfo.reset_tzpath([])

import icalendar  # noqa: E402  (only after the data of the machine is excluded)
import recurring_ical_events  # noqa: E402
import tzdata  # noqa: E402
from dateutil import tz  # noqa: E402

SEED = 41
FILES = 200
# Events before this moment have passed; series go 18 months ahead.
NOW = datetime(2027, 2, 1, 12, 0, tzinfo=timezone.utc)
END = datetime(2028, 7, 1, tzinfo=timezone.utc)
ZONES = (
    "Europe/Berlin Europe/London America/New_York America/Sao_Paulo Pacific/Auckland Australia/Lord_Howe "
    "Asia/Shanghai Asia/Kathmandu America/St_Johns Africa/Cairo"
).split()
# Names of Windows, and names that a file gives to the hours of a zone.
WINDOWS = {"Europe/Berlin": "W. Europe Standard Time", "America/New_York": "Eastern Standard Time"}
# One definition a name: icalendar remembers the first one for all files.
OWN = {
    "Customized Time Zone": ("+0100", "+0200"),
    "House/Singapore": ("+0100", "+0200"),
    "(UTC+01:00) Somewhere, Tokyo": ("-0500", "-0400"),
    "Sydney": ("+0000", "+0100"),
    "Berlin Office/Tokyo": ("-0800", "-0700"),
}
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


def vtimezone(name, standard, daylight):
    """A definition with the hours of the European Union or of the USA, moved to another offset."""
    change = lambda kind, before, after, month, day, time: (
        f"BEGIN:{kind}\nDTSTART:{time}\nTZOFFSETFROM:{before}\nTZOFFSETTO:{after}\n"
        f"RRULE:FREQ=YEARLY;BYMONTH={month};BYDAY={day}\nEND:{kind}\n"
    )
    spring, autumn = ((3, "-1SU"), (10, "-1SU")) if standard in ("+0100", "+0000") else ((3, "2SU"), (11, "1SU"))
    return (
        f"BEGIN:VTIMEZONE\nTZID:{name}\n"
        + change("STANDARD", daylight, standard, *autumn, "19701101T030000")
        + change("DAYLIGHT", standard, daylight, *spring, "19700329T020000")
        + "END:VTIMEZONE\n"
    )


class File:
    def __init__(self, rng, number):
        self.rng, self.number, self.definitions, self.events, self.lengths = rng, number, {}, [], {}

    def zone(self):
        """A name of a zone, and its rules."""
        rng = self.rng
        if rng.random() < 0.25:
            name = rng.choice(list(OWN))
            self.definitions[name] = vtimezone(name, *OWN[name])
            text = "BEGIN:VCALENDAR\n" + self.definitions[name] + "END:VCALENDAR\n"
            rules = icalendar.Calendar.from_ical(text.replace("\n", "\r\n")).walk("VTIMEZONE")[0].to_tz(lookup_tzid=False)
            return name, rules
        iana = rng.choice(ZONES)
        name = WINDOWS.get(iana, iana) if rng.random() < 0.3 else iana
        return name, zoneinfo.ZoneInfo(iana)

    def start(self):
        day = date(2027, 3, 1) + timedelta(days=self.rng.randrange(-200, 200))
        if self.rng.random() < 0.3:
            # Around changes of the clocks.
            day = self.rng.choice([date(2027, 3, 27), date(2027, 10, 30), date(2027, 3, 13), date(2027, 11, 6)])
        return datetime.combine(day, datetime.min.time()) + timedelta(hours=self.rng.choice([5, 9, 12, 17, 22]))

    def length(self, zone):
        """Lines of the end, and the end of a start by RFC 5545."""
        rng = self.rng
        kind = rng.choice(["end", "end", "hours", "hours", "days", "week"])
        if kind == "end":
            hours = rng.choice([1, 1, 2, 10])
            end = lambda local: (local + timedelta(hours=hours)).replace(tzinfo=zone)
            return lambda local: f"DTEND;TZID={{zone}}:{local + timedelta(hours=hours):%Y%m%dT%H%M%S}", end
        if kind == "hours":
            text, length = rng.choice([("PT1H", 1), ("PT90M", 1.5), ("PT24H", 24)])
            return lambda local: f"DURATION:{text}", lambda local: utc(local, zone) + timedelta(hours=length)
        days = 1 if kind == "days" else 7
        text = "P1D" if kind == "days" else "P1W"
        return lambda local: f"DURATION:{text}", lambda local: (local + timedelta(days=days)).replace(tzinfo=zone)

    def rule(self, start):
        rng, day = self.rng, DAYS[start.weekday()]
        nth = (start.day - 1) // 7 + 1
        days = ",".join(sorted({day, rng.choice(DAYS)}, key=DAYS.index))
        rule = rng.choice(
            [
                "FREQ=DAILY;INTERVAL=8",
                f"FREQ=WEEKLY;INTERVAL=2;BYDAY={day};WKST=SU",
                f"FREQ=WEEKLY;BYDAY={day}",
                f"FREQ=WEEKLY;INTERVAL=2;WKST={rng.choice(DAYS)};BYDAY={days}",
                "FREQ=MONTHLY",
                f"FREQ=MONTHLY;BYDAY={nth}{day}",
                f"FREQ=YEARLY;BYMONTHDAY={start.day}",
                "FREQ=YEARLY;INTERVAL=1",
                f"FREQ=MONTHLY;BYMONTHDAY={start.day}",
                f"FREQ=MONTHLY;BYDAY={day};BYSETPOS={nth}",
                f"FREQ=YEARLY;BYMONTH={start.month},{start.month % 12 + 1};BYMONTHDAY={start.day}",
            ]
        )
        end = rng.random()
        if end < 0.4:
            return rule + f";COUNT={rng.choice([2, 5, 10, 40])}", True
        if end < 0.8:
            until = start + timedelta(days=rng.randrange(60, 300), hours=rng.choice([-14, 0, 14]))
            return rule + f";UNTIL={until:%Y%m%dT%H%M%S}Z", True
        return rule, False

    def elsewhere(self, local, zone, name):
        """The same instant, as a property writes it in this or another zone."""
        choice = self.rng.random()
        if choice < 0.4:
            return f";TZID={quoted(name)}:{local:%Y%m%dT%H%M%S}"
        at = utc(local, zone)
        if choice < 0.7:
            return f":{at:%Y%m%dT%H%M%SZ}"
        other = self.rng.choice(ZONES)
        return f";TZID={other}:{at.astimezone(zoneinfo.ZoneInfo(other)):%Y%m%dT%H%M%S}"

    def event(self, letter):
        rng, (name, zone), local = self.rng, self.zone(), self.start()
        uid = f"f{self.number}{letter}@oracle.example"
        write_length, end = self.length(zone)
        lines = [f"SUMMARY:{uid}", f"DTSTART;TZID={quoted(name)}:{local:%Y%m%dT%H%M%S}"]
        lines.append(write_length(local).format(zone=quoted(name)))
        self.lengths[uid] = (zone, end)
        others = []
        if rng.random() < 0.7:
            rule, _ = self.rule(local)
            lines.append(f"RRULE:{rule}")
            times = self.times(uid, lines)
            rng.shuffle(times)
            for at in times[: rng.choice([0, 1, 2])]:
                lines.append("EXDATE" + self.elsewhere(at, zone, name))
            for at in times[2 : 2 + rng.choice([0, 0, 1])]:
                others.append(self.moved(uid, at, (name, zone), rng.random() < 0.4))
        self.events.append([f"UID:{uid}", *lines])
        self.events.extend(others)

    def moved(self, uid, at, where, is_following):
        name, zone = where
        title = f"{uid} moved"
        hours = self.rng.choice([1, 2, 4]) if is_following else self.rng.choice([3, 24, 50])
        local = at + timedelta(hours=hours)
        range_ = ";RANGE=THISANDFUTURE" if is_following else ""
        self.lengths[title] = (zone, lambda start: utc(start, zone) + timedelta(minutes=45))
        status = ["STATUS:CANCELLED"] if not is_following and self.rng.random() < 0.3 else []
        return [
            f"UID:{uid}",
            f"SUMMARY:{title}",
            f"RECURRENCE-ID{range_}{self.elsewhere(at, zone, name)}",
            f"DTSTART;TZID={quoted(name)}:{local:%Y%m%dT%H%M%S}",
            "DURATION:PT45M",
            *status,
        ]

    def times(self, uid, lines):
        """Local times of an event until END."""
        text = self.text([[f"UID:{uid}", *lines]])
        return sorted({one.replace(tzinfo=None) for _, one in occurrences(text)})

    def text(self, events):
        parts = ["BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//oracle//EN\n", *self.definitions.values()]
        for event in events:
            parts.append("BEGIN:VEVENT\nDTSTAMP:20270101T080000Z\n" + "\n".join(event) + "\nEND:VEVENT\n")
        return "".join(parts) + "END:VCALENDAR\n"

    def expected(self):
        """Start and end of each time that is still to come, by UID."""
        found = {}
        for title, start in occurrences(self.text(self.events)):
            zone, end = self.lengths[title]
            local = start.replace(tzinfo=None)
            at = utc(local, zone)
            if at > NOW:
                pair = (int(at.timestamp()), int(end(local).timestamp()))
                found.setdefault(title.removesuffix(" moved"), []).append(pair)
        return {uid: sorted(pairs) for uid, pairs in found.items()}


def occurrences(text):
    calendar = icalendar.Calendar.from_ical(text.replace("\n", "\r\n"))
    query = recurring_ical_events.of(calendar, keep_recurrence_attributes=True)
    for event in query.between(datetime(2026, 1, 1, tzinfo=timezone.utc), END):
        if str(event.get("STATUS", "")) != "CANCELLED":
            yield str(event["SUMMARY"]), event["DTSTART"].dt


def quoted(name):
    return f'"{name}"' if any(letter in name for letter in ",:;") else name


def utc(local, zone):
    """By RFC 5545, a time that clocks skip has the offset before the change."""
    return tz.resolve_imaginary(local.replace(tzinfo=zone)).astimezone(timezone.utc)


def digest(pairs):
    value = 0xCBF29CE484222325
    for number in (number for pair in pairs for number in pair):
        value = ((value ^ number) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
        value ^= value >> 29
    return value


def main():
    rng = random.Random(SEED)
    parts = [f"# IANA {tzdata.IANA_VERSION}, icalendar {icalendar.__version__}, made by make.py\n"]
    for number in range(FILES):
        file = File(rng, number)
        for letter in "abc"[: rng.choice([1, 2, 3])]:
            file.event(letter)
        for uid, pairs in sorted(file.expected().items()):
            parts.append(f"# {uid} {len(pairs)}:{digest(pairs):016x}\n")
        parts.append(file.text(file.events))
    pathlib.Path(__file__).with_name("files.txt").write_text("".join(parts))


if __name__ == "__main__":
    main()
