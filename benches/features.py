#!/usr/bin/env python3
"""Speed of bookings, signals and messages over HTTP.

    benches/features.py PROGRAM [--database-url URL] [--redis-url URL] [--waiting 1000000] [--only bookings,signals]

PROGRAM is a release build. It runs in a new folder, on SQLite and with hints in memory unless URLs are given; the
database must be empty. Client and server share the machine. Prints a table; exits with 1 if something was lost.
`--only broker` needs `--amqp-port`: RabbitMQ on this machine, with its user guest and a queue `bench`.
"""

import argparse
import http.client
import json
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from datetime import datetime, timezone

HOUR = 3600


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--database-url")
    parser.add_argument("--redis-url")
    parser.add_argument("--waiting", type=int, default=1_000_000, help="messages that wait while some are moved")
    parser.add_argument("--settle", type=int, default=0, help="seconds between scheduling these messages and moving some")
    parser.add_argument("--meetings", type=int, default=10_000, help="meetings that start at one instant")
    parser.add_argument("--booked", type=int, default=100_000, help="bookings while rooms are searched")
    parser.add_argument("--rule-tasks", type=int, default=100_000, help="tasks of rules that are due beside articles")
    parser.add_argument("--amqp-port", type=int)
    parser.add_argument("--only", default="bookings,search,starts,signals,messages,bulk")
    return parser.parse_args()


def instant(seconds):
    """The moment this many seconds after 1970, RFC 3339."""
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def quantiles(durations):
    """p50, p95 and p99 in milliseconds."""
    ordered = sorted(durations)
    pick = lambda share: ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000
    return f"p50 {pick(.5):.1f}, p95 {pick(.95):.1f}, p99 {pick(.99):.1f} ms"


class Server:
    """A running server with an admin's token."""

    def __init__(self, options):
        self.folder = tempfile.mkdtemp()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.options = options
        self.environment = {"PATH": os.environ["PATH"], "PRESSTIME_DATA": self.folder}
        if options.database_url:
            self.environment["PRESSTIME_DATABASE_URL"] = options.database_url
        if options.redis_url:
            self.environment["PRESSTIME_REDIS_URL"] = options.redis_url
        add = ["user", "add", "--email", "ann@desk.test", "--name", "Ann", "--role", "admin", "--password-stdin"]
        self.command(add, "a good long word\n")
        self.token = self.command(["token", "create", "--user", "ann@desk.test"], "").strip()
        self.start()

    def start(self):
        self.log = open(os.path.join(self.folder, "serve.log"), "a", encoding="utf-8")
        serve = ["serve", "--listen", f"127.0.0.1:{self.port}", "--requests-per-second", "0", "--mib-per-day", "0",
                 "--clients-per-address", "4096", "--webhook-allow-private", "--webhook-allow-http"]
        self.process = subprocess.Popen([self.options.program, *serve], env=self.environment, stderr=self.log,
                                        stdout=subprocess.DEVNULL)
        while self.client().status("GET", "/readyz") != 200:
            time.sleep(0.1)

    def command(self, words, stdin):
        run = subprocess.run([self.options.program, *words], input=stdin, env=self.environment, text=True,
                             capture_output=True, check=True)
        return run.stdout

    def client(self):
        return Client(self.port, self.token)

    def number(self, query):
        """The number that a query returns."""
        if self.options.database_url:
            psql = shutil.which("psql") or "/usr/lib/postgresql/15/bin/psql"
            run = subprocess.run([psql, "-qAtX", "-c", query, self.options.database_url], text=True,
                                 capture_output=True, check=True)
            return float(run.stdout.strip() or 0)
        with sqlite3.connect(os.path.join(self.folder, "presstime.db"), timeout=30) as database:
            return float(database.execute(query).fetchone()[0] or 0)

    def end(self):
        self.process.terminate()
        self.process.wait()

    def stop(self):
        self.end()
        shutil.rmtree(self.folder)


