// The day is a time grid with one column: whole lines, moving, creating, what has no lane, and the keys of the calendar.
import { type Page } from "@playwright/test";
import { MeetingApi } from "../../meetings";
import { expect, logIn, test } from "../../server";
import { boxOf, centre, drag, dueAt, hourAt, item, nextDay, open, publishAt, talk, wednesday } from "./board";

// All hours are in the window.
test.use({ viewport: { width: 1280, height: 1700 } });

const current = (page: Page) => page.locator(".calendar-views [aria-current]");

test("height is length, overlaps are side by side, and a line has time, title and state", async ({ page, server, api, request }) => {
  await logIn(page, server, "admin");
  const date = wednesday(20);
  const meetings = MeetingApi.of(request, server, "admin");
  const long = await meetings.post("/meetings", talk("Long day talk", date, "10:00", "11:30"));
  const short = await meetings.post("/meetings", talk("Short day talk", date, "11:00", "11:30"));
  await publishAt(api, "Published in the day", `${date}T14:30`);
  await open(page, server, `date=${date}&view=day`);
  const [ten, two] = [await boxOf(page, `[data-hour="${date}T10:00"]`), await boxOf(page, `[data-hour="${date}T14:00"]`)];
  const [first, second] = [await boxOf(page, `[data-item="meeting.${long.id}"]`), await boxOf(page, `[data-item="meeting.${short.id}"]`)];
  expect(Math.abs(first.y - ten.y)).toBeLessThanOrEqual(1);
  expect(Math.abs(first.height - 1.5 * ten.height)).toBeLessThanOrEqual(3);
  expect(first.x + first.width).toBeLessThanOrEqual(second.x + 1);
  expect(second.x + second.width).toBeLessThanOrEqual(ten.x + ten.width + 1);
  const line = (await item(page, "Published in the day").boundingBox())!;
  expect(Math.abs(line.y - (two.y + two.height / 2))).toBeLessThanOrEqual(1);
  expect(line.width).toBeGreaterThan(ten.width - 8);
  await expect(item(page, "Long day talk")).toContainText("10:00–11:30");
  await expect(item(page, "Published in the day")).toContainText("14:30");
  await expect(item(page, "Published in the day").locator(".phase")).toHaveText("Scheduled");
  // A label is beside its hour.
  const label = (await page.locator(".time-labels > div", { hasText: "10:00" }).boundingBox())!;
  expect(Math.abs(label.y - ten.y)).toBeLessThanOrEqual(1);
});

test("an item is dragged to another quarter, and an empty hour asks what to make", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(30);
  const task = await publishAt(api, "Dragged down", `${date}T09:00`);
  await open(page, server, `date=${date}&view=day`);
  await drag(page, await centre(page, `[data-item="${task.id}"] > a`), await hourAt(page, date, "15:00", 2));
  await expect(page.locator(".calendar-ghost")).toContainText("15:30");
  await page.mouse.up();
  await expect(page.locator(".result")).toContainText("Dragged down");
  expect(await dueAt(api, task)).toBe(`${date}T15:30:00.000Z`);
  const free = await hourAt(page, date, "12:00", 1);
  await page.mouse.click(free.x, free.y);
  await expect(page).toHaveURL(new RegExp(`new=${date}T12(:|%3A)15`));
  await expect(page.locator(".calendar-panel")).toContainText("12:15");
  // By its link: the whole hour.
  await page.getByRole("link", { name: "New at 13:00" }).press("Enter");
  await expect(page).toHaveURL(new RegExp(`new=${date}T13(:|%3A)00`));
});

test("what has no lane is behind its number", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(41);
  for (let number = 0; number <= 9; number++) await publishAt(api, `Burst ${number}`, `${date}T10:00`);
  await open(page, server, `date=${date}&view=day`);
  const number = page.locator(".time-more summary");
  await expect(number).toHaveText("+7");
  await expect(number).toHaveAccessibleName(/^\+7 more: Wed .*10:00$/);
  await expect(item(page, "Burst")).toHaveCount(10);
  await expect(item(page, "Burst").filter({ visible: true })).toHaveCount(3);
  // What is shown has room for its title, not for its time only.
  for (const shown of await item(page, "Burst").filter({ visible: true }).all()) {
    expect((await shown.boundingBox())!.width).toBeGreaterThan(180);
  }
  await number.click();
  await expect(item(page, "Burst").filter({ visible: true })).toHaveCount(10);
  await expect(page.locator(".time-more .calendar-item").first().locator(".phase")).toHaveText("Scheduled");
});

