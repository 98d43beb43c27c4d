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
  paths.push("/attention", "/tasks", `/tasks/${task.id}`, "/meetings", "/meetings/new", "/rooms", "/engine");
  paths.push("/calendar", "/media", "/reminders", "/notifications", "/activity", "/messages", "/messages/new", "/rules", "/rules/new", "/review");
  for (const name of ["profile", "desk", "people", "tokens", "rooms", "channels", "slots", "site", "mail", "review", "words"]) paths.push(`/settings/${name}`);
  for (const path of paths) {
    await page.goto(server.url + path);
    await isLive(page);
    expect(found, path).toEqual([]);
  }
});

test("a page of a part names the files of its part, the dashboard none", async ({ page, server }) => {
  await logIn(page, server, "admin");
  const preloaded = async (path: string) => (await page.request.get(server.url + path)).text().then((html) => html.match(/<link[^>]*wasm[^>]*>/g) ?? []);
  expect(await preloaded("/")).toHaveLength(1);
  const files = await preloaded("/engine");
  expect(files.length).toBeGreaterThan(1);
  expect(files.join()).toContain("split_engine_pages");
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
  await page.route("**/pkg/split_*", (route) => route.abort());
  await page.goto(server.url);
  await isLive(page);
  await page.locator(".nav").getByRole("link", { name: "Meetings" }).first().click();
  await expect(page).toHaveURL(`${server.url}/meetings`);
  await expect(page.locator("main h1")).toHaveText("Meetings");
  // Its own part is missing too: it works as without JavaScript.
  await expect(page.locator("html")).not.toHaveAttribute("data-live", "");
  await page.locator(".nav").getByRole("link", { name: "Tasks" }).first().click();
  await expect(page.locator("main h1")).toHaveText("Tasks");
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
