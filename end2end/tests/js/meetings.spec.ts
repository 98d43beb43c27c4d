// Rooms and meetings with JavaScript: conflicts while choosing, undo by a key, live updates, arrow keys.
import { expect, logIn, test } from "../server";
import { MeetingApi, laterDay } from "../meetings";

test("the form says while choosing that the room is taken, and offers others", async ({ page, server, request }) => {
  const admin = MeetingApi.of(request, server, "admin");
  const [quay, pier] = [await admin.room("Quay"), await admin.room("Pier")];
  const taken = await admin.meeting("Stand-up", quay, "10:00", "11:00");
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/meetings/new?room=${pier.id}&date=${laterDay()}&start=10:00&end=11:00`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator("#meeting-zone").fill("UTC");
  const line = page.locator(".availability");
  await expect(line).toContainText("Pier is free then.");
  await page.locator("#meeting-room").selectOption(quay.id);
  await expect(line).toContainText("Quay is taken then:");
  await expect(line.getByRole("link", { name: /Stand-up/ })).toHaveAttribute("href", `/meetings/${taken.id}`);
  await expect(line).toContainText("Next free:");
  await line.getByRole("button", { name: /^Pier/ }).click();
  await expect(page.locator("#meeting-room")).toHaveValue(pier.id);
  await expect(line).toContainText("Pier is free then.");
  // Another person takes it meanwhile.
  await admin.meeting("First come", pier, "10:00", "11:00");
  await expect(line).toContainText("Pier is taken then:");
  await line.getByRole("button", { name: "Use that time" }).click();
  await expect(line).toContainText("Pier is free then.");
  await page.locator('[name="meeting[title]"]').fill("Second serve");
  await page.locator("form.meeting-form button.main").click();
  await expect(page.locator(".result")).toContainText("“Second serve” is booked for");
  await expect(page).toHaveURL(/\/meetings\/[0-9a-f-]{36}$/);
});

test("a refused booking names what is in the way and keeps the input", async ({ page, server, request }) => {
  const admin = MeetingApi.of(request, server, "admin");
  const room = await admin.room("Dock");
  await admin.meeting("In the way", room, "10:00", "11:00");
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/meetings/new?room=${room.id}&date=${laterDay()}&start=10:00&end=11:00`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator("#meeting-zone").fill("UTC");
  await page.locator('[name="meeting[title]"]').fill("Refused");
  await expect(page.locator(".availability")).toContainText("Dock is taken then:");
  await page.locator("form.meeting-form button.main").click();
  await expect(page.locator("form.meeting-form > .alert")).toContainText("“In the way”");
  await expect(page.locator('[name="meeting[title]"]')).toHaveValue("Refused");
});

test("the end follows the start to another day and back", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/meetings/new?date=2031-06-09&start=09:00&end=10:00`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const [when, end, endDate] = [page.locator("#meeting-when"), page.locator("#meeting-end"), page.locator("#meeting-end-date")];
  await when.fill("9 Jun 2031, 23:00");
  await when.blur();
  await expect(end).toHaveValue("00:00");
  await expect(endDate).toHaveValue("2031-06-10");
  await expect(endDate).toBeVisible();
  await when.fill("14:00");
  await when.blur();
  await expect(end).toHaveValue("15:00");
  await expect(endDate).toHaveValue("");
});

test("a meeting is cancelled with a reason, and Z brings it back", async ({ page, server, request }) => {
  const room = await MeetingApi.of(request, server, "admin").room("Buoy");
  const creator = MeetingApi.of(request, server, "creator");
  const meeting = await creator.meeting("Anchor talk", room, "10:00", "11:00");
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/meetings/${meeting.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator("summary", { hasText: "Cancel …" }).click();
  await page.locator("#reason").fill("Fog");
  await page.getByRole("button", { name: "Cancel meeting" }).click();
  const result = page.locator(".result");
  await expect(result).toContainText("“Anchor talk” is cancelled.");
  await expect(result).toBeFocused();
  await expect(page.locator(".state-strip [aria-current]")).toContainText("Cancelled");
  await page.keyboard.press("z");
  await expect(result).toContainText("Undone: “Anchor talk”");
  await expect(page.locator(".state-strip [aria-current]")).toContainText("Confirmed");
  expect((await creator.get(`/meetings/${meeting.id}`)).state).toBe("confirmed");
});

test("a request is approved in the list, and the organizer sees it at once", async ({ page, server, request, browser }) => {
  const admin = MeetingApi.of(request, server, "admin");
  const room = await admin.room("Bridge", { approval: "required" });
  const meeting = await MeetingApi.of(request, server, "creator").meeting("Captains", room, "10:00", "11:00");
  const theirs = await (await browser.newContext()).newPage();
  await logIn(theirs, server, "creator");
  await theirs.goto(`${server.url}/meetings/${meeting.id}`);
  await expect(theirs.locator(".state-strip [aria-current]")).toContainText("Requested");
  await expect(theirs.locator("html")).toHaveAttribute("data-live", "");
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/meetings?state=to_approve`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const row = page.locator(`#meeting-${meeting.id}`);
  await row.hover();
  await row.getByRole("button", { name: /^Approve/ }).click();
  await expect(page.locator(".result")).toContainText("“Captains” is approved.");
  await expect(row).toHaveCount(0);
  await expect(theirs.locator(".state-strip [aria-current]")).toContainText("Confirmed");
  await theirs.context().close();
});

