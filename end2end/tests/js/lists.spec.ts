// Lists of tasks and articles: tabs, search as you type, sorting, paging, keys, forms on demand, and their size.
import { laterDay, MeetingApi } from "../meetings";
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

test("after an action by key the keys go on with the next row", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const tasks: { id: string }[] = [];
  for (const [place, title] of ["Onward one", "Onward two", "Onward three"].entries()) {
    tasks.push(await api.publishIn(await api.article(title), 7_200 + place));
  }
  await page.goto(`${server.url}/tasks?q=Onward`);
  await live(page);
  const title = (place: number) => page.locator(`#task-${tasks[place].id} a.title`);
  const result = page.locator(".result");
  await page.keyboard.press("j");
  await expect(title(0)).toBeFocused();
  await page.keyboard.press("x");
  await expect(result).toBeFocused();
  await page.keyboard.press("j");
  await expect(title(1)).toBeFocused();
  await page.keyboard.press("j");
  await expect(title(2)).toBeFocused();
  await page.keyboard.press("x");
  await expect(result).toContainText("“Onward three” is unscheduled.");
  await expect(title(2)).toHaveCount(0);
  await expect(result).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(result.getByRole("button", { name: "Undo: schedule again" })).toBeFocused();
  await page.keyboard.press("z");
  await expect(result).toContainText("Undone: “Onward three”");
  await expect(title(2)).toBeVisible();
});

test("a page opened by key has the focus, and its title is said once", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Opened by key"), 86_400);
  await page.goto(`${server.url}/tasks?q=Opened`);
  await live(page);
  const said = page.locator(".skip + [role=status]");
  await expect(said).toHaveText("");
  await page.keyboard.press("j");
  await expect(page.locator(`#task-${task.id} a.title`)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${server.url}/tasks/${task.id}`);
  await expect(page.locator("main")).toBeFocused();
  await expect(said).toContainText("Opened by key");
  expect(await page.evaluate(() => scrollY)).toBe(0);
  // A page that places the focus keeps it.
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/\/quick$/);
  await expect(page.locator('[name="title"]')).toBeFocused();
});

/** Opens the form of the only article that matches, and types a time. */
async function typeTime(page: Page, server: Server, task: { id: string }, q: string) {
  await page.goto(`${server.url}/articles?state=scheduled&q=${q}`);
  await live(page);
  await page.keyboard.press("j");
  await page.keyboard.press("m");
  const [form, when, typed] = [page.locator(".form-row"), page.locator(`#when-${task.id}-when`), `${laterDay(20)} 09:00`];
  await expect(form.locator(":focus")).toHaveCount(1);
  await when.fill(typed);
  return { form, when, typed };
}

test("a typed time stays while another user reschedules, and replaces the new time only after it was said", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Halftyped story"), 86_400);
  const { form, when, typed } = await typeTime(page, server, task, "Halftyped");
  const time = page.locator(`#article-${task.target_id} td.when time`);
  const before = (await time.getAttribute("datetime"))!;
  const due_at = new Date(Date.now() + 172_800_000).toISOString();
  const moved = await api.post(`/tasks/${task.id}/reschedule`, { seen_version: task.version, due_at });
  await expect(time).not.toHaveAttribute("datetime", before);
  await expect(when).toHaveValue(typed);
  await expect(when).toBeFocused();
  await when.press("Enter");
  await expect(form.locator(".alert")).toContainText("This was changed in the meantime: it is now scheduled for");
  await expect(when).toHaveValue(typed);
  expect((await api.get(`/tasks/${task.id}`)).due_at).toBe(moved.due_at);
  await when.press("Enter");
  await expect(page.locator(".result")).toContainText("“Halftyped story” is rescheduled to");
  await expect(form).toHaveCount(0);
});

