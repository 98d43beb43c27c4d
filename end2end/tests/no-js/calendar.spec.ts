// Without JavaScript: the calendar is navigated, an item is moved and moved back, and an article takes a posting slot.
import { Api, expect, logIn, test } from "../server";
import { MeetingApi, laterDay } from "../meetings";

test("the calendar is navigated by links and a date", async ({ page, server, request }) => {
  const day = laterDay(40);
  const planned = { title: "Lighthouse tour", local_start: `${day}T10:00`, local_end: `${day}T11:00`, zone: "UTC" };
  await MeetingApi.of(request, server, "creator").post("/meetings", planned);
  await logIn(page, server, "creator");
  await page.getByRole("link", { name: "Calendar", exact: true }).first().click();
  await expect(page.locator("h1")).toHaveText("Calendar");
  await page.locator(".go-to > summary").click();
  await page.locator("#date").fill(day);
  await page.getByRole("button", { name: "Go", exact: true }).click();
  const item = page.locator(".calendar-item", { hasText: "Lighthouse tour" });
  await expect(item).toHaveCount(1);
  const month = await page.locator(".day-nav h2").textContent();
  await page.locator('.day-nav [rel="next"]').click();
  await expect(page.locator(".day-nav h2")).not.toHaveText(month!);
  await page.locator('.day-nav [rel="prev"]').click();
  await expect(page.locator(".day-nav h2")).toHaveText(month!);
  for (const view of ["Week", "Day", "Agenda", "Month"]) {
    await page.locator(".calendar-views").getByRole("link", { name: view, exact: true }).click();
    await expect(page.locator(".calendar-views [aria-current]")).toHaveText(view);
  }
  await page.goto(`${server.url}/calendar?date=${day}`);
  await page.locator(".calendar-day", { has: item }).locator(".day-link").click();
  await expect(page.locator("[data-hour]")).toHaveCount(24);
  await page.locator("summary", { hasText: "Filters" }).click();
  await page.locator("#calendar-kind").selectOption("article.publish");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(item).toHaveCount(0);
  await page.getByRole("link", { name: "Clear the filters" }).first().click();
  await expect(item).toHaveCount(1);
  // Something new begins with the hour that was chosen.
  await page.locator(".time-labels > div", { hasText: "14:00" }).locator(".new-item").click();
  await page.locator(".calendar-panel").getByRole("link", { name: "An article" }).click();
  await expect(page.locator('[name="time"]')).toHaveValue("14:00");
  await expect(page.locator('[name="date"]')).toHaveValue(day);
});

test("an article and a meeting are moved and moved back", async ({ page, server, request }) => {
  const api = new Api(request, server, server.token("creator"));
  const day = laterDay(50);
  const article = await api.post("/articles", { title: "Tide report", body: "text" });
  const task = await api.post("/tasks", { kind: "article.publish", target_id: article.id, local: `${day}T09:00`, zone: "UTC" });
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/calendar?date=${day}&view=day&zone=UTC`);
  const item = page.locator(".calendar-item", { hasText: "Tide report" });
  await item.getByRole("link", { name: "Move “Tide report”" }).click();
  const form = page.locator('form[action="/fn/move_task"]');
  await form.locator('[name="time"]').fill("15:30");
  await form.locator("button.main").click();
  await expect(page.locator(".result")).toContainText("Tide report");
  expect((await api.get(`/tasks/${task.id}`)).due_at).not.toBe(task.due_at);
  await page.locator(".result").getByRole("button", { name: "Undo reschedule" }).click();
  await expect(page.locator(".result")).toContainText("Undone");
  expect((await api.get(`/tasks/${task.id}`)).due_at).toBe(task.due_at);

  const planned = { title: "Harbour walk", local_start: `${day}T10:00`, local_end: `${day}T11:00`, zone: "UTC" };
  const meeting = await api.post("/meetings", planned);
  await page.goto(`${server.url}/calendar?date=${day}&view=day&zone=UTC`);
  await page.getByRole("link", { name: "Move “Harbour walk”" }).click();
  await page.locator("#move-time").fill("08:00");
  await page.locator("#move-end").fill("09:30");
  await page.locator('form[action="/fn/move_meeting"] button.main').click();
  await expect(page.locator(".result")).toContainText("is moved to");
  await page.locator(".result").getByRole("button", { name: "Undo move" }).click();
  expect((await api.get(`/meetings/${meeting.id}`)).starts_at).toBe(meeting.starts_at);
});

test("an article takes the next free posting slot", async ({ page, server, request }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/slots`);
  for (let day = 0; day < 7; day++) await page.locator(`[name="day${day}"]`).fill("10:00, 16:30");
  await page.locator('[name="off6"]').check();
  await page.locator('[name="holidays"]').fill("Christmas");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator(".problem")).toContainText("Christmas");
  await expect(page.locator('[name="off6"]')).toBeChecked();
  await page.locator('[name="holidays"]').fill("2030-12-25");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator(".slot-list li").first()).toBeVisible();

  const api = new Api(request, server, server.token("admin"));
  const article = await api.post("/articles", { title: "In a slot", body: "text" });
  const { next_free } = await api.get("/slots");
  await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
  await page.getByRole("button", { name: /^Next free slot/ }).click();
  await expect(page.locator(".result")).toContainText("In a slot");
  expect((await api.get("/slots")).next_free[0]).toBe(next_free[1]);
});
