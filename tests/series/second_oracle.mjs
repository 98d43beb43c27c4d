// Writes the occurrences of the rules of occurrences.txt by the npm package rrule-temporal, one line
// for each rule and zone: number of the rule, zone, and pairs of local date and instant in seconds.
// README.md says how to run it and what differs.
//
//     npm install rrule-temporal@2.2.8 @js-temporal/polyfill && node second_oracle.mjs occurrences.txt > second.txt

import { readFileSync } from "node:fs";
import { Temporal } from "@js-temporal/polyfill";
import { RRuleTemporal } from "rrule-temporal";

const LAST_DAY = "2035-12-31";
const DAYS = { monday: "MO", tuesday: "TU", wednesday: "WE", thursday: "TH", friday: "FR", saturday: "SA", sunday: "SU" };
const basic = (text) => text.replaceAll(/[-:]/g, "");

function text(starts, rule, zone) {
  const parts = [`FREQ=${rule.frequency.toUpperCase()}`, "WKST=MO"];
  if (rule.interval) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.month) parts.push(`BYMONTH=${rule.month}`);
  if (rule.nth) parts.push(`BYDAY=${rule.nth}${DAYS[rule.weekdays[0]]}`);
  else if (rule.weekdays) parts.push(`BYDAY=${rule.weekdays.map((day) => DAYS[day]).join(",")}`);
  if (rule.day > 28 && rule.short_month === "last_day") {
    const days = Array.from({ length: rule.day - 27 }, (_, index) => 28 + index);
    parts.push(`BYMONTHDAY=${days.join(",")}`, "BYSETPOS=-1");
  } else if (rule.day) parts.push(`BYMONTHDAY=${rule.day}`);
  const end = Temporal.PlainDateTime.from(`${rule.until ?? LAST_DAY}T23:59:59`).toZonedDateTime(zone);
  if (rule.count) parts.push(`COUNT=${rule.count}`);
  else parts.push(`UNTIL=${basic(end.toInstant().toString())}`);
  return [`DTSTART;TZID=${zone}:${basic(starts)}00\nRRULE:${parts.join(";")}`, end.epochMilliseconds];
}

const [head, ...lines] = readFileSync(process.argv[2], "utf8").trim().split("\n").filter((line) => !line.startsWith("#"));
lines.forEach((line, number) => {
  const [starts, json] = line.split(" | ");
  const rule = JSON.parse(json);
  for (const zone of head.split(" ")) {
    const [rruleString, end] = text(starts, rule, zone);
    const found = new RRuleTemporal({ rruleString, maxIterations: 1_000_000 }).all((at) => at.epochMilliseconds <= end);
    const kept = found.filter((at) => at.epochMilliseconds <= end);
    const pairs = kept.map((at) => `${at.toPlainDate()}=${at.epochMilliseconds / 1000}`);
    console.log(number, zone, ...pairs);
  }
});
