// The calendar in a browser: items are moved by keys, mouse and touch, refused moves return, and times are chosen for something new.
import { type Locator, type Page } from "@playwright/test";
import { Api, expect, logIn, test, type Server } from "../../server";
import { MeetingApi, laterDay } from "../../meetings";

async function open(page: Page, server: Server, query: string) {
  await page.goto(`${server.url}/calendar?zone=UTC&${query}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  // The part of the page is hydrated.
  await expect(page.locator(".calendar-main")).toBeVisible();
}

const publishAt = async (api: Api, title: string, local: string) => {
  const article = await api.article(title);
  return api.post("/tasks", { kind: "article.publish", target_id: article.id, local, zone: "UTC" });
};
const dueAt = async (api: Api, task: { id: string }) => (await api.get(`/tasks/${task.id}`)).due_at as string;
const item = (page: Page, title: string) => page.locator(".calendar-item", { hasText: title });
const day = (page: Page, date: string) => page.locator(`[data-date="${date}"]`);
const nextDay = (date: string, days = 1) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** A Wednesday at least `days` ahead, so that the days around it are in one week. */
function wednesday(days: number) {
  const first = Date.now() + days * 86_400_000;
  const shift = (3 - new Date(first).getUTCDay() + 7) % 7;
  return new Date(first + shift * 86_400_000).toISOString().slice(0, 10);
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
}

/** Where an element is. A change may be replacing it at this moment. */
async function boxOf(page: Page, selector: string, nth = 0) {
  let box: Awaited<ReturnType<Locator["boundingBox"]>> = null;
  await expect(async () => {
    box = await page.locator(selector).nth(nth).boundingBox();
    expect(box).not.toBeNull();
  }).toPass();
  return box!;
}

async function centre(page: Page, selector: string, nth = 0) {
  const box = await boxOf(page, selector, nth);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

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

test("the mouse drags an item to another day and hour, and outside nothing changes", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(34);
  const task = await publishAt(api, "Dragged", `${date}T09:00`);
  await open(page, server, `date=${date}`);
  const grip = `.calendar-item[data-item="${task.id}"] > a`;
  const other = nextDay(date, -1);
  await drag(page, await centre(page, grip), await centre(page, `[data-date="${other}"]`));
  await expect(page.locator(".calendar-ghost")).toContainText("09:00");
  await expect(day(page, other)).toHaveClass(/is-target/);
  await page.mouse.up();
  await expect(page.locator(".result")).toContainText("“Dragged” is rescheduled to");
  await expect(page).toHaveURL(/calendar/);
  expect(await dueAt(api, task)).toBe(`${other}T09:00:00.000Z`);
  await expect(day(page, other).locator(".calendar-item")).toHaveCount(1);

  // Onto the heading of the page: it returns.
  await drag(page, await centre(page, grip), await centre(page, "h1"));
  await page.mouse.up();
  await expect(page.locator(".calendar-ghost")).toHaveCount(0);
  await expect(day(page, other).locator(".calendar-item")).toHaveCount(1);
  expect(await dueAt(api, task)).toBe(`${other}T09:00:00.000Z`);

  await open(page, server, `date=${other}&view=day`);
  const row = await boxOf(page, `[data-hour="${other}T14:00"]`);
  await drag(page, await centre(page, `[data-item="${task.id}"] > a`), { x: row.x + 200, y: row.y + row.height * 0.9 });
  await page.mouse.up();
  await expect(page.locator(".result")).toContainText("rescheduled");
  expect(await dueAt(api, task)).toBe(`${other}T14:45:00.000Z`);
});

test("a meeting is made longer by its end, and by keys", async ({ page, server, request }) => {
  const api = MeetingApi.of(request, server, "creator");
  const date = laterDay(41);
  const room = await MeetingApi.of(request, server, "admin").room("Watchtower");
  const planned = { title: "Long talk", room_id: room.id, local_start: `${date}T10:00`, local_end: `${date}T11:00`, zone: "Europe/Berlin" };
  const meeting = await api.post("/meetings", planned);
  await logIn(page, server, "creator");
  await open(page, server, `date=${date}&view=day`);
  const start = meeting.starts_at.slice(11, 13);
  const until = String(Number(start) + 3).padStart(2, "0");
  const row = await boxOf(page, `[data-hour="${date}T${until}:00"]`);
  await drag(page, await centre(page, ".resize-item"), { x: row.x + 200, y: row.y + row.height * 0.1 });
  await page.mouse.up();
  await expect(page.locator(".result")).toContainText("is moved to");
  let now = await api.get(`/meetings/${meeting.id}`);
  expect(now.starts_at).toBe(meeting.starts_at);
  expect(now.ends_at).toBe(`${date}T${until}:15:00.000Z`);
  expect([now.room_id, now.zone]).toEqual([room.id, "Europe/Berlin"]);
  await expect(item(page, "Long talk")).toContainText(`${until}:15`);
  await page.keyboard.press("Escape");
  await item(page, "Long talk").locator("a").first().focus();
  await page.keyboard.press("m");
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page.locator(".result")).toContainText("is moved to");
  now = await api.get(`/meetings/${meeting.id}`);
  expect(now.ends_at).toBe(`${date}T${until}:00:00.000Z`);
});

test("a refused drop returns with the reason", async ({ page, server, api, request }) => {
  await logIn(page, server, "creator");
  const date = wednesday(48);
  const task = await publishAt(api, "Contested", `${date}T09:00`);
  await open(page, server, `date=${date}`);
  // The change by another client is not seen yet when this one drops.
  await page.route("**/fn/place_item", async (route) => {
    await api.request.post(`${server.url}/api/v1/tasks/${task.id}/reschedule`, {
      data: { seen_version: 1, local: `${nextDay(date, 2)}T11:00`, zone: "UTC" },
      headers: { authorization: `Bearer ${api.token}` },
    });
    await route.continue();
  });
  await drag(page, await centre(page, `[data-item="${task.id}"] > a`), await centre(page, `[data-date="${nextDay(date)}"]`));
  await page.mouse.up();
  await expect(page.locator(".result.warn")).toContainText("“Contested” was not moved.");
  await expect(day(page, nextDay(date, 2)).locator(".calendar-item")).toContainText("11:00");
  await page.unroute("**/fn/place_item");

  // To a past time.
  await page.locator(".result").getByRole("button", { name: "Close" }).click();
  const soon = await api.publishIn(await api.article("Not back"), 3_600);
  const today = new Date().toISOString().slice(0, 10);
  await open(page, server, `date=${today}&view=agenda`);
  await item(page, "Not back").locator("a").first().focus();
  await page.keyboard.press("m");
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Enter");
  await expect(page.locator(".result.warn")).toContainText("has passed");
  expect(await dueAt(api, soon)).toBe(soon.due_at);

  // What belongs to another user says so.
  const theirs = new Api(request, server, server.token("admin"));
  const other = await publishAt(theirs, "Not mine", `${date}T12:00`);
  await open(page, server, `date=${date}&view=week`);
  await drag(page, await centre(page, `[data-item="${other.id}"] > a`), await centre(page, `[data-date="${nextDay(date)}"]`));
  await page.mouse.up();
  await expect(page.locator(".result.warn")).toContainText("“Not mine” belongs to Ada.");
  await expect(page).toHaveURL(/calendar/);
});

test("a drop on a doubled hour asks which one is meant", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  // The last Sunday of October: 03:00 becomes 02:00 in Berlin.
  let year = new Date().getUTCFullYear();
  const change = (of: number) => {
    const last = new Date(Date.UTC(of, 9, 31));
    return new Date(last.getTime() - last.getUTCDay() * 86_400_000).toISOString().slice(0, 10);
  };
  if (Date.parse(change(year)) < Date.now() + 3 * 86_400_000) year++;
  const [date, before] = [change(year), nextDay(change(year), -1)];
  const article = await api.article("Twice at night");
  const task = await api.post("/tasks", { kind: "article.publish", target_id: article.id, local: `${before}T02:30`, zone: "Europe/Berlin" });
  await page.goto(`${server.url}/calendar?zone=Berlin&date=${before}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const panel = page.locator(".calendar-carry");
  // The part of the page may not be hydrated yet.
  await expect(async () => {
    await drag(page, await centre(page, `[data-item="${task.id}"] > a`), await centre(page, `[data-date="${date}"]`));
    await page.mouse.up();
    await expect(panel).toContainText("UTC+2", { timeout: 2_000 });
  }).toPass();
  expect(await dueAt(api, task)).toBe(task.due_at);
  await panel.getByRole("button", { name: /^The second/ }).click();
  await expect(page.locator(".result")).toContainText("rescheduled");
  expect(await dueAt(api, task)).toBe(`${date}T01:30:00.000Z`);
});