test("on a phone the day is the time grid too, and fits", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(51);
  await publishAt(api, "A title that is longer than the window of a phone is wide", `${date}T10:00`);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await open(page, server, `date=${date}&view=day`);
    const [hour, line] = [await boxOf(page, `[data-hour="${date}T10:00"]`), (await item(page, "A title").boundingBox())!];
    expect.soft(Math.abs(line.y - hour.y), `${width}`).toBeLessThanOrEqual(1);
    expect.soft(line.x + line.width, `${width}`).toBeLessThanOrEqual(width);
    await item(page, "A title").scrollIntoViewIfNeeded();
    await expect.soft(item(page, "A title").locator(".phase"), `${width}`).toBeInViewport();
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${width}`).toBeLessThanOrEqual(0);
  }
});

test("on a phone items beside each other keep their titles, and the hours stay beside them", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(56);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [count, hour] of [[3, "10"], [4, "14"]] as const) {
    for (let number = 1; number <= count; number++) await publishAt(api, `Beside ${number} of ${count}`, `${date}T${hour}:00`);
    await open(page, server, `date=${date}&view=day`);
    const shown = item(page, `of ${count}`);
    await expect(shown).toHaveCount(count);
    for (const one of await shown.all()) expect.soft((await one.boundingBox())!.width, `${count}`).toBeGreaterThan(140);
    await shown.last().scrollIntoViewIfNeeded();
    await expect(shown.last().locator("a").first()).toBeInViewport({ ratio: 0.9 });
    const label = page.locator(".time-labels > div", { hasText: `${hour}:00` });
    await expect(label.locator("span")).toBeInViewport({ ratio: 0.9 });
    const [beside, first] = [(await label.boundingBox())!, (await shown.last().boundingBox())!];
    expect(beside.x).toBeGreaterThanOrEqual(0);
    expect(beside.x + beside.width).toBeLessThanOrEqual(first.x + 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
});

test("H and L change the day, T leads to today, 1 to 4 choose the view, and the focus stays", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(62);
  await publishAt(api, "Has the focus", `${date}T09:00`);
  await open(page, server, `date=${date}&view=day`);
  await item(page, "Has the focus").locator("a").first().focus();
  await page.keyboard.press("l");
  await expect(page).toHaveURL(new RegExp(`date=${nextDay(date)}`));
  await expect(page.locator(".calendar-main")).toBeFocused();
  await page.keyboard.press("h");
  await expect(page).toHaveURL(new RegExp(`date=${date}`));
  await expect(page.locator(".calendar-main")).toBeFocused();
  for (const [key, view] of [["1", "Month"], ["2", "Week"], ["4", "Agenda"], ["3", "Day"]]) {
    await page.keyboard.press(key);
    await expect(current(page)).toHaveText(view);
    await expect(page.locator(".calendar-main")).toBeFocused();
  }
  await expect(page).toHaveURL(new RegExp(`date=${date}`));
  await page.keyboard.press("t");
  await expect(page).not.toHaveURL(/date=/);
  await expect(current(page)).toHaveText("Day");
  await expect(page.locator(".calendar-main")).toBeFocused();
  // Letters that are typed into a field are letters.
  await page.locator("summary", { hasText: "Filters" }).click();
  await page.locator("#calendar-zone").focus();
  await page.keyboard.press("1");
  await expect(current(page)).toHaveText("Day");
});

test("J and K go from item to item, and no further than the last one", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(72);
  for (const hour of ["09", "11", "13"]) await publishAt(api, `Item of ${hour}`, `${date}T${hour}:00`);
  await open(page, server, `date=${date}&view=day`);
  const link = (hour: string) => item(page, `Item of ${hour}`).locator("a").first();
  await page.keyboard.press("j");
  await expect(link("09")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  await expect(link("13")).toBeFocused();
  await page.keyboard.press("j");
  await expect(link("13")).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowUp");
  await expect(link("09")).toBeFocused();
  await page.keyboard.press("k");
  await expect(link("09")).toBeFocused();
  // While an item is moved, the keys belong to the move.
  await page.keyboard.press("m");
  await expect(page.locator(".calendar-carry")).toBeFocused();
  await page.keyboard.press("1");
  await page.keyboard.press("l");
  await expect(current(page)).toHaveText("Day");
  await expect(page).toHaveURL(new RegExp(`date=${date}`));
  await page.keyboard.press("Escape");
  await expect(link("09")).toBeFocused();
});

test("an empty day says so and offers an hour, above the hours", async ({ page, server }) => {
  await logIn(page, server, "creator");
  const date = wednesday(104);
  await open(page, server, `date=${date}&view=day`);
  await expect(page.locator(".calendar-main")).toContainText("Nothing is planned on this day.");
  await expect(page.locator("[data-hour]")).toHaveCount(24);
  // Days have dates, hours have times.
  await expect(page.getByRole("link", { name: /^New on / })).toHaveCount(0);
  await page.locator(".day-summary").getByRole("link", { name: "New at 09:00" }).click();
  await expect(page).toHaveURL(new RegExp(`new=${date}T09(:|%3A)00`));
  await open(page, server, `date=${date}&view=day&kind=meeting`);
  await expect(page.locator(".day-summary")).toContainText("Nothing matches");
  await open(page, server, `date=${date}&view=week`);
  await expect(page.getByRole("link", { name: /^New on Wed / })).toHaveCount(1);
});

for (const script of [true, false]) {
  test.describe(script ? "a day that opens" : "a day that opens without script", () => {
    test.use({ javaScriptEnabled: script, viewport: { width: 1280, height: 720 } });

    test("today opens at the present, below the dates", async ({ page, server }) => {
      await logIn(page, server, "creator");
      // East of UTC, so that it is evening there: the present is far from midnight.
      const shift = (20 - new Date().getUTCHours() + 24) % 24;
      const zone = shift == 0 ? "UTC" : shift <= 14 ? `Etc/GMT-${shift}` : `Etc/GMT+${24 - shift}`;
      await page.goto(`${server.url}/calendar?view=day&zone=${encodeURIComponent(zone)}`);
      await expect(page.locator('.time-labels [aria-current="time"]')).toBeInViewport();
      await expect(page.locator(".day-nav h2")).toBeInViewport();
      await expect(page.locator(".time-labels > div", { hasText: "20:00" })).toBeInViewport();
    });

    test("another day opens with the hours of work", async ({ page, server }) => {
      await logIn(page, server, "creator");
      await page.goto(`${server.url}/calendar?view=day&zone=UTC&date=${wednesday(95)}`);
      await expect(page.locator("#hour-0900")).toBeInViewport();
      expect(await page.evaluate(() => scrollY)).toBe(0);
    });
  });
}
