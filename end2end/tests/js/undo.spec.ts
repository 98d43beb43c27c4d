// The result of an action: focused, undone by Tab or Z, kept while hovered or focused, and unable to unpublish after ten seconds.
import { expect, logIn, test } from "../server";

const RESULT_MS = 11_000;

test("after ten seconds only an explicit unpublish removes a published article", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Stays public");
  const task = await api.publishIn(article, 64_800);
  await page.goto(`${server.url}/tasks/${task.id}`);
  await page.locator(".task-actions").getByRole("button", { name: /^Publish now/ }).click();
  const result = page.locator(".result");
  await expect(result.getByRole("button", { name: "Undo publish" })).toBeVisible();
  await expect(page.locator("header .phase")).toContainText("Published");
  await expect(result).toContainText("“Stays public” is published.");
  await expect(result.getByRole("link", { name: "View on site" })).toHaveAttribute("href", `/site/${article.slug}`);
  // Hovered, the result stays, but with a different button.
  await expect(async () => {
    await result.hover({ timeout: 500 });
    await expect(result.getByRole("link", { name: "Unpublish" })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: RESULT_MS + 2_000 });
  await expect(page.getByRole("button", { name: /^Undo/ })).toHaveCount(0);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await expect(page.getByRole("button", { name: /^Undo/ })).toHaveCount(0);
  expect((await fetch(`${server.url}/site/${article.slug}`)).status).toBe(200);
});

test("the result takes the focus, undo is the next Tab, and closing it focuses the next row", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const [first, next] = [await api.publishIn(await api.article("First of two"), 86_400), await api.publishIn(await api.article("Next of two"), 86_401)];
  await page.goto(`${server.url}/tasks?state=scheduled`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator(`#task-${first.id}`).getByRole("button", { name: /^Unschedule/ }).press("Enter");
  const result = page.locator(".result");
  await expect(result).toBeFocused();
  await expect(result).toContainText("“First of two” is unscheduled.");
  await page.keyboard.press("Tab");
  await expect(result.getByRole("button", { name: "Undo: schedule again" })).toBeFocused();
  // Focused, its time is paused.
  await page.evaluate((wait) => new Promise((done) => setTimeout(done, wait)), RESULT_MS);
  await expect(result.getByRole("button", { name: "Undo: schedule again" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(result).toContainText("Undone: “First of two” is scheduled for");
  await expect(result.getByRole("link", { name: "Open task" })).toHaveAttribute("href", `/tasks/${first.id}`);
  await page.keyboard.press("Escape");
  await expect(result).toHaveCount(0);
  await expect(page.locator(`#task-${next.id} a.title`)).toBeFocused();
});

test("each result has its full time", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const tasks = [];
  for (const title of ["Cancelled first", "Cancelled next"]) tasks.push(await api.publishIn(await api.article(title), 86_400));
  await page.goto(`${server.url}/tasks?state=scheduled&q=Cancelled`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const result = page.locator(".result"), cancel = (task: { id: string }) => page.locator(`#task-${task.id}`).getByRole("button", { name: /^Unschedule/ });
  await cancel(tasks[0]).click();
  await expect(result).toContainText("“Cancelled first” is unscheduled.");
  const first = await result.elementHandle();
  await cancel(tasks[1]).click();
  await expect(result).toContainText("“Cancelled next” is unscheduled.");
  // A new element, whose animation begins again.
  expect(await first!.evaluate((element) => element.isConnected)).toBe(false);
});

test("Z undoes the last change, but not while the user types", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Undone by a key");
  const task = await api.publishIn(article, 86_400);
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  const card = page.locator(".scheduled-card");
  const result = page.locator(".result");
  await card.getByRole("button", { name: "Unschedule" }).click();
  await expect(result).toContainText("“Undone by a key” is unscheduled.");
  await expect(card).toHaveCount(0);
  await page.locator("#title").press("End");
  await page.keyboard.press("z");
  await expect(page.locator("#title")).toHaveValue("Undone by a keyz");
  await page.keyboard.press("Backspace");
  await result.focus();
  await page.keyboard.press("z");
  await expect(result).toContainText("Undone: “Undone by a key” is scheduled for");
  await expect(card).toHaveCount(1);
  expect((await api.get(`/tasks/${task.id}`)).due_at).toBe(task.due_at);
});

test("Z undoes from anywhere, also from a box, and on another page", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("From anywhere"), 86_400);
  await page.goto(`${server.url}/tasks`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const state = async () => (await api.get(`/tasks/${task.id}`)).state;
  await page.locator(`#task-${task.id}`).getByRole("button", { name: /^Unschedule/ }).press("Enter");
  await expect(page.locator(".result")).toContainText("“From anywhere” is unscheduled.");
  await page.locator('.nav a[href="/articles"]').click();
  await expect(page).toHaveURL(/articles$/);
  await page.locator('[name="mine"]').focus();
  await page.keyboard.press("z");
  await expect.poll(state).toBe("scheduled");
});

test("without shortcuts no key acts, and no page names one", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("No keys"), 86_400);
  const shortcuts = async (isOn: boolean) => {
    await page.goto(`${server.url}/settings/profile`);
    await page.locator('[name="shortcuts"]').setChecked(isOn);
    await page.locator('form[action="/fn/change_profile"] button').click();
    await expect(page.locator(".result")).toContainText("Saved.");
  };
  await shortcuts(false);
  await page.goto(`${server.url}/tasks`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await expect(page.locator(".keys-hint")).toHaveCount(0);
  const row = page.locator(`#task-${task.id}`);
  await row.getByRole("button", { name: /^Unschedule/ }).press("Enter");
  await expect(page.locator(".result")).toContainText("“No keys” is unscheduled.");
  await expect(page.locator("[aria-keyshortcuts]")).toHaveCount(0);
  await expect(page.locator(".new-menu kbd")).toHaveCount(0);
  await page.keyboard.press("z");
  await page.keyboard.press("j");
  await expect(page.locator(".result")).toBeFocused();
  expect((await api.get(`/tasks/${task.id}`)).state).toBe("cancelled");
  await shortcuts(true);
});

