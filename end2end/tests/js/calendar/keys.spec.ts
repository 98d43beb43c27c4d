// The calendar by keys: an item is moved and left, and the focus stays where it is expected.
import { expect, logIn, test } from "../../server";
import { day, dueAt, hourAt, item, nextDay, open, publishAt, wednesday } from "./board";

test("M, arrows and Enter move an item, and Z moves it back", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(20);
  const task = await publishAt(api, "Keyed away", `${date}T09:00`);
  await open(page, server, `date=${date}`);
  await item(page, "Keyed away").locator("a").first().focus();
  await page.keyboard.press("m");
  const panel = page.locator(".calendar-carry");
  await expect(panel).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(panel.locator("[role=status]")).toContainText("09:30");
  // It is already shown on that day.
  await expect(day(page, nextDay(date)).locator(".calendar-item")).toContainText("09:30");
  await page.keyboard.press("Enter");
  await expect(page.locator(".result")).toContainText("“Keyed away” is rescheduled to");
  await expect(page.locator(".calendar-carry")).toHaveCount(0);
  await expect(page.locator(".result")).toBeFocused();
  // Only the result says it.
  await expect(page.locator("p.visually-hidden[role=status]").filter({ hasText: /\S/ })).toHaveCount(0);
  expect(await dueAt(api, task)).toBe(`${nextDay(date)}T09:30:00.000Z`);
  await page.keyboard.press("z");
  await expect(page.locator(".result")).toContainText("Undone");
  await expect(day(page, date).locator(".calendar-item")).toContainText("Keyed away");
  expect(await dueAt(api, task)).toBe(`${date}T09:00:00.000Z`);
});

test("Escape leaves an item where it was and returns the focus", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(27);
  const task = await publishAt(api, "Stays here", `${date}T09:00`);
  await open(page, server, `date=${date}&view=week`);
  await item(page, "Stays here").locator("a").first().focus();
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowLeft");
  await expect(day(page, nextDay(date, -1)).locator(".calendar-item")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(day(page, date).locator(".calendar-item")).toHaveCount(1);
  await expect(item(page, "Stays here").locator("a").first()).toBeFocused();
  // A day out of view is followed.
  await page.keyboard.press("m");
  await page.keyboard.press("PageDown");
  await expect(page).toHaveURL(new RegExp(`date=${nextDay(date, 7)}`));
  await page.keyboard.press("Escape");
  expect(await dueAt(api, task)).toBe(`${date}T09:00:00.000Z`);
});

test("after a move by keys the keys go on with the item", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(83);
  await publishAt(api, "Moved on", `${date}T09:00`);
  await publishAt(api, "Stays beside", `${nextDay(date)}T08:00`);
  await open(page, server, `date=${date}&view=week`);
  const link = item(page, "Moved on").locator("a").first();
  await link.focus();
  await page.keyboard.press("m");
  await expect(page.locator(".calendar-carry")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.locator(".result")).toBeFocused();
  // The keys are about the moved item, though the result has the focus.
  await page.keyboard.press(" ");
  await expect(item(page, "Moved on")).toHaveClass(/is-selected/);
  await page.keyboard.press("Escape");
  await expect(page.locator(".result")).toHaveCount(0);
  await expect(link).toBeFocused();
  await page.keyboard.press("m");
  await expect(page.locator(".calendar-carry")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(link).toBeFocused();
});

test("the link to the other items of a day leaves the focus on the page", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(90);
  for (let number = 0; number < 8; number++) await publishAt(api, `Full day ${number}`, `${date}T1${number}:00`);
  await open(page, server, `date=${date}`);
  await day(page, date).locator("a.more").press("Enter");
  await expect(page).toHaveURL(/view=day/);
  await expect(item(page, "Full day 7")).toBeVisible();
  await expect(page.locator("main")).toBeFocused();
});

test("? opens help about the calendar beside it, and Escape returns the focus", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  const date = wednesday(41);
  await publishAt(api, "Read about", `${date}T09:00`);
  await open(page, server, `date=${date}&view=week`);
  const link = item(page, "Read about").locator("a").first();
  await link.focus();
  await page.keyboard.press("?");
  const panel = page.locator("#help-panel");
  await expect(panel.locator("#help-panel-title")).toHaveText("Help: Calendar");
  await expect(panel.locator("#help-panel-title")).toBeFocused();
  const move = panel.locator("tr", { hasText: "Move the item that has the focus" });
  await expect(move.locator("kbd")).toHaveText(["M"]);
  await expect(panel.locator("dt", { hasText: "Posting slot" })).toBeVisible();
  // A press inside does not close it.
  await panel.locator("dt", { hasText: "Posting slot" }).click();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(link).toBeFocused();
  // The link in the frame opens the same panel, on this page.
  await page.locator("a[data-help]").first().click();
  await expect(panel.locator("#help-panel-title")).toHaveText("Help: Calendar");
  await expect(page).toHaveURL(/\/calendar/);
  await panel.getByRole("button", { name: "Close" }).click();
  // Without a connection it says so.
  await context.setOffline(true);
  await page.keyboard.press("?");
  await expect(panel.locator(".help-failed")).toContainText("Help could not be loaded");
  await context.setOffline(false);
  await panel.getByRole("link", { name: "All help" }).click();
  await expect(page).toHaveURL(`${server.url}/help`);
  await expect(panel).toBeHidden();
});