test("a typed time stays while another user cancels, though its row is no longer in the list", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Withdrawn story"), 86_400);
  const { form, when, typed } = await typeTime(page, server, task, "Withdrawn");
  await api.post(`/tasks/${task.id}/cancel`, { seen_version: task.version });
  await expect(page.locator(".pager .shown")).toContainText("0 of 0");
  await expect(when).toHaveValue(typed);
  await expect(when).toBeFocused();
  await when.press("Enter");
  await expect(form.locator(".alert")).toContainText("This is cancelled");
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);
  await expect(rows(page)).toHaveCount(0);
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

test("keys open pages, the palette, the help panel and quick add, but not while typing", async ({ page, server, api }) => {
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
  const help = page.locator("#help-panel");
  await expect(help.locator("#shortcuts")).toBeVisible();
  await expect(page.locator("#help-panel-title")).toBeFocused();
  expect(await help.evaluate((dialog) => dialog.scrollTop)).toBe(0);
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/\/quick$/);
  await page.locator('[name="title"]').focus();
  await page.keyboard.type("gt?n");
  await expect(page.locator('[name="title"]')).toHaveValue("gt?n");
  await page.locator('[name="when"]').fill("in 2 hours");
  await expect(page.locator("#when-echo .time-preview")).toContainText("in 2 h");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/articles\/[0-9a-f-]+\?view=schedule$/);
});

/** Words that people type, in both languages, and what the palette must offer for them. */
const WORDS: Record<string, string> = {
  dark: "/settings/profile#theme", theme: "/settings/profile#theme", language: "/settings/profile#language", chinese: "/settings/profile#language",
  password: "/settings/profile#change-password", timezone: "/settings/profile", invite: "/settings/people", users: "/settings/people", roles: "/settings/people",
  webhook: "/settings/channels", sms: "/settings/channels", amqp: "/settings/channels", smtp: "/settings/mail", slot: "/settings/slots", cadence: "/settings/slots",
  release: "/releases", retention: "/settings/desk", wordpress: "/settings/import", ghost: "/settings/import", workflow: "/settings/review", approve: "/settings/review",
  api: "/settings/tokens", ical: "/settings/feeds", unsubscribe: "/settings/outside-mail", csv: "/articles/import", upload: "/media", pause: "/engine",
  failed: "/", retry: "/tasks", audit: "/activity", write: "/articles/new", appointment: "/meetings/new", snooze: "/reminders", signals: "/rules", blog: "/site",
  深色: "/settings/profile#theme", 邀请: "/settings/people", 撤销: "undo", "log out": "out", undo: "undo",
};

test("the palette finds forty words for acts, settings and pages, and meetings, rooms and people by name", async ({ page, server, request }) => {
  const meetings = MeetingApi.of(request, server, "admin");
  await meetings.meeting("Palimpsest review", await meetings.room("Palm court"), "08:00", "09:00");
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/media`);
  await live(page);
  const [palette, typed] = [page.locator("#palette"), page.locator("#palette-q")];
  expect(Object.keys(WORDS)).toHaveLength(40);
  await page.locator(".head-search").click();
  await expect(typed).toBeFocused();
  for (const [word, to] of Object.entries(WORDS)) {
    await typed.fill(word);
    const offered = to === "out" ? palette.locator('form[action="/fn/log_out"]') : palette.locator(`a[href="${to}"]`);
    // There is nothing to undo on this page.
    if (to === "undo") await expect(palette.locator("[data-palette-undo]")).toBeHidden();
    else await expect(offered, word).toBeVisible();
  }
  await typed.fill("palm c");
  await expect(palette.locator("li:not([hidden])")).toHaveText(["Palm court"]);
  await typed.fill("palimp");
  await expect(palette.locator("li:not([hidden])")).toHaveText(["Palimpsest review"]);
  await typed.fill("cora");
  await expect(palette.locator('.found a[href="/settings/people"]')).toHaveText("Cora");
});

test("undo and log out of the palette act at once", async ({ page, request }) => {
  // A separate server: the other tests share the session that ends here.
  const server = await start({ users: true });
  const api = new Api(request, server, server.token("creator"));
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Palette undo"), 86_400);
  await page.goto(`${server.url}/tasks?q=Palette`);
  await live(page);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.locator(".result")).toContainText("is unscheduled");
  await page.keyboard.press("Control+k");
  await page.locator("#palette-q").fill("mistake");
  await page.keyboard.press("Enter");
  await expect(page.locator(".result")).toContainText("Undone");
  expect((await api.get(`/tasks/${task.id}`)).state).toBe("scheduled");
  await page.keyboard.press("Control+k");
  await page.locator("#palette-q").fill("sign out");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/login/);
  await stop(server);
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

test("titles are wide beside the longest state, at every width of the window", async ({ page, server, request }) => {
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  const review = (workflow: string) => request.patch(`${server.url}/api/v1/settings/review`, { headers, data: { workflow } });
  await review("one_reviewer");
  const creator = new Api(request, server, server.token("creator"));
  const article = await creator.article("Council timeline of a long year");
  await creator.publishIn(article, 86_400);
  const other = await creator.article("Council package of this spring");
  await creator.post("/releases", { name: "Spring package", items: [{ article_id: other.id, action: "publish" }] });
  await logIn(page, server, "creator");
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${server.url}/articles?q=Council`);
    await live(page);
    for (const title of ["Council timeline", "Council package"]) {
      const column = (await page.locator("th.main", { hasText: title }).boundingBox())!;
      expect(column.width, `${title} at ${width} px`).toBeGreaterThanOrEqual(240);
    }
  }
  await review("none");
});