test("later, Z undoes the change on the page of the task", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Undone later"), 86_400);
  await page.goto(`${server.url}/tasks/${task.id}`);
  await page.locator(".task-actions").getByRole("button", { name: /^Unschedule/ }).click();
  // Not twice at a time.
  await expect(page.getByRole("button", { name: "Undo: schedule again" })).toHaveCount(1);
  await page.goto(`${server.url}/tasks/${task.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await expect(page.locator(".result")).toHaveCount(0);
  await page.keyboard.press("z");
  await expect(page.locator(".result")).toContainText("Undone: “Undone later” is scheduled for");
});

test("an edited scheduled article offers both versions", async ({ page, server, api }) => {
  await api.pinAlways(true);
  await logIn(page, server, "creator");
  const article = await api.article("Two texts", "the scheduled words");
  await api.publishIn(article, 86_400);
  await page.goto(`${server.url}/articles/${article.id}`);
  const waiting = page.locator(".scheduled-card");
  await expect(waiting.getByRole("button", { name: "Publish now" })).toBeVisible();
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await page.locator("#body").fill("the edited words");
  await page.locator("#body").press("Control+S");
  // The label of the other one is final once the text is saved.
  await expect(waiting).toContainText("1 change is not in the scheduled version.");
  await waiting.getByText("Publish now …").click();
  await expect(waiting.getByRole("button", { name: "Publish the scheduled version" })).toBeVisible();
  await waiting.getByRole("button", { name: "Publish with 1 change" }).click();
  await expect.poll(async () => (await fetch(`${server.url}/site/${article.slug}`)).text()).toContain("the edited words");
  await expect(page.locator(".result")).toBeFocused();
});

test("the skip link moves the focus to the page", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("a result lies over the page, which stays where it is, and has a ring only after a key", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const tasks = [await api.publishIn(await api.article("Still page"), 86_400), await api.publishIn(await api.article("Still page too"), 86_401)];
  // Only these two: with the tasks of other tests the page is longer than the window, and a focus moves it.
  await page.goto(`${server.url}/tasks?state=scheduled&q=still`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const top = () => page.locator("main h1").evaluate((title) => title.getBoundingClientRect().top);
  const before = await top();
  const result = page.locator(".result"), ring = () => result.evaluate((bar) => getComputedStyle(bar).outlineStyle);
  const cancel = (task: { id: string }) => page.locator(`#task-${task.id}`).getByRole("button", { name: /^Unschedule/ });
  await cancel(tasks[0]).click();
  await expect(result).toBeFocused();
  expect(await ring()).toBe("none");
  expect(await top()).toBe(before);
  const box = (await result.boundingBox())!;
  expect(box.y + box.height).toBeGreaterThan(850);
  // Icon, sentence and undo are one line.
  expect(box.height).toBeLessThan(56);
  expect(box.y + box.height).toBeLessThan(900);
  await cancel(tasks[1]).press("Enter");
  await expect(result).toContainText("“Still page too” is unscheduled.");
  await expect(result).toBeFocused();
  expect(await ring()).toBe("solid");
  await page.keyboard.press("Escape");
  await expect(result).toHaveCount(0);
  expect(await top()).toBe(before);
});