test("a press on a time, or a drag over times, begins something new", async ({ page, server }) => {
  await logIn(page, server, "creator");
  const date = wednesday(62);
  await open(page, server, `date=${date}&view=day`);
  const at = async (hour: string, part: number) => {
    const box = await boxOf(page, `[data-hour="${date}T${hour}:00"] td`);
    return { x: box.x + box.width / 2, y: box.y + box.height * part };
  };
  const single = await at("11", 0.4);
  await page.mouse.click(single.x, single.y);
  await expect(page.locator(".calendar-panel")).toContainText("11:15");
  await expect(page.locator(".calendar-panel").getByRole("link", { name: "A reminder" })).toBeVisible();
  await drag(page, await at("14", 0.1), await at("15", 0.6));
  await expect(page.locator(".calendar-ghost")).toContainText("14:00–15:45");
  await page.mouse.up();
  await page.locator(".calendar-panel").getByRole("link", { name: "A meeting" }).click();
  await expect(page).toHaveURL(/start=14%3A00|start=14:00/);
  await expect(page).toHaveURL(/end=15%3A45|end=15:45/);
  // A free part of a day in the month.
  await open(page, server, `date=${date}`);
  const cell = await boxOf(page, `[data-date="${date}"]`);
  await page.mouse.click(cell.x + cell.width / 2, cell.y + cell.height - 8);
  await expect(page.locator(".calendar-panel")).toBeVisible();
  await page.locator(".calendar-panel").getByRole("link", { name: "A reminder" }).click();
  await expect(page).toHaveURL(new RegExp(`reminders\\?date=${date}`));
});

