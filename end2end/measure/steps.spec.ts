// Counts what docs/EXPERIENCE.md lists of the common jobs: clicks (or taps), fields, and on a phone how far the page is scrolled.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { devices, type Browser, type Locator, type Page } from "@playwright/test";
import { Api, expect, logIn, start, stop, test, type Server } from "../tests/server";

const PHONE = { ...devices["Pixel 7"], viewport: { width: 390, height: 844 }, locale: "en-GB", timezoneId: "Europe/Berlin" };

/** Does what a person does, and counts it. */
class Steps {
  clicks = 0;
  fields = 0;
  /** Pixels. */
  scrolled = 0;

  /** Brings an element into view, as a person would. */
  private async show(target: Locator) {
    const position = () => target.page().evaluate(() => window.scrollY);
    const before = await position();
    await target.scrollIntoViewIfNeeded();
    this.scrolled += Math.abs((await position()) - before);
  }

  async click(target: Locator) {
    await this.show(target);
    await target.click();
    this.clicks += 1;
  }

  async fill(target: Locator, text: string) {
    await this.show(target);
    await target.fill(text);
    this.fields += 1;
  }

  print(job: string) {
    console.log(`${job}: ${this.clicks} clicks + ${this.fields} fields${this.scrolled ? `, ${Math.round(this.scrolled)} px scrolled` : ""}`);
  }
}

const hydrated = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-live", "");
const result = (page: Page) => page.locator(".result");

/** Opens a page of an own browser context, logged in as the creator. */
async function openAs(browser: Browser, server: Server, options: Parameters<Browser["newContext"]>[0], path: string) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await logIn(page, server, "creator");
  await page.goto(server.url + path);
  return page;
}

/** Writes an article and schedules it for the proposed time. */
async function writeAndSchedule(page: Page, steps: Steps, body: Locator) {
  await steps.fill(page.locator("#title"), "Tomorrow");
  await steps.fill(body, "One paragraph.");
  await steps.click(page.locator(".schedule button.main"));
  await expect(result(page)).toContainText("“Tomorrow” is scheduled for");
}

test("from the set-up link to the desk", async ({ page }) => {
  const [server, steps] = [await start({ users: false }), new Steps()];
  await page.goto(server.output().match(/http\S+\/setup\S+/)![0]);
  await steps.fill(page.locator('[name="name"]'), "Ada");
  await steps.fill(page.locator('[name="email"]'), "ada@example.org");
  await steps.fill(page.locator('[name="password"]'), "correct horse one");
  await steps.click(page.locator('button[type="submit"]'));
  await expect(page.locator(".nav .nav-user")).toHaveText("Ada");
  steps.print("set-up link to the desk");
  await steps.fill(page.locator(".first-article #title"), "Hello");
  await steps.fill(page.locator(".first-article #body"), "The first words.");
  await steps.click(page.locator(".first-article button.main"));
  await expect(result(page)).toContainText("is scheduled for");
  steps.print("set-up link to the first article, 20 s before it is public");
  await stop(server);
});

