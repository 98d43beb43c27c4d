// Measures the time from the commit of an execution to its paint on an open dashboard, at 100 executions a second for 10 s.
//
// Commit: `executed_at` of the newest row on the page, read by the server just before it commits. Paint: the frame after the one in
// which the page changed. An execution counts as painted when it, or a later one, is on the page. One machine, so one clock.
import { expect, logIn, test } from "../tests/server";

const COUNT = 1_000;
const STEP_MS = 10;

test("commit to paint on the open dashboard", async ({ page, server, api }) => {
  const targets: string[] = [];
  for (let batch = 0; batch < COUNT; batch += 50) {
    const made = Array.from({ length: 50 }, (_, place) => api.article(`Number ${batch + place}`));
    targets.push(...(await Promise.all(made)).map((article) => article.id));
  }
  await page.addInitScript(() => ((Error as any).stackTraceLimit = 80));
  page.on("pageerror", (error) => console.log("pageerror", error.stack));
  page.on("console", (line) => console.log(line.type(), line.text()));
  await logIn(page, server, "creator");
  await expect(page.locator(".desk-status")).toHaveAttribute("data-status", "live");
  await page.evaluate(() => {
    const seen: [number, string][] = ((window as any).seen = []);
    const look = () => {
      const newest = document.querySelector("section[aria-labelledby=recent] .task-row");
      if (newest && newest.id !== seen.at(-1)?.[1]) {
        const id = newest.id;
        // The callback after this frame's: it has been painted by then.
        requestAnimationFrame(() => requestAnimationFrame(() => seen.push([performance.timeOrigin + performance.now(), id])));
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const first = Date.now() + 5_000;
  const items = targets.map((target_id, place) => ({ kind: "article.publish", target_id, due_at: new Date(first + place * STEP_MS).toISOString() }));
  await api.post("/tasks/bulk", { items });
  const done = async () => (await api.get("/tasks?state=scheduled&limit=1")).items.length;
  await expect.poll(done, { timeout: 60_000 }).toBe(0);
  await page.waitForTimeout(1_000);
  const seen: [number, string][] = await page.evaluate(() => (window as any).seen);
  const executed = new Map<string, number>();
  let cursor = "";
  do {
    const reply = await api.get(`/tasks?state=executed&limit=200${cursor && `&cursor=${cursor}`}`);
    for (const task of reply.items) executed.set(`task-${task.id}`, Date.parse(task.executed_at));
    cursor = reply.next_cursor ?? "";
  } while (cursor);
  const moments = [...executed.values()].sort((one, other) => one - other);
  const waits: number[] = [];
  for (const [painted, id] of seen) {
    const newest = executed.get(id) ?? 0;
    while (moments.length && moments[0] <= newest) waits.push(painted - moments.shift()!);
  }
  waits.sort((one, other) => one - other);
  const at = (share: number) => Math.round(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]);
  console.log(`${waits.length} of ${executed.size} painted in ${seen.length} frames; commit to paint: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
  expect(waits.length).toBe(COUNT);
});
