// Measures the calendar with 10,000 publications in one month, on this processor and on a quarter of it: DOM nodes, the way from month
// to month, the time from the data to its paint, and the frames while the page is scrolled and an item is dragged.
import { type Page } from "@playwright/test";
import { expect, logIn, test, type Server } from "../tests/server";

// The server that the test starts has no limits.
process.env.PRESSTIME_REQUESTS_PER_SECOND = "0";
process.env.PRESSTIME_MIB_PER_DAY = "0";

const ITEMS = 10_000;
const PARALLEL = 16;
const MONTH_CHANGES = 100;
const SLOWDOWNS = [1, 4];

/** The first day of the month after the next. */
function month() {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1));
}

/** Schedules articles over the days of the month, every four minutes. Not with Playwright's requests, which record each. */
async function fill(server: Server, token: string) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = async (path: string, data: unknown) => {
    const answer = await fetch(`${server.url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(data) });
    expect(answer.status).toBe(201);
    return answer.json();
  };
  const ids: string[] = [];
  for (let part = 0; part < ITEMS; part += PARALLEL) {
    const made = await Promise.all(Array.from({ length: PARALLEL }, (_, number) => post("/articles", { title: `Article ${part + number}`, body: "A text." })));
    ids.push(...made.map((article) => article.id));
  }
  for (let part = 0; part < ITEMS; part += 2_000) {
    const due = (number: number) => new Date(month().getTime() + (part + number) * 4 * 60_000).toISOString();
    const items = ids.slice(part, part + 2_000).map((target_id, number) => ({ kind: "article.publish", target_id, due_at: due(number) }));
    await post("/tasks/bulk", { items });
  }
}

const quantile = (values: number[], share: number) => [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))];
const spread = (values: number[]) => `p50 ${quantile(values, 0.5).toFixed(1)}, p95 ${quantile(values, 0.95).toFixed(1)}, max ${quantile(values, 1).toFixed(1)} ms`;

/** Opens a month; it is live when this returns. */
async function open(page: Page, url: string) {
  await page.goto(url);
  await expect(page.locator("html")).toHaveAttribute("data-live", "", { timeout: 60_000 });
  await expect(page.locator(".calendar-main")).toBeVisible();
}

/** Clicks a link and returns the time until another month is painted, and from the end of the answer to that, in ms. */
async function change(page: Page, rel: "prev" | "next"): Promise<{ all: number; paint: number }> {
  await page.evaluate(() => {
    performance.clearResourceTimings();
    const shown = () => document.querySelector("[data-date]")?.getAttribute("data-date");
    const before = shown();
    (window as any).changed = new Promise<{ all: number; paint: number }>((done) => {
      let begin = 0;
      addEventListener("click", (event) => (begin = event.timeStamp), { capture: true, once: true });
      const watch = new MutationObserver(() => {
        if (shown() === before) return;
        watch.disconnect();
        requestAnimationFrame(() => {
          const after = new MessageChannel();
          after.port1.onmessage = () => {
            const end = performance.now();
            const answers = performance.getEntriesByType("resource").filter((one) => one.name.includes("/fn/")) as PerformanceResourceTiming[];
            done({ all: end - begin, paint: end - Math.max(begin, ...answers.map((one) => one.responseEnd)) });
          };
          after.port2.postMessage(0);
        });
      });
      watch.observe(document.body, { subtree: true, childList: true, attributes: true });
    });
  });
  await page.locator(`.day-nav a[rel="${rel}"]`).click();
  return page.evaluate(() => (window as any).changed);
}

/** Times between two frames while `act` runs. */
async function frames(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = ((window as any).frames_ = []);
    let last = 0;
    const frame = (now: number) => {
      if (last > 0) times.push(now - last);
      last = now;
      (window as any).frame_ = requestAnimationFrame(frame);
    };
    (window as any).frame_ = requestAnimationFrame(frame);
  });
  await act();
  return page.evaluate(() => {
    cancelAnimationFrame((window as any).frame_);
    return (window as any).frames_;
  });
}

test("the calendar with 10,000 publications in one month", async ({ page, server, api }) => {
  test.setTimeout(900_000);
  await fill(server, api.token);
  await logIn(page, server, "creator");
  const date = month().toISOString().slice(0, 10);
  for (const rate of SLOWDOWNS) {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate });
    for (const view of ["month", "week", "day", "agenda"]) {
      await open(page, `${server.url}/calendar?zone=UTC&view=${view}&date=${date}`);
      const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
      const scrolled = await frames(page, async () => {
        for (let step = 0; step < 60; step++) {
          await page.mouse.wheel(0, step < 30 ? 120 : -120);
          await page.waitForTimeout(16);
        }
      });
      console.log(`${rate}×, ${view}: ${nodes} nodes; frames while scrolling: ${spread(scrolled)}`);
    }
    await open(page, `${server.url}/calendar?zone=UTC&view=month&date=${date}`);
    const [all, paint]: number[][] = [[], []];
    for (let step = 0; step < MONTH_CHANGES; step++) {
      const took = await change(page, step % 2 === 0 ? "next" : "prev");
      all.push(took.all);
      paint.push(took.paint);
    }
    console.log(`${rate}×, month to month: ${spread(all)}; data to paint: ${spread(paint)}`);
    const item = page.locator(".calendar-item").first();
    const box = (await item.boundingBox())!;
    const dragged = await frames(page, async () => {
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      for (let step = 0; step < 60; step++) {
        await page.mouse.move(box.x + 5 * step, box.y + 4 * step);
        await page.waitForTimeout(16);
      }
      await page.keyboard.press("Escape");
      await page.mouse.up();
    });
    console.log(`${rate}×, frames while dragging: ${spread(dragged)}`);
    await cdp.detach();
  }
});
