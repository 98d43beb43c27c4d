// Measures what docs/EXPERIENCE.md lists: clicks, fields and keys of common jobs, and the size and the speed of pages.
import { type Locator, type Page } from "@playwright/test";
import { expect, logIn, start, stop, test, Api } from "../tests/server";

// The servers that the tests start have no limits.
process.env.PRESSTIME_REQUESTS_PER_SECOND = "0";
process.env.PRESSTIME_MIB_PER_DAY = "0";

const MAX_TABS = 80;

/** Presses Tab until the element has the focus; returns how often. */
async function tabsTo(page: Page, target: Locator): Promise<number> {
  for (let count = 0; count <= MAX_TABS; count++) {
    if (await target.first().evaluate((element) => element === document.activeElement).catch(() => false)) return count;
    await page.keyboard.press("Tab");
  }
  throw new Error("not reached by Tab");
}

const hydrated = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-live", "");
const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);

/** When a page arrived, was painted and was hydrated, in ms after the navigation began, and what was transferred until then. */
type Visit = { firstByte: number; largestPaint: number; hydrated: number; kilobytes: number };

/** Opens a page with an empty cache. */
async function visit(page: Page, url: string): Promise<Visit> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.clearBrowserCache");
  await devtools.detach();
  await page.goto(url);
  await hydrated(page);
  return page.evaluate(async () => {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const largestPaint = await new Promise<number>((done) =>
      new PerformanceObserver((list) => done(list.getEntries().at(-1)!.startTime)).observe({ type: "largest-contentful-paint", buffered: true }),
    );
    const hydrated = performance.getEntriesByName("hydrated")[0].startTime;
    const needed = [navigation, ...resources].filter((one) => one.responseEnd <= hydrated);
    return {
      firstByte: navigation.responseStart,
      largestPaint,
      hydrated,
      kilobytes: needed.reduce((sum, one) => sum + one.transferSize, 0) / 1_000,
    };
  });
}

test("keys of common jobs", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles`);
  await hydrated(page);
  const toWrite = await tabsTo(page, page.locator('a[href="/articles/new"]'));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/new$/);
  await page.locator("#title").waitFor();
  const toTitle = await tabsTo(page, page.locator("#title"));
  await page.keyboard.type("By keyboard");
  const toBody = await tabsTo(page, page.locator(".cm-content"));
  await page.keyboard.type("One paragraph.");
  const schedule = page.locator(".schedule button.main");
  const toSchedule = await tabsTo(page, schedule);
  const keys = toWrite + 1 + toTitle + toBody + toSchedule + 1;
  console.log(`schedule a new article from /articles: ${keys} keys (Write ${toWrite}, title ${toTitle}, text ${toBody}, schedule ${toSchedule})`);
  const begun = Date.now();
  await page.keyboard.press("Enter");
  await expect(page.locator(".result")).toContainText("is scheduled for");
  console.log(`Enter on a new article to the result: ${Date.now() - begun} ms`);
  const toUndo = await tabsTo(page, page.locator(".result [data-undo]"));
  console.log(`Tabs from the result to undo: ${toUndo}; with Z: 1 key`);
  await page.keyboard.press("z");
  await expect(page.locator(".result")).toContainText("Undone");
});

test("keys in the list of tasks", async ({ page, server, api }) => {
  await api.publishIn(await api.article("In the list"), 86_400);
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/tasks`);
  await hydrated(page);
  await page.keyboard.press("j");
  await page.keyboard.press("m");
  await expect(page.locator(".open-form")).toBeVisible();
  await page.locator(".open-form [name=when], .open-form input[type=text]").first().fill("in 3 days 10:00");
  const toSubmit = await tabsTo(page, page.locator(".open-form button.main"));
  await page.keyboard.press("Enter");
  await expect(page.locator(".result")).toContainText("“In the list” is rescheduled to");
  console.log(`reschedule from /tasks: J, M, the time, ${toSubmit} Tabs, Enter`);
});

test("pages with 5,000 tasks", async ({ page, request }) => {
  test.setTimeout(600_000);
  const server = await start({ users: true });
  const api = new Api(request, server, server.token("creator"));
  for (let batch = 0; batch < 5_000; batch += 100) {
    const made = await Promise.all(Array.from({ length: 100 }, (_, at) => api.article(`Article ${batch + at}`)));
    const due = (at: number) => new Date(Date.now() + 3_600_000 + (batch + at) * 60_000).toISOString();
    await api.post("/tasks/bulk", { items: made.map(({ id }, at) => ({ kind: "article.publish", target_id: id, due_at: due(at) })) });
  }
  await logIn(page, server, "admin");
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.documentElement?.hasAttribute("data-live")) return;
      performance.mark("hydrated");
      observer.disconnect();
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-live"] });
  });
  for (const path of ["/", "/articles", "/articles/new", "/tasks", "/tasks?state=all", "/attention", "/engine", "/settings/people"]) {
    const visits: Visit[] = [];
    for (let run = 0; run < 5; run++) visits.push(await visit(page, server.url + path));
    const median = (of: (one: Visit) => number) => Math.round(visits.map(of).sort((a, b) => a - b)[2]);
    console.log(
      `${path}: ${await nodes(page)} nodes; first byte after ${median((one) => one.firstByte)} ms, largest paint ` +
        `${median((one) => one.largestPaint)}, hydrated ${median((one) => one.hydrated)}; ${median((one) => one.kilobytes)} kB`,
    );
  }
  await stop(server);
});
