#!/usr/bin/env python3
"""Compares the occurrences of python-dateutil with those of rrule-temporal (second_oracle.mjs), and counts the
differences by their reason. Run it like make.py, with the file that second_oracle.mjs wrote:

    venv/bin/python tests/series/compare.py second.txt
"""

import json
import pathlib
import sys
import zoneinfo
from collections import Counter
from datetime import datetime, timedelta

import make

EPOCH = datetime(1970, 1, 1)


# Zones whose rules differ between IANA 2026f and the 2025c of Node 20.
OLDER = {"Africa/Casablanca", "America/Havana"}


def is_gap(local, zone):
    at = int(local.replace(tzinfo=zone).timestamp())
    return datetime.fromtimestamp(at, zone).replace(tzinfo=None) != local


def reason(rule, zone, start, local, ours, theirs):
    """Returns why the instants of one date differ; `ours` are those of python-dateutil by the policies."""
    if zone.key in OLDER:
        return "time-zone data of Node 20 is older"
    if is_gap(start, zone):
        return "start: if its time is skipped, rrule-temporal moves the whole series by the gap"
    if is_gap(local, zone) and theirs is None:
        return "next_valid: rrule-temporal drops a skipped time"
    first, second = (int(local.replace(tzinfo=zone, fold=fold).timestamp()) for fold in (0, 1))
    if rule["doubled_time"] == "later" and (ours, theirs) == (second, first):
        return "later: rrule-temporal takes the first of a doubled time"
    next_day = local + timedelta(days=1)
    if ours is None and rule["short_month"] == "last_day" and rule.get("day", 0) > 28 and is_gap(next_day, zone):
        return "last_day: rrule-temporal takes the day before, if the time of the last one is skipped"
    if ours is None and "count" in rule:
        return "count: rrule-temporal does not count a skipped time"
    return "other"


def main():
    lines = pathlib.Path(make.__file__).with_name("occurrences.txt").read_text().splitlines()
    lines = [line.split(" | ") for line in lines if not line.startswith("#")][1:]
    counts, others, same = Counter(), [], 0
    for line in open(sys.argv[1]):
        number, name, *pairs = line.split()
        starts, text, _ = lines[int(number)]
        rule, zone = json.loads(text), zoneinfo.ZoneInfo(name)
        time = starts[11:]
        theirs = {}
        for pair in pairs:
            day, at = pair.split("=")
            theirs[day] = int(at)
        found = make.locals_of({**rule, "exceptions": []}, starts)
        ours = {}
        for local, at in make.occurrences(found, zone, rule):
            ours[(EPOCH + timedelta(seconds=local)).date().isoformat()] = at
        for day in sorted(ours.keys() | theirs.keys()):
            if ours.get(day) == theirs.get(day):
                same += 1
                continue
            local = datetime.fromisoformat(f"{day}T{time}")
            why = reason(rule, zone, datetime.fromisoformat(starts), local, ours.get(day), theirs.get(day))
            counts[why] += 1
            if why == "other":
                others.append((number, name, starts, text, day, ours.get(day), theirs.get(day)))
    print(same, "are equal")
    for why, count in counts.most_common():
        print(count, why)
    for other in others[:20]:
        print(*other)


main()
