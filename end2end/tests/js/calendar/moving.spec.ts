// The calendar in a browser: items are moved by mouse and touch, refused moves return, and times are chosen for something new.
import { Api, expect, logIn, test } from "../../server";
import { MeetingApi, laterDay } from "../../meetings";
import { boxOf, centre, day, drag, dueAt, item, nextDay, open, publishAt, wednesday } from "./board";

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

  // All hours are in the window.
  await page.setViewportSize({ width: 1280, height: 1700 });
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
  await page.setViewportSize({ width: 1280, height: 1700 });
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
  await page.setViewportSize({ width: 1280, height: 1700 });
  await open(page, server, `date=${date}&view=day`);
  const at = async (hour: string, part: number) => {
    const box = await boxOf(page, `[data-hour="${date}T${hour}:00"]`);
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
