// What a user types stays while another user changes what it is about, and a line says that there are changes.
import { laterDay } from "../../meetings";
import { MessageApi } from "../../messages";
import { Api, expect, logIn, start, stop, test } from "../../server";
import type { Page } from "@playwright/test";

const live = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-live", "");
const CHANGED = "This has changed meanwhile. Your input is kept.";

test("on the page of a task a typed time stays until the user shows the changes", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Slowly typed"), 86_400);
  await page.goto(`${server.url}/tasks/${task.id}`);
  await live(page);
  await page.locator("summary", { hasText: "Reschedule" }).click();
  const when = page.locator(`#when-${task.id}-when`);
  await when.fill(`${laterDay(20)} 09:00`);
  await api.post(`/tasks/${task.id}/cancel`, { seen_version: task.version });
  await expect(page.locator(".kept-view")).toContainText(CHANGED);
  await expect(when).toHaveValue(`${laterDay(20)} 09:00`);
  await expect(when).toBeFocused();
  await when.press("Enter");
  await expect(page.locator(".move-form .alert")).toContainText("This is cancelled");
  await page.getByRole("button", { name: "Discard my input and show the changes" }).click();
  await expect(page.locator("header .phase")).toContainText("Cancelled");
  await expect(page.locator("main")).not.toContainText(CHANGED);
});

test("on the dashboard and in the calendar a typed time stays, and a success ends the wait", async ({ page, request }) => {
  const server = await start({ users: true });
  const api = new Api(request, server, server.token("creator"));
  const [first, second] = [await api.publishIn(await api.article("Comes first"), 80_000), await api.publishIn(await api.article("Comes second"), 86_400)];
  await logIn(page, server, "creator");
  await live(page);
  const typed = `${laterDay(20)} 09:00`;
  const moveTo = (task: { id: string; version: number }, seconds: number) =>
    api.post(`/tasks/${task.id}/reschedule`, { seen_version: task.version, due_at: new Date(Date.now() + seconds * 1000).toISOString() });

  // The next task, in the headline.
  await page.locator(".upcoming summary", { hasText: "Reschedule" }).click();
  await page.locator(`#when-${first.id}-when`).fill(typed);
  const moved = await moveTo(first, 82_000);
  await expect(page.locator(".kept-view")).toContainText(CHANGED);
  await expect(page.locator(`#when-${first.id}-when`)).toHaveValue(typed);
  await page.locator(`#when-${first.id}-when`).press("Enter");
  await expect(page.locator(".upcoming .alert")).toContainText("This was changed in the meantime");
  expect((await api.get(`/tasks/${first.id}`)).due_at).toBe(moved.due_at);
  await page.locator(`#when-${first.id}-when`).press("Enter");
  await expect(page.locator(".result")).toContainText("“Comes first” is rescheduled to");
  await expect(page.locator(".upcoming h2")).toContainText("Comes second");
  await expect(page.locator(".kept-view")).not.toContainText(CHANGED);

  // A row of the list.
  const row = page.locator(`#task-${first.id}`);
  await row.hover();
  await row.getByRole("link", { name: "Reschedule “Comes first”" }).click();
  const when = page.locator(`.form-row #when-${first.id}-when`);
  await when.fill(`${laterDay(21)} 09:00`);
  await moveTo(await api.get(`/tasks/${first.id}`), 864_000);
  await expect(row).toContainText("in 10 d");
  await expect(when).toHaveValue(`${laterDay(21)} 09:00`);
  await when.press("Escape");
  await expect(when).toHaveCount(0);

  // The panel of the calendar.
  await page.goto(`${server.url}/calendar?move=${second.id}`);
  await live(page);
  const panel = page.locator(`.calendar-panel #when-${second.id}-when`);
  await panel.fill(`${laterDay(22)} 09:00`);
  await api.post(`/tasks/${second.id}/cancel`, { seen_version: second.version });
  await expect(page.locator(`a[href="/tasks/${second.id}"]`)).toHaveCount(0);
  await expect(panel).toHaveValue(`${laterDay(22)} 09:00`);
  await panel.press("Enter");
  await expect(page.locator(".calendar-panel .alert")).toContainText("This is cancelled");
  await stop(server);
});

test("the settings of a rule stay while signals arrive", async ({ page, server, request }) => {
  const messages = MessageApi.of(request, server, "admin");
  const channel = await messages.channel("Typed hook");
  const rule = await messages.post("/rules", {
    name: "Thanks",
    after: "order.thanked",
    wait: "PT1H",
    action: { type: "message", channel_id: channel.id, body: "Thank you." },
  });
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/rules/${rule.id}`);
  await live(page);
  await page.locator("summary", { hasText: "Edit rule" }).click();
  const name = page.locator('[name="rule[name]"]');
  await name.fill("Thanks, slowly");
  await messages.signal("order.thanked", "customer 9", "9");
  await expect(page.locator(".kept-view")).toContainText(CHANGED);
  await expect(name).toHaveValue("Thanks, slowly");
  await expect(name).toBeFocused();
});

test("the form of the first article stays when the desk is used meanwhile", async ({ page, request }) => {
  const server = await start({ users: true });
  await logIn(page, server, "admin");
  await live(page);
  const title = page.locator(".first-article #title");
  await title.fill("Slowly written");
  const creator = new Api(request, server, server.token("creator"));
  await creator.publishIn(await creator.article("Sooner"), 3_600);
  await expect(page.locator("main")).toContainText("Sooner");
  await expect(title).toHaveValue("Slowly written");
  await page.goto(server.url);
  await expect(page.locator(".first-article")).toHaveCount(0);
  await stop(server);
});
