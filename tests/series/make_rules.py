#!/usr/bin/env python3
"""Writes rfc5545_rules.txt: 2,000 values of RRULE, as other programs write them, with their local times by
python-dateutil. Run it like make.py (README.md):

    venv/bin/python tests/series/make_rules.py

Each line: start, rule, number and digest (see make.py) of the local times until 2031-12-31, at most 400.
"""

import pathlib
import random
from datetime import date, datetime, timedelta

import dateutil
from dateutil import rrule

from make import digest, seconds

SEED = 49
RULES = 2_000
LAST = datetime(2031, 12, 31, 23, 59, 59)
MAX_TIMES = 400
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
TIMES = "00:00 09:00 12:15 17:45 23:30".split()


def days(rng, most, is_counted):
    chosen = rng.sample(DAYS, rng.randrange(1, most + 1))
    if is_counted:
        chosen = [f"{rng.choice([1, 1, 2, 3, 4, 5, -1, -1, -2])}{day}" for day in chosen]
    return ",".join(chosen)


def random_rule(rng, start):
    frequency = rng.choice(["DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY", "YEARLY"])
    parts = [f"FREQ={frequency}"]
    if rng.random() < 0.4:
        parts.append(f"INTERVAL={rng.choice([1, 2, 2, 3, 4, 6, 12])}")
    if rng.random() < 0.3:
        parts.append(f"WKST={rng.choice(DAYS)}")
    chance = {"DAILY": 0.3, "WEEKLY": 0.7, "MONTHLY": 0.5, "YEARLY": 0.4}[frequency]
    if rng.random() < chance:
        is_counted = frequency in ("MONTHLY", "YEARLY") and rng.random() < 0.6
        parts.append(f"BYDAY={days(rng, rng.choice([1, 1, 3]), is_counted)}")
    if rng.random() < {"DAILY": 0.1, "WEEKLY": 0.0, "MONTHLY": 0.4, "YEARLY": 0.4}[frequency]:
        chosen = [start.day, start.day, 1, 15, 31, -1, -1, rng.randrange(1, 32)]
        day = rng.choice(chosen)
        parts.append("BYMONTHDAY=" + rng.choice([f"{day}", f"{day}", f"{day}", "28,29,30", "28,29,30,31", "1,15"]))
    if rng.random() < {"DAILY": 0.05, "WEEKLY": 0.05, "MONTHLY": 0.1, "YEARLY": 0.5}[frequency]:
        months = [start.month] if rng.random() < 0.7 else rng.sample(range(1, 13), 2)
        parts.append("BYMONTH=" + ",".join(map(str, months)))
    if len(parts) > 2 and rng.random() < 0.2:
        parts.append(f"BYSETPOS={rng.choice([1, 2, -1, -1])}")
    if rng.random() < 0.1:
        parts.append(f"BYHOUR={start.hour}")
    end = rng.random()
    if end < 0.4:
        parts.append(f"COUNT={rng.choice([1, 2, 5, 10, 52, 200])}")
    elif end < 0.8:
        until = start + timedelta(days=rng.randrange(0, 2_000), minutes=rng.choice([-1, 0, 1, 600]))
        parts.append(until.strftime("UNTIL=%Y%m%dT%H%M%SZ"))
    first, rest = parts[0], parts[1:]
    rng.shuffle(rest)
    return ";".join([first, *rest])


def local_times(rule, start):
    found = rrule.rrulestr(rule.replace("Z", ""), dtstart=start)
    times = []
    for local in found:
        if local > LAST or len(times) == MAX_TIMES:
            break
        times.append(local)
    return times


def main():
    rng = random.Random(SEED)
    lines = [f"# python-dateutil {dateutil.__version__}, made by make_rules.py"]
    seen = set()
    while len(seen) < RULES:
        day = date(2026, 1, 1) + timedelta(days=rng.randrange(700))
        if rng.random() < 0.2:
            day = date(2027, rng.choice([1, 3, 5, 7, 8, 10, 12]), rng.choice([29, 30, 31]))
        start = datetime.fromisoformat(f"{day.isoformat()}T{rng.choice(TIMES)}")
        rule = random_rule(rng, start)
        times = local_times(rule, start)
        if not times or rule in seen:
            continue
        seen.add(rule)
        # Most starts are the first local time, as calendar programs write them.
        if rng.random() < 0.8:
            start = times[0]
            times = local_times(rule, start)
        result = f"{len(times)}:{digest([[seconds(local)] for local in times]):016x}"
        lines.append(f"{start.isoformat(timespec='minutes')} {rule} {result}")
    pathlib.Path(__file__).with_name("rfc5545_rules.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