test("from an empty desk to an article for tomorrow", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles`);
  await hydrated(page);
  const steps = new Steps();
  await steps.click(page.locator('.page-header a[href="/articles/new"], main a[href="/articles/new"]').first());
  await writeAndSchedule(page, steps, page.locator(".cm-content"));
  steps.print("empty desk to an article scheduled for tomorrow 09:00");
});

test("without JavaScript, from the new article", async ({ browser, server }) => {
  const page = await openAs(browser, server, { javaScriptEnabled: false, timezoneId: "Europe/Berlin" }, "/articles/new");
  const steps = new Steps();
  await writeAndSchedule(page, steps, page.locator("#body"));
  steps.print("without JavaScript, the same from /articles/new");
});

test("on a phone, from the dashboard", async ({ browser, server }) => {
  const page = await openAs(browser, server, PHONE, "/");
  await hydrated(page);
  const steps = new Steps();
  await steps.click(page.locator('.nav a[href="/articles"]'));
  await steps.click(page.locator('main a[href="/articles/new"]').first());
  await writeAndSchedule(page, steps, page.locator(".cm-content"));
  steps.print("on a phone, the same from /");
});

test("changes of a scheduled article", async ({ page, server, api }) => {
  const task = await api.publishIn(await api.article("Changed"), 86_400);
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/tasks`);
  await hydrated(page);
  const row = page.locator(`#task-${task.id}`);
  await row.hover();
  const move = new Steps();
  await move.click(row.locator('a[href*="move="]').first());
  await move.fill(page.locator(".open-form [name=when], .open-form input[type=text]").first(), "in 3 days 10:00");
  await move.click(page.locator(".open-form button.main"));
  await expect(result(page)).toContainText("“Changed” is rescheduled to");
  expect((await api.get(`/tasks/${task.id}`)).due_at).not.toBe(task.due_at);
  move.print("reschedule");
  const undo = new Steps();
  await undo.click(result(page).locator("[data-undo]"));
  await expect(result(page)).toContainText("Undone");
  expect((await api.get(`/tasks/${task.id}`)).due_at).toBe(task.due_at);
  undo.print("undo");
  await page.goto(`${server.url}/articles/${task.target_id}`);
  await hydrated(page);
  const unschedule = new Steps();
  await unschedule.click(page.locator(".scheduled-card").getByRole("button", { name: "Unschedule" }));
  await expect(result(page)).toContainText("is unscheduled");
  unschedule.print("unschedule");
});

test("changes of a public article", async ({ page, server, api }) => {
  const article = await api.article("Public");
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/${article.id}`);
  await hydrated(page);
  const publish = new Steps();
  await publish.click(page.getByRole("button", { name: "Publish now" }));
  await expect.poll(async () => (await fetch(`${server.url}/site/${article.slug}`)).status).toBe(200);
  publish.print("publish now");
  const slug = new Steps();
  await slug.fill(page.locator("#slug"), "another-slug");
  await slug.click(page.locator("section.slug-form form").getByRole("button"));
  const at = async (slug: string) => (await fetch(`${server.url}/site/${slug}`, { redirect: "manual" })).status;
  await expect.poll(() => at("another-slug")).toBe(200);
  expect(Math.floor((await at(article.slug)) / 100), "the old address leads to the new one").toBe(3);
  slug.print("slug");
  const unpublish = new Steps();
  await unpublish.click(page.locator(".schedule summary", { hasText: "Unpublish" }));
  await unpublish.click(page.getByRole("button", { name: "Unpublish now" }));
  await expect.poll(() => at("another-slug")).toBeGreaterThanOrEqual(400);
  unpublish.print("unpublish");
});

test("why 30 deliveries failed", async ({ page, request }) => {
  const hook = createServer((message, answer) => message.resume().on("end", () => answer.writeHead(500).end("boom")));
  await new Promise<void>((done) => hook.listen(0, "127.0.0.1", done));
  const server = await start({ users: true, args: ["--webhook-allow-private", "--webhook-allow-http"] });
  const [admin, creator] = [new Api(request, server, server.token("admin")), new Api(request, server, server.token("creator"))];
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  await admin.post("/channels", { name: "Website", url, retry_schedule: "1h, 1h" });
  for (let number = 0; number < 30; number++) await creator.publishIn(await creator.article(`Number ${number}`), 0.5);
  await logIn(page, server, "admin");
  await hydrated(page);
  await expect(page.locator(".nav .count")).toHaveText(["30"]);
  const steps = new Steps();
  await steps.click(page.locator('.nav a[href="/attention"]'));
  await expect(page.locator(".cause").getByRole("heading")).toHaveText("Website answers 500 “boom”");
  steps.print("why did 30 deliveries fail");
  hook.close();
  await stop(server);
});
