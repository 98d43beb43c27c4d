// Lists of tasks and articles: tabs, search as you type, sorting, paging, keys, forms on demand, and their size.
import { expect, logIn, start, stop, test, Api, type Server } from "../server";
import type { APIRequestContext, Page } from "@playwright/test";

const count = 300;

/** A server with this number of scheduled tasks, due from tomorrow on, three at a time. */
async function filled(request: APIRequestContext): Promise<Server> {
  const server = await start({ users: true });
  const api = new Api(request, server, server.token("creator"));
  const tomorrow = Date.now() + 86_400_000;
  const items = [];
  for (let number = 0; number < count; number++) {
    const article = await api.article(`Numbered ${number}`);
    const due_at = new Date(tomorrow + Math.floor(number / 3) * 60_000).toISOString();
    items.push({ kind: "article.publish", target_id: article.id, due_at });
  }
  await api.post("/tasks/bulk", { items });
  return server;
}

const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);
const live = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-live", "");
const rows = (page: Page) => page.locator("tr.list-row");

test("a list of many tasks is counted, small, and paged in both directions", async ({ page, request }) => {
  const server = await filled(request);
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/tasks`);
  await live(page);
  const tabs = page.locator(".list-tabs");
  await expect(tabs.locator('[aria-current="page"]')).toHaveText(`Upcoming${count}`);
  await expect(page.locator(".pager .shown")).toHaveText(`50 of ${count}`);
  await expect(rows(page)).toHaveCount(50);
  expect(await nodes(page)).toBeLessThanOrEqual(1_000);
  await expect(page.locator('form[action="/fn/move_task"]')).toHaveCount(0);
  const first = await rows(page).first().getAttribute("id");
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(page.locator(`#${first}`)).toHaveCount(0);
  await expect(rows(page)).toHaveCount(50);
  await page.getByRole("link", { name: "Previous page" }).click();
  await expect(rows(page).first()).toHaveAttribute("id", first!);
  await expect(page.getByRole("link", { name: "Previous page" })).toHaveCount(0);

  await page.getByRole("link", { name: "When" }).click();
  await expect(page).toHaveURL(/order=latest/);
  await expect(page.locator("th.when")).toHaveAttribute("aria-sort", "descending");
  await expect(page.locator(`#${first}`)).toHaveCount(0);
  await page.goto(`${server.url}/articles`);
  await live(page);
  expect(await nodes(page)).toBeLessThanOrEqual(1_050);
  await stop(server);
});

test("a search follows the typing and keeps the tab", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const kept = await api.publishIn(await api.article("Harbour lights"), 86_400);
  const other = await api.publishIn(await api.article("Mountain path"), 86_400);
  await page.goto(`${server.url}/tasks`);
  await live(page);
  await page.keyboard.press("/");
  await page.keyboard.type("harb");
  await expect(page.locator(`#task-${other.id}`)).toHaveCount(0);
  await expect(page.locator(`#task-${kept.id}`)).toBeVisible();
  await expect(page).toHaveURL(/[?&]q=harb/);
  await expect(page.locator("#q")).toBeFocused();
  await page.keyboard.type("nothing");
  await expect(page.getByText("No tasks match.")).toBeVisible();
  await page.getByRole("link", { name: "Clear the search" }).click();
  await expect(page.locator(`#task-${other.id}`)).toBeVisible();
  await expect(page.locator("#q")).toHaveValue("");
});

test("keys move between rows, reschedule and cancel", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const tasks = [];
  for (const [place, title] of ["Keys one", "Keys two"].entries()) tasks.push(await api.publishIn(await api.article(title), 7_200 + place));
  await page.goto(`${server.url}/tasks?q=Keys`);
  await live(page);
  await page.keyboard.press("j");
  await expect(page.locator(`#task-${tasks[0].id} a.title`)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(`#task-${tasks[1].id} a.title`)).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("m");
  await expect(page).toHaveURL(new RegExp(`move=${tasks[0].id}`));
  await expect(page.locator(".form-row")).toBeVisible();
  await expect(page.locator(".form-row :focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.locator(".form-row")).toHaveCount(0);
  await expect(page.locator(`#task-${tasks[0].id} a.title`)).toBeFocused();
  await page.keyboard.press("x");
  await expect(page.locator(`#task-${tasks[0].id}`)).toHaveCount(0);
  expect((await api.get(`/tasks/${tasks[0].id}`)).state).toBe("cancelled");
  await page.locator(`#task-${tasks[1].id} a.title`).focus();
  await page.keyboard.press("e");
  await expect(page).toHaveURL(`${server.url}/articles/${tasks[1].target_id}`);
});

test("a draft is deleted after a question", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Doomed draft");
  await page.goto(`${server.url}/articles?state=draft&q=Doomed`);
  await live(page);
  const row = page.locator(`#article-${article.id}`);
  await row.hover();
  await row.getByRole("link", { name: "Delete: Doomed draft" }).click();
  await expect(page.getByText("Delete “Doomed draft”?")).toBeVisible();
  await page.locator(".form-row").getByRole("button", { name: "Delete: Doomed draft" }).click();
  await expect(page.getByText("in the trash")).toBeVisible();
  expect((await api.get("/articles?state=trash")).items.map((item: { id: string }) => item.id)).toContain(article.id);
});

test("keys open pages, the palette, the list of shortcuts and quick add, but not while typing", async ({ page, server, api }) => {
  await api.article("Lighthouse keeper");
  await logIn(page, server, "creator");
  await live(page);
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await expect(page).toHaveURL(/\/tasks$/);
  await page.keyboard.press("Control+k");
  await page.locator("#palette-q").fill("lighth");
  await expect(page.locator("#palette li:not([hidden])")).toHaveText(["Lighthouse keeper"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/articles\/[0-9a-f-]+$/);
  await page.goto(server.url);
  await live(page);
  await page.keyboard.press("?");
  await expect(page.locator("#shortcuts")).toBeVisible();
  await expect(page.locator("#shortcuts-title")).toBeFocused();
  expect(await page.locator("#shortcuts").evaluate((dialog) => dialog.scrollTop)).toBe(0);
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await expect(page.locator("#shortcuts")).toBeHidden();
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/\/quick$/);
  await page.locator('[name="title"]').focus();
  await page.keyboard.type("gt?n");
  await expect(page.locator('[name="title"]')).toHaveValue("gt?n");
  await page.locator('[name="when"]').fill("in 2 hours");
  await expect(page.locator("#when-echo .time-preview")).toContainText("in 2 h");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/done=schedule/);
});

test("the palette finds the pages of the menus, says when it finds nothing, and is in the middle", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await live(page);
  await page.keyboard.press("Control+k");
  const palette = page.locator("#palette");
  const typed = page.locator("#palette-q");
  const pages = { media: "/media", tags: "/settings/tags", "settings import": "/settings/import", "public site": "/site", feeds: "/settings/feeds" };
  for (const [word, path] of Object.entries(pages)) {
    await typed.fill(word);
    await expect(palette.locator(`a[href="${path}"]`)).toBeVisible();
  }
  const state = page.locator("#palette-state");
  await expect(state).toHaveText("");
  await typed.fill("zzzz");
  await expect(state).toHaveText("Nothing found.");
  const box = (await palette.boundingBox())!;
  const width = await page.evaluate(() => document.documentElement.clientWidth);
  expect(Math.abs(2 * box.x + box.width - width)).toBeLessThanOrEqual(1);
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await page.keyboard.press("Control+k");
  await typed.fill("public site");
  await expect(state).toHaveText("");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/site$/);
});