test("changes by others do not disturb a drag, and a full month stays small", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(69);
  const task = await publishAt(api, "In the air", `${date}T09:00`);
  for (let number = 0; number < 4; number++) await publishAt(api, `Full day ${number}`, `${date}T1${number}:00`);
  await open(page, server, `date=${date}`);
  expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(1_500);
  const from = await centre(page, `[data-item="${task.id}"] > a`);
  await drag(page, from, await centre(page, `[data-date="${nextDay(date)}"]`));
  const other = await publishAt(api, "Arrives meanwhile", `${nextDay(date, -1)}T08:00`);
  await page.mouse.move(from.x + 5, from.y + 5);
  const target = await centre(page, `[data-date="${nextDay(date, 2)}"]`);
  await page.mouse.move(target.x, target.y, { steps: 3 });
  await page.mouse.up();
  await expect(page.locator(".result")).toContainText("“In the air” is rescheduled");
  await expect(page.locator(`[data-item="${other.id}"]`)).toBeVisible();
  expect(await dueAt(api, task)).toBe(`${nextDay(date, 2)}T09:00:00.000Z`);
});

test.describe("touch", () => {
  test.use({ hasTouch: true });

  test("a long press drags, and scrolling moves nothing", async ({ page, server, api }) => {
    await logIn(page, server, "creator");
    const date = wednesday(76);
    const task = await publishAt(api, "Touched", `${date}T09:00`);
    await open(page, server, `date=${date}`);
    const client = await page.context().newCDPSession(page);
    const touch = (type: string, points: { x: number; y: number }[]) =>
      client.send("Input.dispatchTouchEvent", { type: type as "touchStart", touchPoints: points });
    const grip = `[data-item="${task.id}"] > a`;
    const from = await centre(page, grip);
    for (let turn = 0; turn < 20; turn++) {
      await touch("touchStart", [from]);
      for (let step = 1; step <= 4; step++) await touch("touchMove", [{ x: from.x, y: from.y - step * 20 }]);
      await touch("touchEnd", []);
    }
    await page.evaluate(() => scrollTo(0, 0));
    expect(await dueAt(api, task)).toBe(task.due_at);
    await expect(page.locator(".result, .calendar-ghost")).toHaveCount(0);

    const start = await centre(page, grip);
    const end = await centre(page, `[data-date="${nextDay(date)}"]`);
    await touch("touchStart", [start]);
    await expect(page.locator(".calendar-ghost")).toBeVisible();
    for (let step = 1; step <= 5; step++) {
      await touch("touchMove", [{ x: start.x + ((end.x - start.x) * step) / 5, y: start.y + ((end.y - start.y) * step) / 5 }]);
    }
    await touch("touchEnd", []);
    await expect(page.locator(".result")).toContainText("“Touched” is rescheduled");
    expect(await dueAt(api, task)).toBe(`${nextDay(date)}T09:00:00.000Z`);

    // Tap and tap: the menu's Move, then a day.
    await page.locator(".result").getByRole("button", { name: "Close" }).click();
    await item(page, "Touched").locator(".move-item").tap({ force: true });
    await expect(page.locator(".calendar-carry")).toBeVisible();
    const back = await centre(page, `[data-date="${date}"]`);
    await page.touchscreen.tap(back.x, back.y);
    await expect(page.locator(".result")).toContainText("“Touched”");
  });
});

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
  await expect(page.locator(".result")).toContainText("Changed: 2.");
  expect(await dueAt(api, first)).toBe(`${nextDay(date)}T10:00:00.000Z`);
  await page.getByRole("button", { name: "Undo all" }).click();
  await expect(page.locator(".result")).toContainText("As before again: 2.");
  expect(await dueAt(api, first)).toBe(`${date}T10:00:00.000Z`);
  expect(await scheduled(api, "between")).toBe(0);
  // The other tests have no slots.
  await admin.put("/slots", { seen_version: saved.version, zone: "UTC", days: days.map(() => ({ times: [] })), holidays: [] });
});

