#!/usr/bin/env bash
# Lateness of tasks while users open the most expensive pages.
#
#   benches/viewers.sh PROGRAM [VIEWERS] [SECONDS]
#
# PROGRAM is a release build. It runs on SQLite in a new folder. VIEWERS (20) repeatedly compare two revisions
# of an article with 60,000 lines that all differ, while ten tasks a second are due for SECONDS (60). Prints the
# engine's lateness histogram (seconds, tasks up to that lateness); 99 of 100 tasks must be below 0.06.
set -euo pipefail

program=$1 viewers=${2:-20} seconds=${3:-60}
folder=$(mktemp -d) port=$((20000 + RANDOM % 20000))
url=http://127.0.0.1:$port
cleanup() {
  for pid in $(jobs -p); do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanup EXIT

cd "$folder"
echo "a good long word" | "$program" user add --email ann@desk.test --name Ann --role admin --password-stdin
token=$("$program" token create --user ann@desk.test)
"$program" serve --listen "127.0.0.1:$port" --requests-per-second 0 --mib-per-day 0 >serve.log 2>&1 &
until curl -fsS "$url/readyz" -o /dev/null 2>/dev/null; do sleep 0.2; done

api() { curl -fsS -H "authorization: Bearer $token" -H 'content-type: application/json' "$@"; }
id_of() { sed -E 's/^\{"id":"([^"]+)".*/\1/'; }
lines() { seq -f "$1%.0f" 60000 | awk '{ printf "%s\\n", $0 }'; }

printf '{"title":"Heavy","body":"%s"}' "$(lines a)" >first.json
heavy=$(api "$url/api/v1/articles" --data-binary @first.json | id_of)
printf '{"body":"%s","seen_revision":1}' "$(lines b)" >second.json
api -X PATCH "$url/api/v1/articles/$heavy" --data-binary @second.json -o /dev/null

# Tasks: one article each, ten a second, starting after 15 s.
start=$(($(date +%s) + 15 + seconds / 10))
{
  printf '{"items":['
  for number in $(seq 0 $((seconds * 10 - 1))); do
    article=$(api "$url/api/v1/articles" -d "{\"title\":\"Task $number\",\"body\":\"\"}" | id_of)
    due=$(date -u -d "@$((start + number / 10))" +%Y-%m-%dT%H:%M:%S).$((number % 10))00Z
    [ "$number" = 0 ] || printf ,
    printf '{"kind":"article.publish","target_id":"%s","due_at":"%s"}' "$article" "$due"
  done
  printf ']}'
} >bulk.json
api "$url/api/v1/tasks/bulk" --data-binary @bulk.json -o /dev/null

curl -fsS -c jar -o /dev/null -H "origin: $url" -H 'accept: text/html' "$url/fn/log_in" \
  --data-urlencode email=ann@desk.test --data-urlencode 'password=a good long word' -d from=/login
for _ in $(seq "$viewers"); do
  while :; do curl -sS -b jar -o /dev/null "$url/articles/$heavy/revisions?from=1&to=2" 2>/dev/null || true; done &
done

until [ "$(date +%s)" -gt $((start + seconds + 5)) ]; do sleep 1; done
curl -fsS "$url/metrics" | grep -E '^presstime_task_lag_seconds' | sort -t'"' -k4 -g
