// Drafts are dragged from the tray into the calendar.
import { type Page } from "@playwright/test";
import { Api, expect, logIn, test } from "../../server";
import { boxOf, centre, drag, dueAt, item, nextDay, open, publishAt, wednesday } from "./board";

const scheduled = async (api: Api, q: string) => (await api.get(`/tasks?state=scheduled&q=${q}`)).items.length as number;
const draft = (page: Page, title: string) => page.locator(".calendar-tray li", { hasText: title });

test("a draft is dragged from the tray to an hour, and undo brings it back", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(48);
  const article = await api.article("From the tray");
  await open(page, server, `date=${date}&view=day`);
  await expect(draft(page, "From the tray")).toBeVisible();
  // Both ends of the drag have to be in the window.
  await page.setViewportSize({ width: 1280, height: 4000 });
  const row = await boxOf(page, `[data-hour="${date}T14:00"]`);
  await drag(page, await centre(page, `[data-item="draft.${article.id}"] > a`), { x: row.x + 200, y: row.y + row.height * 0.4 });
  await expect(page.locator(".calendar-ghost")).toContainText("14:15");
  await page.mouse.up();
  await expect(page.locator(".result")).toContainText("“From the tray” is scheduled for");
  await expect(item(page, "From the tray")).toContainText("14:15");
  await expect(draft(page, "From the tray")).toHaveCount(0);
  expect(await scheduled(api, "tray")).toBe(1);
  await page.keyboard.press("z");
  await expect(page.locator(".result")).toContainText("Undone");
  await expect(draft(page, "From the tray")).toBeVisible();
  await expect(item(page, "From the tray")).toHaveCount(0);
});

test("a draft that is dropped on a taken slot is asked about and inserted", async ({ page, server, api, request }) => {
  await logIn(page, server, "creator");
  const date = wednesday(55);
  const admin = new Api(request, server, server.token("admin"));
  const plan = await admin.get("/slots");
  const days = Array.from({ length: 7 }, () => ({ times: ["10:00"] }));
  const saved = await admin.put("/slots", { seen_version: plan.version, zone: "UTC", days, holidays: [] });
  const first = await publishAt(api, "Has the slot", `${date}T10:00`);
  const article = await api.article("Comes between");
  await open(page, server, `date=${date}&view=day`);
  // Both ends of the drag have to be in the window.
  await page.setViewportSize({ width: 1280, height: 4000 });
  const row = await boxOf(page, `[data-hour="${date}T10:00"]`);
  await drag(page, await centre(page, `[data-item="draft.${article.id}"] > a`), { x: row.x + 400, y: row.y + 4 });
  await page.mouse.up();
  await expect(page.locator(".calendar-carry")).toContainText("“Has the slot” has this slot.");
  await page.keyboard.press("Enter");
  await expect(page.locator("h2")).toContainText("Insert “Comes between”");
  await page.getByRole("button", { name: "Insert here" }).click();
  await expect(page.locator(".result")).toContainText("2 items were changed.");
  expect(await dueAt(api, first)).toBe(`${nextDay(date)}T10:00:00.000Z`);
  await page.getByRole("button", { name: "Undo all" }).click();
  await expect(page.locator(".result")).toContainText("2 items are as before.");
  expect(await dueAt(api, first)).toBe(`${date}T10:00:00.000Z`);
  expect(await scheduled(api, "between")).toBe(0);
  // The other tests have no slots.
  await admin.put("/slots", { seen_version: saved.version, zone: "UTC", days: days.map(() => ({ times: [] })), holidays: [] });
});