class Client:
    """One kept connection."""

    def __init__(self, port, token):
        self.port, self.connection = port, None
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def call(self, method, path, body=None):
        """Status and JSON."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        self.connection.request(method, path, None if body is None else json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        return answer.status, (json.loads(text) if text[:1] in (b"{", b"[") else None)

    def must(self, method, path, body=None):
        status, answer = self.call(method, path, body)
        if not 200 <= status < 300:
            sys.exit(f"{method} {path}: {status} {answer}")
        return answer

    def status(self, method, path):
        try:
            return self.call(method, path)[0]
        except OSError:
            self.connection = None
            return 0


def in_parallel(server, clients, count, call):
    """Calls `call(client, number)` for each number; returns the duration, and that of each call."""
    numbers, durations, lock = iter(range(count)), [], threading.Lock()

    def work():
        client, mine = server.client(), []
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                break
            begin = time.perf_counter()
            call(client, number)
            mine.append(time.perf_counter() - begin)
        with lock:
            durations.extend(mine)

    threads = [threading.Thread(target=work) for _ in range(clients)]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - begin, durations


def row(what, value):
    print(f"| {what} | {value} |", flush=True)


def rooms(server, count):
    client = server.client()
    known = client.must("GET", "/api/v1/rooms")["items"]
    for number in range(len(known), count):
        client.must("POST", "/api/v1/rooms", {"name": f"Room {number}", "zone": "UTC", "capacity": 4 + number % 20})
    return [room["id"] for room in client.must("GET", "/api/v1/rooms")["items"]][:count]


def booking(room, start, minutes=50, title="Planning"):
    return {"title": title, "room_id": room, "zone": "UTC", "starts_at": instant(start),
            "ends_at": instant(start + 60 * minutes)}


def bookings(server):
    """Accepted bookings a second, half of them in competition for the same hour."""
    all_rooms, first = rooms(server, 50), (int(time.time()) // HOUR + 48) * HOUR
    refused = []

    def call(client, number):
        start = first + (number // 100) * HOUR
        status, _ = client.call("POST", "/api/v1/meetings", booking(all_rooms[number % 50], start))
        if status == 409:
            refused.append(number)
        elif status != 201:
            sys.exit(f"a booking: {status}")

    took, durations = in_parallel(server, 16, 4_000, call)
    accepted = 4_000 - len(refused)
    if accepted != 2_000:
        sys.exit(f"{accepted} of 2,000 were accepted")
    row("bookings, 16 clients, two for each hour of 50 rooms",
        f"{accepted / took:.0f} accepted and {len(refused) / took:.0f} refused a second; {quantiles(durations)}")


def search(server):
    """Free rooms of an hour, and the page of all rooms of a day, among many bookings."""
    options, all_rooms = server.options, rooms(server, 50)
    first, each = (int(time.time()) // HOUR + 24 * 30) * HOUR, options.booked // 50

    def call(client, number):
        room, place = all_rooms[number % 50], number // 50
        client.must("POST", "/api/v1/meetings", booking(room, first + place * HOUR))

    took, _ = in_parallel(server, 16, each * 50, call)
    row(f"{each * 50:,} bookings for the search", f"{each * 50 / took:.0f} a second")
    free, busy, client = [], [], server.client()
    for _ in range(200):
        day = first + 24 * HOUR * random.randrange(max(1, each // 24))
        for durations, path in (
            (free, f"/api/v1/rooms/free?from={instant(day + HOUR)}&to={instant(day + 2 * HOUR)}"),
            (busy, f"/api/v1/meetings?from={instant(day)}&to={instant(day + 24 * HOUR)}&limit=100"),
        ):
            begin = time.perf_counter()
            client.must("GET", path)
            durations.append(time.perf_counter() - begin)
    row("free rooms of an hour, 50 rooms", quantiles(free))
    row("the first 100 meetings of a day of all rooms", quantiles(busy))


def starts(server):
    """Meetings that start at one instant: when the last is in progress."""
    count = server.options.meetings
    start = int(time.time()) + 20 + count // 100
    took, _ = in_parallel(server, 16, count, lambda client, number: client.must(
        "POST", "/api/v1/meetings", {**booking(None, start, title=f"Meeting {number}"), "room_id": None}))
    if time.time() > start:
        sys.exit("booking took until the meetings started")
    done = f"select count(*) from meeting where state = 'in_progress' and starts_at = {start * 1000}"
    while server.number(done) < count:
        time.sleep(0.5)
        if time.time() > start + 60:
            sys.exit("not all meetings started")
    late = ("select max(e.executed_at - e.due_at) from execution e join task t on t.id = e.task_id "
            f"where t.kind = 'meeting.start' and e.due_at = {start * 1000}")
    row(f"{count:,} meetings that start at one instant (booked at {count / took:.0f} a second)",
        f"the last in progress {server.number(late):.0f} ms late")


def channel(server):
    client = server.client()
    for one in client.must("GET", "/api/v1/channels")["items"]:
        if one["name"] == "Far":
            return one["id"]
    new = {"name": "Far", "url": "http://127.0.0.1:59999/", "events": ["article.unpublished"]}
    return client.must("POST", "/api/v1/channels", new)["id"]


def signals(server):
    """Signals with one rule that opens a wait for each."""
    client, target = server.client(), channel(server)
    action = {"type": "message", "channel_id": target, "body": "{{subject}}"}
    client.must("POST", "/api/v1/rules", {"name": "Reminder", "after": "bench.opened", "unless": ["bench.closed"],
                                          "wait": "P7D", "action": action})
    begin = time.perf_counter()
    for part in range(5):
        items = [{"name": "bench.opened", "subject": f"bulk-{part}-{number}"} for number in range(10_000)]
        client.must("POST", "/api/v1/signals/bulk", {"items": items})
    row("signals, 10,000 a request, each opens a wait", f"{50_000 / (time.perf_counter() - begin):,.0f} a second")
    opened = lambda client, number: client.must(
        "POST", "/api/v1/signals", {"name": "bench.opened", "subject": f"single-{number}"})
    took, durations = in_parallel(server, 16, 5_000, opened)
    row("signals singly, 16 clients, each opens a wait", f"{5_000 / took:,.0f} a second; {quantiles(durations)}")

    def closed(client, number):
        answer = client.must("POST", "/api/v1/signals", {"name": "bench.closed", "subject": f"single-{number}"})
        if answer["closed"] != 1:
            sys.exit("a signal closed no wait")

    took, durations = in_parallel(server, 16, 5_000, closed)
    row("the same, each closes a wait", f"{5_000 / took:,.0f} a second; {quantiles(durations)}")


def classes(server):
    """Articles that are due while many tasks of rules are: the rules became due while no server ran. SQLite."""
    client, count = server.client(), server.options.rule_tasks
    for number in range(10):
        action = {"type": "signal", "name": "bench.waited"}
        client.must("POST", "/api/v1/rules", {"name": f"Wait {number}", "after": "bench.load", "wait": "PT3M",
                                              "action": action})
    for part in range(0, count // 10, 5_000):
        items = [{"name": "bench.load", "subject": f"load-{number}"} for number in range(part, part + 5_000)]
        client.must("POST", "/api/v1/signals/bulk", {"items": items[:count // 10 - part]})
    last = server.number("select max(due_at) from task where kind = 'rule.fire'") / 1000
    waiting = "select count(*) from task where kind = 'rule.fire' and state = 'scheduled'"
    if server.number(waiting) < count:
        sys.exit(f"only {server.number(waiting):.0f} rule tasks wait")
    articles = [client.must("POST", "/api/v1/articles", {"title": f"Beside {number}", "body": "A text."})["id"]
                for number in range(200)]
    server.end()
    time.sleep(max(0, last - time.time()))
    server.start()
    client, first = server.client(), time.time() + 3
    items = [{"kind": "article.publish", "target_id": article, "due_at": instant(first + number / 20)}
             for number, article in enumerate(articles)]
    client.must("POST", "/api/v1/tasks/bulk", {"items": items})
    published = "select count(*) from execution e join task t on t.id = e.task_id where t.kind = 'article.publish'"
    time.sleep(max(0, first + 5 - time.time()))
    halfway = server.number(waiting)
    while server.number(published) < len(articles):
        time.sleep(0.5)
        if time.time() > first + 120:
            sys.exit(f"{server.number(published):.0f} of {len(articles)} articles were published")
    left = server.number(waiting)
    with sqlite3.connect(os.path.join(server.folder, "presstime.db"), timeout=30) as database:
        late = [late / 1000 for (late,) in database.execute(
            "select e.executed_at - e.due_at from execution e join task t on t.id = e.task_id "
            "where t.kind = 'article.publish'")]
    row(f"200 articles, one each 50 ms, beside {count:,} rule tasks ({halfway:,.0f} waiting halfway, {left:,.0f} after)",
        f"late by {quantiles(late)}, at most {max(late) * 1000:.0f} ms")


def messages(server):
    """Messages that are moved and cancelled by their keys while many wait."""
    client, target, count = server.client(), channel(server), server.options.waiting
    due = instant(time.time() + 90 * 24 * HOUR)
    begin = time.perf_counter()
    for part in range(0, count, 10_000):
        items = [{"key": f"order {number}", "channel_id": target, "due_at": due, "body": "{}"}
                 for number in range(part, min(count, part + 10_000))]
        client.must("POST", "/api/v1/messages/bulk", {"items": items})
    row(f"{count:,} messages scheduled, 10,000 a request", f"{count / (time.perf_counter() - begin):,.0f} a second")
    time.sleep(server.options.settle)
    client = server.client()
    moved, cancelled, later = [], [], instant(time.time() + 91 * 24 * HOUR)
    numbers = random.sample(range(count), min(count // 2, 2_200))
    for number in numbers:
        path = f"/api/v1/messages/order%20{number}"
        for durations, method, body in ((moved, "PATCH", {"due_at": later}), (cancelled, "DELETE", None)):
            begin = time.perf_counter()
            client.must(method, path, body)
            durations.append(time.perf_counter() - begin)
    # The first calls prepare the statements of each connection to the database.
    first = len(numbers) // 11
    moved, cancelled = moved[first:], cancelled[first:]
    row("one message moved by its key, one call at a time", quantiles(moved))
    row("one message cancelled by its key", quantiles(cancelled))


def bulk(server):
    """Ten thousand scheduled articles moved by a day, and the undo."""
    client, count, due = server.client(), 10_000, int(time.time()) + 40 * 24 * HOUR
    articles, lock = [], threading.Lock()

    def write(one, number):
        article = one.must("POST", "/api/v1/articles", {"title": f"Article {number}", "body": "A text."})
        with lock:
            articles.append(article["id"])

    in_parallel(server, 16, count, write)
    for part in range(0, count, 2_000):
        items = [{"kind": "article.publish", "target_id": article, "due_at": instant(due + 60 * (part + number))}
                 for number, article in enumerate(articles[part:part + 2_000])]
        client.must("POST", "/api/v1/tasks/bulk", {"items": items})
    request = {"filter": {"kind": "article.publish", "state": "scheduled", "from": instant(due)},
               "change": {"type": "shift", "days": 1}}
    for name, more in (("looked at", {"dry_run": True}), ("moved by a day", {})):
        begin = time.perf_counter()
        answer = client.must("POST", "/api/v1/tasks/bulk-change", {**request, **more})
        row(f"{answer['changed']:,} articles {name} at once", f"{time.perf_counter() - begin:.2f} s")
    begin = time.perf_counter()
    client.must("POST", f"/api/v1/batches/{answer['batch_id']}/undo", {})
    row("the undo", f"{time.perf_counter() - begin:.2f} s")


def broker(server):
    """Messages that are due at one instant: when the broker has confirmed the last."""
    client, count = server.client(), 20_000
    amqp = {"url": f"amqp://127.0.0.1:{server.options.amqp_port}", "username": "guest", "password": "guest",
            "exchange": "", "routing_key": "bench"}
    new = {"name": "Broker", "transport": "amqp", "amqp": amqp, "events": ["article.unpublished"], "concurrency": 20}
    target, due = client.must("POST", "/api/v1/channels", new)["id"], int(time.time()) + 15
    for part in range(0, count, 10_000):
        items = [{"channel_id": target, "due_at": instant(due), "body": f"message {number}"}
                 for number in range(part, part + 10_000)]
        client.must("POST", "/api/v1/messages/bulk", {"items": items})
    sent = "select count(*) from delivery where state = 'delivered'"
    while server.number(sent) < count:
        time.sleep(0.5)
        if time.time() > due + 120:
            sys.exit(f"{server.number(sent):.0f} of {count} were confirmed")
    took = server.number("select max(ended_at) from delivery") / 1000 - due
    row(f"{count:,} messages due at one instant, confirmed by RabbitMQ",
        f"the last {took:.2f} s after it, {count / took:,.0f} a second")


def main():
    options = arguments()
    options.program = os.path.abspath(options.program)
    server = Server(options)
    try:
        print("| what | result |\n|---|---|")
        for name in options.only.split(","):
            {"bookings": bookings, "search": search, "starts": starts, "signals": signals, "messages": messages,
             "classes": classes,
             "bulk": bulk, "broker": broker}[name](server)
    finally:
        server.stop()


main()
