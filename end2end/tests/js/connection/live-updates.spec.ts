// Live updates: undo from the result and the task page, and the state of the desk: server killed, publishing paused.
import { expect, logIn, start, stop, test, Api } from "../../server";

test("a change is undone from the result and from the task page", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Undone twice"), 86_400);
  await page.goto(`${server.url}/tasks?state=all`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const row = page.locator(`#task-${task.id}`);
  await row.getByRole("button", { name: /^Unschedule/ }).click();
  await expect(row).toContainText("Cancelled");
  await page.locator(".result").getByRole("button", { name: /^Undo/ }).click();
  await expect(row).toContainText("Scheduled");
  await expect(page.locator(".result")).toContainText("Undone: “Undone twice” is scheduled for");

  await row.getByRole("link", { name: /^Reschedule/ }).click();
  const form = page.locator(".form-row");
  await expect(form.locator(".time-presets .chip")).toHaveCount(3);
  await form.locator(".time-presets .chip").last().click();
  await form.locator("button.main").click();
  await expect(page.locator(".result")).toContainText("“Undone twice” is rescheduled to Mon");
  await page.goto(`${server.url}/tasks/${task.id}`);
  await page.locator(".task-actions").getByRole("button", { name: /^Undo/ }).click();
  // The first undo reverted the cancellation.
  await expect(page.locator(".timeline li", { hasText: "undid" })).toHaveCount(2);
  expect((await api.get(`/tasks/${task.id}`)).due_at).toBe(task.due_at);
});

test("every page shows that the server is gone, and the engine state is unknown", async ({ context, request }) => {
  const server = await start({ users: true });
  const page = await context.newPage();
  await logIn(page, server, "creator");
  const api = new Api(request, server, server.token("creator"));
  const article = await api.article("Server is gone");
  const editor = await context.newPage();
  await editor.goto(`${server.url}/articles/${article.id}`);
  for (const one of [page, editor]) await expect(one.locator(".desk-status")).toHaveAttribute("data-status", "live");
  for (const one of [page, editor]) await expect(one.locator("html")).toHaveAttribute("data-live", "");
  server.process.kill("SIGKILL");
  const offline = [page, editor].map((one) => expect(one.locator(".desk-status")).toHaveAttribute("data-status", "offline"));
  await Promise.all(offline);
  for (const one of [page, editor]) {
    await expect(one.locator('[data-banner="offline"]')).toContainText(/Offline since \d\d:\d\d \w+\. .* Publishing does not depend on it\./);
    await expect(one.locator(".banner")).toHaveCount(1);
  }
  await stop(server);
});

test("a pause is shown on every open page, and an admin resumes or undoes it there", async ({ browser, page, server }) => {
  // Channels of other tests on this server may fail.
  const publishing = /^(live|channels-failing)$/;
  await logIn(page, server, "admin");
  const context = await browser.newContext();
  const creator = await context.newPage();
  await logIn(creator, server, "creator");
  for (const one of [page, creator]) await expect(one.locator(".desk-status")).toHaveAttribute("data-status", publishing);
  const pause = async () => {
    await page.goto(`${server.url}/engine`);
    await expect(page.locator("html")).toHaveAttribute("data-live", "");
    await page.locator("main summary", { hasText: "Pause" }).click();
    await page.locator(".pause-form button.main").click();
    for (const [one, who] of [[page, "You"], [creator, "An admin"]] as const) {
      await expect(one.locator('[data-banner="paused"]')).toContainText(new RegExp(`^Publishing paused since \\d\\d:\\d\\d UTC\\. ${who} paused it\\.`));
      await expect(one.locator(".desk-status")).toHaveText(/^Publishing paused since \d\d:\d\d UTC$/);
    }
    // The page of the engine says it itself.
    await expect(page.locator(".desk-status")).toBeHidden();
    await expect(page.locator(".banner")).toBeHidden();
    await expect(creator.locator(".desk-status")).toBeVisible();
  };
  await pause();
  await expect(creator.locator(".banner button")).toHaveCount(0);
  await page.goto(`${server.url}/articles`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator(".banner").getByRole("button", { name: "Resume" }).click();
  await expect(page.locator(".result")).toContainText("Publishing is resumed.");
  for (const one of [page, creator]) await expect(one.locator(".desk-status")).toHaveAttribute("data-status", publishing);
  await pause();
  await page.keyboard.press("z");
  await expect(page.locator(".result")).toContainText("Publishing is resumed.");
  await expect(creator.locator(".banner")).toBeHidden();
  await context.close();
});
