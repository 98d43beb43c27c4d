// The week is a time grid: place is time, height is length, overlaps are beside each other; moving, resizing and creating by the mouse.
import { MeetingApi } from "../../meetings";
import { expect, logIn, test } from "../../server";
import { boxOf, centre, drag, dueAt, hourAt, item, nextDay, open, publishAt, talk, wednesday } from "./board";

test("place is time, height is length, and what overlaps is side by side", async ({ page, server, api, request }) => {
  await logIn(page, server, "admin");
  const date = wednesday(150);
  const meetings = MeetingApi.of(request, server, "admin");
  const long = await meetings.post("/meetings", talk("Long talk", date, "10:00", "11:30"));
  const short = await meetings.post("/meetings", talk("Short talk", date, "11:00", "11:30"));
  await publishAt(api, "A bar of its own", `${date}T14:30`);
  await open(page, server, `date=${date}&view=week`);
  const [ten, two] = [await boxOf(page, `[data-hour="${date}T10:00"]`), await boxOf(page, `[data-hour="${date}T14:00"]`)];
  const [first, second] = [await boxOf(page, `[data-item="meeting.${long.id}"]`), await boxOf(page, `[data-item="meeting.${short.id}"]`)];
  expect(Math.abs(first.y - ten.y)).toBeLessThanOrEqual(1);
  expect(Math.abs(first.height - 1.5 * ten.height)).toBeLessThanOrEqual(3);
  expect(first.x + first.width).toBeLessThanOrEqual(second.x + 1);
  expect(second.x + second.width).toBeLessThanOrEqual(ten.x + ten.width + 1);
  const bar = (await item(page, "A bar of its own").boundingBox())!;
  expect(Math.abs(bar.y - (two.y + two.height / 2))).toBeLessThanOrEqual(1);
  expect(bar.height).toBeGreaterThanOrEqual(23);
  // Hours in which nothing happens are low.
  expect((await boxOf(page, `[data-hour="${date}T03:00"]`)).height).toBeLessThan(ten.height / 2);
});

test("an item is dragged to another day and quarter, a meeting is made longer, and an empty hour asks what to make", async ({ page, server, api, request }) => {
  // All hours are in the window.
  await page.setViewportSize({ width: 1280, height: 1200 });
  await logIn(page, server, "admin");
  const date = wednesday(160);
  const article = await publishAt(api, "Dragged across", `${date}T09:00`);
  const meeting = await MeetingApi.of(request, server, "admin").post("/meetings", talk("Grows", date, "12:00", "12:30"));
  await open(page, server, `date=${date}&view=week`);
  await drag(page, await centre(page, `[data-item="${article.id}"] > a`), await hourAt(page, nextDay(date), "15:00", 2));
  await expect(page.locator(".calendar-ghost")).toContainText("15:30");
  await page.mouse.up();
  await expect(page.locator(".result")).toContainText("Dragged across");
  expect(await dueAt(api, article)).toBe(`${nextDay(date)}T15:30:00.000Z`);
  await page.locator(`[data-item="meeting.${meeting.id}"]`).hover();
  await drag(page, await centre(page, `[data-item="meeting.${meeting.id}"] .resize-item`), await hourAt(page, date, "13:00", 1));
  await page.mouse.up();
  await expect(page.locator(".result")).toContainText("Grows");
  await expect.poll(async () => (await api.get(`/meetings/${meeting.id}`)).ends_at).toBe(`${date}T13:30:00.000Z`);
  const free = await hourAt(page, date, "16:00", 1);
  await page.mouse.click(free.x, free.y);
  await expect(page).toHaveURL(new RegExp(`new=${date}T16(:|%3A)15`));
});