test("several are selected and dragged together, with one undo", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(62);
  const one = await publishAt(api, "One of two", `${date}T09:00`);
  const two = await publishAt(api, "Two of two", `${nextDay(date)}T11:00`);
  await open(page, server, `date=${date}`);
  await page.getByRole("button", { name: "Select several" }).click();
  await item(page, "One of two").click();
  await item(page, "Two of two").click();
  await expect(page.locator(".selection-bar")).toContainText("2 selected");
  await expect(item(page, "Two of two")).toHaveClass(/is-selected/);
  const grip = `.calendar-item[data-item="${one.id}"] > a`;
  await drag(page, await centre(page, grip), await centre(page, `[data-date="${nextDay(date, -1)}"]`));
  await page.mouse.up();
  await expect(page.locator(".result")).toContainText("Changed: 2.");
  expect(await dueAt(api, one)).toBe(`${nextDay(date, -1)}T09:00:00.000Z`);
  expect(await dueAt(api, two)).toBe(`${date}T11:00:00.000Z`);
  await page.keyboard.press("z");
  await expect(page.locator(".result")).toContainText("As before again: 2.");
  expect(await dueAt(api, two)).toBe(`${nextDay(date)}T11:00:00.000Z`);
  // By keys: the space bar selects, M moves both, Escape ends it.
  await expect(day(page, date).locator(".calendar-item")).toContainText("One of two");
  await expect(day(page, nextDay(date)).locator(".calendar-item")).toContainText("Two of two");
  for (const title of ["One of two", "Two of two"]) {
    await item(page, title).locator("a").first().focus();
    await page.keyboard.press(" ");
    await expect(item(page, title)).toHaveClass(/is-selected/);
  }
  // Another change on this day builds it again; the focus stays on the item.
  await publishAt(api, "Third on the day", `${nextDay(date)}T12:00`);
  await expect(day(page, nextDay(date)).locator(".calendar-item")).toHaveCount(2);
  await expect(item(page, "Two of two").locator("a").first()).toBeFocused();
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.locator(".result")).toContainText("Changed: 2.");
  expect(await dueAt(api, one)).toBe(`${nextDay(date)}T09:00:00.000Z`);
});
