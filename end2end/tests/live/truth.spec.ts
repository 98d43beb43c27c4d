// Scripts are on: every change can be taken back at once, and a dead engine is red on the screen.
import { expect, logIn, start, stop, test, Api } from "../desk";

test("what was done is taken back from the toast, and from the timeline", async ({ page, desk, api }) => {
  await logIn(page, desk, "creator");
  const task = await api.publishIn(await api.article("Taken back twice"), 86_400);
  await page.goto(`${desk.url}/tasks`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const row = page.locator(`#task-${task.id}`);
  await row.getByRole("button", { name: /^Cancel/ }).click();
  await expect(row).toContainText("Cancelled");
  await page.locator(".toast").getByRole("button", { name: /^Undo/ }).click();
  await expect(row).toContainText("Scheduled");
  await expect(page.locator(".toast")).toContainText("Scheduled for");

  await row.locator("summary").click();
  await expect(row.locator(".quick .chip")).toHaveCount(3);
  await row.locator(".quick .chip").last().click();
  await row.locator("button.main").click();
  await expect(page.locator(".toast")).toContainText("Moved to Mon");
  await page.goto(`${desk.url}/tasks/${task.id}`);
  await page.locator(".task-acts").getByRole("button", { name: /^Undo/ }).click();
  // The cancellation was taken back, too.
  await expect(page.getByText("took the last change back")).toHaveCount(2);
  expect((await api.get(`/tasks/${task.id}`)).due_at).toBe(task.due_at);
});

test("a killed server is told on every page within 5 s, and nothing is claimed about its engine", async ({ context, request }) => {
  const desk = await start({ people: true });
  const page = await context.newPage();
  await logIn(page, desk, "creator");
  const api = new Api(request, desk, desk.token("creator"));
  const article = await api.article("Nobody is there");
  const editor = await context.newPage();
  await editor.goto(`${desk.url}/articles/${article.id}`);
  for (const one of [page, editor]) await expect(one.locator(".pulse")).toHaveAttribute("data-pulse", "alive");
  for (const one of [page, editor]) await expect(one.locator("html")).toHaveAttribute("data-live", "");
  desk.server.kill("SIGKILL");
  const red = [page, editor].map((one) => expect(one.locator(".pulse")).toHaveAttribute("data-pulse", "unknown", { timeout: 5_000 }));
  await Promise.all(red);
  for (const one of [page, editor]) {
    await expect(one.locator('[data-banner="stale"]')).toContainText(/Offline here since \d\d:\d\d/);
    await expect(one.locator('[data-banner="engine"]')).toHaveCount(0);
  }
  await stop(desk);
});