test("arrow keys change the day, and a booking appears in the grid at once", async ({ page, server, request }) => {
  const admin = MeetingApi.of(request, server, "admin");
  const room = await admin.room("Harbour");
  const date = laterDay(20);
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/rooms?date=${date}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const row = page.locator("tr", { hasText: "Harbour" });
  await expect(row.locator(".is-busy")).toHaveCount(0);
  await admin.post("/meetings", { title: "Live one", room_id: room.id, local_start: `${date}T10:00`, local_end: `${date}T11:00`, zone: "Europe/Berlin" });
  await expect(row.locator(".is-busy")).toContainText("Live one");
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(`${server.url}/rooms?date=${laterDay(21)}`);
  await expect(row.locator(".is-busy")).toHaveCount(0);
  await page.keyboard.press("ArrowLeft");
  await expect(row.locator(".is-busy")).toContainText("Live one");
  await row.locator(".is-busy a").click();
  await expect(page.locator("h1")).toHaveText("Live one");
});

test("a running meeting is extended and ended", async ({ page, server, request }) => {
  const room = await MeetingApi.of(request, server, "admin").room("Engine room");
  const creator = MeetingApi.of(request, server, "creator");
  const starts_at = new Date(Date.now() + 2_000).toISOString();
  const ends_at = new Date(Date.now() + 1_200_000).toISOString();
  const meeting = await creator.post("/meetings", { title: "Right now", room_id: room.id, starts_at, ends_at });
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/meetings/${meeting.id}`);
  // The state changes by itself, without a reload.
  await expect(page.locator(".state-strip [aria-current]")).toContainText("In progress");
  await page.getByRole("button", { name: "Extend by 30 minutes" }).click();
  await expect(page.locator(".result")).toContainText("“Right now” is extended until");
  await page.getByRole("button", { name: "End now" }).click();
  await expect(page.locator(".result")).toContainText("“Right now” is ended.");
  await expect(page.locator(".state-strip [aria-current]")).toContainText("Ended");
});

test("typed details stay while another user changes the meeting, and replace the change only after it was said", async ({ page, server, request }) => {
  const creator = MeetingApi.of(request, server, "creator");
  const meeting = await creator.meeting("Harbour round", null, "10:00", "11:00");
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/meetings/${meeting.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator("summary", { hasText: "Edit details" }).click();
  const form = page.locator("form.meeting-form");
  const description = form.locator('[name="meeting[description]"]');
  await description.fill("Typed slowly");
  await creator.edit(meeting, { title: "Harbour circle" });
  await expect(page.locator("h1")).toHaveText("Harbour circle");
  await expect(description).toHaveValue("Typed slowly");
  await expect(description).toBeFocused();
  await form.locator("button.main").click();
  await expect(form.locator(".alert")).toContainText("This was changed in the meantime.");
  await expect(description).toHaveValue("Typed slowly");
  expect((await creator.get(`/meetings/${meeting.id}`)).title).toBe("Harbour circle");
  await form.locator("button.main").click();
  await expect(page.locator(".result")).toContainText("“Harbour round”");
  await expect(page.locator(".meeting-description")).toHaveText("Typed slowly");
  await expect(description).toBeHidden();
});

test("a typed time stays while another user cancels the meeting, and the refusal says so", async ({ page, server, request }) => {
  const creator = MeetingApi.of(request, server, "creator");
  const meeting = await creator.meeting("Short notice", null, "12:00", "13:00");
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/meetings/${meeting.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator("summary", { hasText: "Move or resize" }).click();
  const [form, when, typed] = [page.locator("form.move-form"), page.locator("#move-when"), `${laterDay(20)} 15:00`];
  await when.fill(typed);
  await creator.post(`/meetings/${meeting.id}/cancel`, { seen_version: meeting.version });
  await expect(page.locator(".state-strip [aria-current]")).toContainText("Cancelled");
  await expect(when).toHaveValue(typed);
  await expect(when).toBeFocused();
  await when.press("Enter");
  await expect(form.locator(".alert")).toContainText("This was changed in the meantime.");
  await when.press("Enter");
  await expect(form.locator(".alert")).toContainText("This is cancelled");
});

test("the day of the rooms opens at the hour that it is", async ({ page, server, request }) => {
  await MeetingApi.of(request, server, "admin").room("Open at all hours", { opening_hours: [{ from: "01:00", to: "23:30" }], zone: "UTC" });
  await logIn(page, server, "creator");
  await page.setViewportSize({ width: 800, height: 900 });
  await page.goto(`${server.url}/rooms`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const scroll = page.locator(".room-grid-scroll");
  /** Pixels between the names of the rooms and the heading of the current hour, or of the last one that can be reached. */
  const distance = () => scroll.evaluate((scroller) => {
    const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", hourCycle: "h23", timeZone: "UTC" }).format(new Date());
    const heads = [...scroller.querySelectorAll("thead th")];
    const head = heads.slice(1).find((one) => one.textContent === hour) ?? heads[1];
    const isAtEnd = scroller.scrollLeft + scroller.clientWidth >= scroller.scrollWidth - 1;
    const right = head.getBoundingClientRect().right <= scroller.getBoundingClientRect().right + 1;
    return isAtEnd && right ? 0 : Math.abs(head.getBoundingClientRect().left - heads[0].getBoundingClientRect().right);
  });
  await expect.poll(distance).toBeLessThan(3);
});

test("a short meeting is one line in the week of its room, with everything in its title", async ({ page, server, request }) => {
  const admin = MeetingApi.of(request, server, "admin");
  const room = await admin.room("Narrow room", { zone: "UTC" });
  await admin.meeting("Editorial conference", room, "09:00", "09:45");
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/rooms/${room.id}?date=${laterDay()}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const week = page.locator(".room-week");
  await expect(week.locator("thead th")).toHaveCount(8);
  const busy = week.locator(".is-busy a", { hasText: "Editorial conference" });
  await expect(busy).toHaveAttribute("title", /Editorial conference/);
  expect(await busy.locator("strong").evaluate((text) => text.getClientRects().length)).toBe(1);
  expect((await busy.locator("strong").boundingBox())!.height).toBeLessThan(24);
  const heights = await week.locator("tbody tr").evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
  expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(2);
});

test("a group ticks its members, each of whom can be removed, and leaves the rest of the form alone", async ({ page, server, request }) => {
  const admin = MeetingApi.of(request, server, "admin");
  const group = await admin.post("/groups", { name: `Board ${Date.now()}` });
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/groups`);
  const item = page.locator("li.panel", { hasText: group.name });
  await item.getByText("Change…").click();
  const boxes = item.locator('input[name^="members["]');
  for (const box of (await boxes.all()).slice(0, 3)) await box.check();
  await item.getByRole("button", { name: "Save group" }).click();
  await expect(page.getByText("The group is saved.")).toBeVisible();
  await page.goto(`${server.url}/meetings/new?date=${laterDay()}&start=10:00&end=11:00`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator('[name="meeting[title]"]').fill("Board meeting");
  const people = page.locator('[name="meeting[people][]"]');
  await expect(page.locator('[name="meeting[people][]"]:checked')).toHaveCount(0);
  await page.getByRole("button", { name: `Add ${group.name}` }).click();
  await expect(page.locator('[name="meeting[people][]"]:checked')).not.toHaveCount(0);
  await expect(page.locator('[name="meeting[title]"]')).toHaveValue("Board meeting");
  await expect(page).toHaveURL(/\/meetings\/new\?date=/);
  const ticked = await page.locator('[name="meeting[people][]"]:checked').count();
  await page.locator('[name="meeting[people][]"]:checked').first().uncheck();
  await expect(page.locator('[name="meeting[people][]"]:checked')).toHaveCount(ticked - 1);
  expect(await people.count()).toBeGreaterThanOrEqual(ticked);
});