test("the present is a line in today's column", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await open(page, server, "view=week");
  const today = new Date().toISOString().slice(0, 10);
  await expect(page.locator(".now-line")).toHaveCount(1);
  const line = (await page.locator(".now-line").boundingBox())!;
  const hour = await boxOf(page, `[data-hour="${today}T${new Date().toISOString().slice(11, 13)}:00"]`);
  expect(line.y).toBeGreaterThanOrEqual(hour.y - 1);
  expect(line.y).toBeLessThanOrEqual(hour.y + hour.height + 1);
  await expect(page.locator(`[data-date="${today}"] .now-line`)).toHaveCount(1);
});

test("what has no lane is counted, and the number leads to the day at that hour", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(170);
  for (let number = 1; number <= 6; number++) await publishAt(api, `At once ${number}`, `${date}T18:00`);
  await open(page, server, `date=${date}&view=week`);
  await expect(item(page, "At once")).toHaveCount(1);
  const more = page.locator(`[data-date="${date}"] .time-more a`);
  await expect(more).toHaveText("+5");
  await expect(more).toHaveAccessibleName(/^\+5 more: Wed .*18:00$/);
  const [hour, number] = [await boxOf(page, `[data-hour="${date}T18:00"]`), (await more.boundingBox())!];
  expect(Math.abs(number.y - hour.y)).toBeLessThanOrEqual(1);
  expect(number.x + number.width).toBeLessThanOrEqual(hour.x + hour.width + 1);
  await more.click();
  await expect(page).toHaveURL(new RegExp(`view=day.*#hour-1800$`));
  await expect(item(page, "At once")).toHaveCount(6);
  await expect(page.locator("#hour-1800")).toBeInViewport();
});

test("the head is one row on a desk and at most two on a phone", async ({ page, server }) => {
  await logIn(page, server, "creator");
  const head = page.locator(".calendar-head");
  const several = page.getByRole("button", { name: "Select several" });
  const parts = [".day-nav [rel=prev]", ".day-nav [data-today]", ".day-nav [rel=next]", ".day-nav h2", ".calendar-views", ".calendar-filters > summary"];
  for (const view of ["month", "week", "day", "agenda"]) {
    for (const [width, height] of [[1280, 48], [390, 92]]) {
      await page.setViewportSize({ width, height: 800 });
      await open(page, server, `date=${wednesday(200)}&view=${view}`);
      expect.soft((await head.boundingBox())!.height, `${view} at ${width}`).toBeLessThanOrEqual(height);
      for (const part of [...parts.map((part) => page.locator(part)), several]) {
        const box = (await part.boundingBox())!;
        expect.soft(box.x + box.width, `${view} at ${width}: ${part}`).toBeLessThanOrEqual(width);
        await expect.soft(part).toBeInViewport();
      }
      const title = page.locator(".day-nav h2");
      if (width == 1280) expect.soft(await title.evaluate((title) => title.scrollWidth - title.clientWidth), view).toBeLessThanOrEqual(1);
    }
  }
  await expect(page.locator(".calendar-filters > summary")).toHaveAttribute("title", "Times in UTC");
  // A date is chosen behind its button, which closes with the choice.
  await page.locator(".go-to > summary").click();
  await page.locator("#date").fill(wednesday(210));
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`date=${wednesday(210)}`));
  await expect(page.locator("#date")).toBeHidden();
  // It has the date that is shown, also after another one was typed there.
  await page.locator(".day-nav [rel=next]").click();
  await expect(page).not.toHaveURL(new RegExp(`date=${wednesday(210)}`));
  await page.locator(".go-to > summary").click();
  await expect(page.locator("#date")).toHaveValue(new URL(page.url()).searchParams.get("date")!);
  await page.keyboard.press("Escape");
  await expect(page.locator("#date")).toBeHidden();
  // While items are selected the bar is in the place of the head.
  const before = (await boxOf(page, ".calendar-main")).y;
  await several.click();
  await expect(page.locator(".selection-bar")).toContainText("Press");
  expect((await boxOf(page, ".calendar-main")).y).toBe(before);
});
