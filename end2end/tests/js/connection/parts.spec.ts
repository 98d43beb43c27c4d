// The wasm is loaded in parts: a page waits only for what it shows, and later links need no connection.
import { type Page } from "@playwright/test";
import { expect, logIn, test } from "../../server";

/** Collects what the page reports as wrong. */
function problems(page: Page): string[] {
  const found: string[] = [];
  page.on("pageerror", (error) => found.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && found.push(message.text()));
  return found;
}

const isLive = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-live", "");

/** Names of the wasm files that the page has loaded, without hashes. */
const loaded = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter((entry) => entry.name.endsWith(".wasm"))
      .map((entry) => new URL(entry.name).pathname.replace(/^\/pkg\/|(\.[0-9a-f]{16})?\.wasm$/g, "")),
  );

test("every page is hydrated without errors", async ({ page, server, api }) => {
  await logIn(page, server, "admin");
  const article = await api.article("In parts", "first");
  const task = await api.publishIn(article, 3_600);
  const found = problems(page);
  const paths = ["/", "/articles", "/articles/new", `/articles/${article.id}`, `/articles/${article.id}/revisions`];
  paths.push("/tasks", `/tasks/${task.id}`, "/meetings", "/meetings/new", "/rooms", "/engine");
  paths.push("/calendar", "/media", "/reminders", "/notifications", "/activity", "/messages", "/messages/new", "/rules", "/rules/new", "/review", "/help", "/help/calendar");
  for (const name of ["profile", "desk", "people", "sign-in", "queue", "tokens", "rooms", "channels", "slots", "site", "mail", "review", "words"]) paths.push(`/settings/${name}`);
  for (const path of paths) {
    await page.goto(server.url + path);
    await isLive(page);
    expect(found, path).toEqual([]);
  }
});

test("a page waits for the main module and its part only", async ({ page, server }) => {
  await logIn(page, server, "admin");
  // The files of the other parts come after hydration: they are held here.
  await page.route("**/pkg/split_*", (route) => (route.request().url().includes("split_engine_pages") ? route.continue() : undefined));
  await page.goto(`${server.url}/engine`);
  await isLive(page);
  expect(await loaded(page)).toEqual(expect.arrayContaining(["app", "split_engine_pages"]));
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("neither script nor wasm is loaded before the stylesheet", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto("about:blank");
  const early: string[] = [];
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  page.on("request", (request) => early.push(new URL(request.url()).pathname));
  await page.route("**/pkg/*.css", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${server.url}/articles`, { waitUntil: "commit" });
  await page.waitForFunction(() => document.querySelector("main h1"), null, { polling: 50 });
  expect(early.filter((path) => /\.(wasm|js)$/.test(path))).toEqual([]);
  release();
  await isLive(page);
});

test("all parts are there soon, and links then need no connection", async ({ page, server, context }) => {
  await logIn(page, server, "admin");
  const found = problems(page);
  await page.goto(server.url);
  await isLive(page);
  await expect.poll(() => loaded(page)).toEqual(expect.arrayContaining(["split_article_pages", "split_settings_pages"]));
  await page.evaluate(() => ((window as any).isSamePage = true));
  expect(found).toEqual([]);
  await context.setOffline(true);
  await page.locator(".nav").getByRole("link", { name: "Articles" }).first().click();
  await expect(page).toHaveURL(`${server.url}/articles`);
  await expect(page.locator(".nav").getByRole("link", { name: "Articles" }).first()).toHaveAttribute("aria-current", "page");
  expect(await page.evaluate(() => (window as any).isSamePage)).toBe(true);
  await context.setOffline(false);
});

test("links to a part that is not there load the page from the server", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.route(/\/pkg\/split_(meeting|task)_pages/, (route) => route.abort());
  await page.goto(server.url);
  await isLive(page);
  await page.locator(".nav").getByRole("link", { name: "Meetings" }).first().click();
  await expect(page).toHaveURL(`${server.url}/meetings`);
  await expect(page.locator("main h1")).toHaveText("Meetings");
  // Its own part is missing too: it works as without JavaScript.
  await expect(page.locator("html")).not.toHaveAttribute("data-live", "");
  await page.locator(".nav").getByRole("link", { name: "Reminders" }).first().click();
  await expect(page.locator("main h1")).toHaveText("Reminders");
});

test("text typed before a part is loaded stays", async ({ page, server }) => {
  await logIn(page, server, "creator");
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route("**/pkg/split_*", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${server.url}/articles/new`, { waitUntil: "commit" });
  const title = page.locator('input[name="title"]');
  await title.fill("Typed early");
  await page.locator('textarea[name="body"]').fill("and kept");
  await expect(page.locator("html")).not.toHaveAttribute("data-live", "");
  release();
  await isLive(page);
  await expect(title).toHaveValue("Typed early");
  await expect(page.locator('textarea[name="body"]')).toHaveValue("and kept");
  // The Markdown editor takes the focus with the text.
  await expect(page.locator(".cm-content")).toBeFocused();
});