test("every option of an open menu in a row can be pressed", async ({ page, server }) => {
  await logIn(page, server, "creator");
  for (const text of ["First call", "Next call", "Last call"]) {
    await page.goto(`${server.url}/reminders`);
    await live(page);
    await page.locator(".reminder-more > summary").click();
    await page.locator('.reminder-form [name="text"]').fill(text);
    await page.locator("#reminder-when").fill("tomorrow 9:00");
    await page.locator(".reminder-form button.main").click();
    await expect(page.locator(".result")).toContainText("The reminder is set.");
    await expect(page.locator('.reminder-form [name="text"]'), "a second click sets nothing").toHaveValue("");
  }
  await page.goto(`${server.url}/reminders?state=coming`);
  await live(page);
  const menus = page.locator("tr.list-row details.open-in-place");
  await expect(menus).toHaveCount(3);
  for (const row of await rows(page).all()) {
    const menu = row.locator("details.open-in-place");
    await row.hover();
    await menu.locator("summary").click();
    const options = menu.getByRole("button");
    await expect(options).toHaveCount(3);
    for (const option of await options.all()) {
      const isOnTop = await option.evaluate((button) => {
        button.scrollIntoView({ block: "center" });
        const { left, top, width, height } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
      expect(isOnTop, await option.innerText()).toBe(true);
    }
    await menu.locator("summary").click();
  }
});

test("three articles of the list are a scheduled release after four acts", async ({ page, server, request }) => {
  const api = new Api(request, server, server.token("creator"));
  for (const title of ["Ferry lead", "Ferry map", "Ferry talk"]) await api.article(title);
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles?q=Ferry`);
  await live(page);
  // 1: tick them. 2: the release. 3: its name, which has the focus, and its time. 4: schedule.
  for (const row of await rows(page).all()) await row.locator("input.select").check();
  await page.getByRole("button", { name: "Add to a release" }).click();
  await live(page);
  await expect(page.locator('.release-form [name="name"]')).toBeFocused();
  await page.locator('.release-form [name="name"]').fill("Ferry package");
  await page.locator("#release-when").fill("tomorrow 9:00");
  await page.locator("#release-when").press("Tab");
  await expect(page.locator(".release-form").getByRole("status").first()).toHaveText("3 selected");
  await page.locator(".release-form button.main").click();
  await expect(page.locator("h1")).toHaveText("Ferry package");
  await expect(page.locator("main")).toContainText("While it is scheduled");
});
