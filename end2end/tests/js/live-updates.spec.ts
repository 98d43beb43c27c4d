// Live updates: undo from the toast and the task page, and the indicator of a killed server.
import { expect, logIn, start, stop, test, Api } from "../server";

test("a change is undone from the toast and from the task page", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Undone twice"), 86_400);
  await page.goto(`${server.url}/tasks`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const row = page.locator(`#task-${task.id}`);
  await row.getByRole("button", { name: /^Cancel/ }).click();
  await expect(row).toContainText("Cancelled");
  await page.locator(".toast").getByRole("button", { name: /^Undo/ }).click();
  await expect(row).toContainText("Scheduled");
  await expect(page.locator(".toast")).toContainText("Scheduled for");

  await row.locator("summary").click();
  await expect(row.locator(".time-presets .chip")).toHaveCount(3);
  await row.locator(".time-presets .chip").last().click();
  await row.locator("button.main").click();
  await expect(page.locator(".toast")).toContainText("Rescheduled to Mon");
  await page.goto(`${server.url}/tasks/${task.id}`);
  await page.locator(".task-actions").getByRole("button", { name: /^Undo/ }).click();
  // The first undo reverted the cancellation.
  await expect(page.getByText("undid the last change")).toHaveCount(2);
  expect((await api.get(`/tasks/${task.id}`)).due_at).toBe(task.due_at);
});

test("every page shows within 5 s that the server is gone, and the engine state is unknown", async ({ context, request }) => {
  const server = await start({ users: true });
  const page = await context.newPage();
  await logIn(page, server, "creator");
  const api = new Api(request, server, server.token("creator"));
  const article = await api.article("Server is gone");
  const editor = await context.newPage();
  await editor.goto(`${server.url}/articles/${article.id}`);
  for (const one of [page, editor]) await expect(one.locator(".engine-indicator")).toHaveAttribute("data-engine", "running");
  for (const one of [page, editor]) await expect(one.locator("html")).toHaveAttribute("data-live", "");
  server.process.kill("SIGKILL");
  const unknown = [page, editor].map((one) => expect(one.locator(".engine-indicator")).toHaveAttribute("data-engine", "unknown", { timeout: 5_000 }));
  await Promise.all(unknown);
  for (const one of [page, editor]) {
    await expect(one.locator('[data-banner="stale"]')).toContainText(/Offline since \d\d:\d\d Berlin:/);
    await expect(one.locator('[data-banner="engine"]')).toHaveCount(0);
  }
  await stop(server);
});