test("the question what to make is at the cell with the focus, and Escape returns it", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(97);
  await publishAt(api, "Before the new", `${date}T11:00`);
  const panel = page.locator(".calendar-new");
  const isBeside = async (selector: string) => {
    await expect(panel.getByRole("link", { name: "An article" })).toBeFocused();
    const [asked, cell] = [(await panel.boundingBox())!, (await page.locator(selector).boundingBox())!];
    expect(asked.y).toBeLessThanOrEqual(cell.y + cell.height + 2);
    expect(asked.y + asked.height).toBeGreaterThanOrEqual(cell.y - 2);
    expect(asked.x).toBeLessThanOrEqual(cell.x + cell.width);
    expect(asked.x + asked.width).toBeGreaterThanOrEqual(cell.x);
  };
  // In the month by the key N, in the week by a link and by a press, in the day at the hour of the item.
  await open(page, server, `date=${date}`);
  const link = item(page, "Before the new").locator("a").first();
  await link.focus();
  await page.keyboard.press("n");
  await isBeside(`[data-date="${date}"]`);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(link).toBeFocused();
  await open(page, server, `date=${date}&view=week`);
  const more = day(page, date).locator(".new-item");
  await more.press("Enter");
  await isBeside(`[data-hour="${date}T09:00"]`);
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  const free = await hourAt(page, nextDay(date), "12:00", 1);
  await page.mouse.click(free.x, free.y);
  await isBeside(`[data-hour="${nextDay(date)}T12:00"]`);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(page.locator(".calendar-main")).toBeFocused();
  await open(page, server, `date=${date}&view=day`);
  await link.focus();
  await page.keyboard.press("n");
  await expect(page).toHaveURL(new RegExp(`new=${date}T11(:|%3A)00`));
  await isBeside("#hour-1100");
  await page.keyboard.press("Escape");
  await expect(link).toBeFocused();
});

test("the days are one tab stop, and the arrows go to items and days", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(104);
  for (const hour of ["09", "11"]) await publishAt(api, `Wednesday ${hour}`, `${date}T${hour}:00`);
  await publishAt(api, "Thursday 10", `${nextDay(date)}T10:00`);
  const link = (title: string) => item(page, title).locator("a").first();
  const isInside = () => page.evaluate(() => document.activeElement!.closest(".time-grid, .calendar-grid, .calendar-days") != null);
  for (const view of ["month", "week", "agenda"]) {
    await open(page, server, `date=${date}&view=${view}`);
    await link("Wednesday 09").focus();
    await page.keyboard.press("ArrowDown");
    await expect(link("Wednesday 11")).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await expect(link("Thursday 10")).toBeFocused();
    await page.keyboard.press("ArrowLeft");
    await expect(link("Wednesday 09")).toBeFocused();
    // Its own action, then what is after the days.
    await page.keyboard.press("Tab");
    await expect(item(page, "Wednesday 09").locator(".move-item")).toBeFocused();
    await page.keyboard.press("Tab");
    expect.soft(await isInside(), view).toBe(false);
    await link("Wednesday 09").focus();
    await page.keyboard.press("Shift+Tab");
    expect.soft(await isInside(), view).toBe(false);
    await expect(page).toHaveURL(new RegExp(`date=${date}`));
  }
  // An empty day has the focus by its link; from there Tab leads to its +.
  await open(page, server, `date=${date}&view=week`);
  await link("Wednesday 09").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(day(page, nextDay(date, -1)).locator("h3 a")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(day(page, nextDay(date, -1)).locator(".new-item").first()).toBeFocused();
});

test("an item that lands behind a number keeps the focus, and so does one in an open list", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(111);
  for (let number = 1; number <= 4; number++) await publishAt(api, `Full quarter ${number}`, `${date}T10:00`);
  await publishAt(api, "Lands behind", `${date}T09:30`);
  await open(page, server, `date=${date}&view=week`);
  await expect(day(page, date).locator(".time-more a")).toHaveText("+3");
  await item(page, "Lands behind").locator("a").first().focus();
  await page.keyboard.press("m");
  await expect(page.locator(".calendar-carry")).toBeFocused();
  const words = page.locator(".calendar-carry [role=status]");
  for (let step = 0; step < 12 && !(await words.textContent())!.includes("10:00"); step++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.locator(".result")).toBeFocused();
  await expect(day(page, date).locator(".time-more a")).toHaveText("+4");
  await page.keyboard.press("Escape");
  await expect(page.locator(".result")).toHaveCount(0);
  const focused = () => page.evaluate(() => document.activeElement!.closest(".time-items") != null);
  await expect.poll(focused).toBe(true);
  // In the day the list behind the number opens again when another client changes the day.
  await open(page, server, `date=${date}&view=day`);
  const number = page.locator(".time-more summary");
  await expect(number).toHaveText("+2");
  await number.focus();
  await publishAt(api, "Full quarter 5", `${date}T10:00`);
  await expect(number).toHaveText("+3");
  await expect.poll(focused).toBe(true);
  await number.click();
  const listed = page.locator(".time-more .calendar-item > a:first-child").first();
  const title = await listed.textContent();
  await listed.focus();
  await publishAt(api, "Full quarter 6", `${date}T10:00`);
  await expect(number).toHaveText("+4");
  await expect(listed).toBeFocused();
  expect(await listed.textContent()).toBe(title);
});
