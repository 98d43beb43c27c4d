// Without JavaScript: rooms are added, meetings are booked, moved, approved, cancelled and brought back.
import { expect, logIn, test } from "../server";
import { MeetingApi, laterDay } from "../meetings";

test("an admin adds a room, edits it and archives it", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/rooms`);
  const add = page.locator('form[action="/fn/add_room"]');
  await add.locator('[name="room[name]"]').fill("Harbour");
  await add.locator('[name="room[capacity]"]').fill("6");
  await add.locator('[name="room[zone]"]').fill("Atlantis");
  await add.locator('button[type="submit"]').click();
  // A refused form keeps its input.
  await expect(page.locator(".problem")).toHaveCount(1);
  await expect(add.locator('[name="room[name]"]')).toHaveValue("Harbour");
  await add.locator('[name="room[zone]"]').fill("Europe/Berlin");
  await add.locator('button[type="submit"]').click();
  await expect(page.locator(".result")).toContainText("The room is added.");
  const row = page.locator(".room-settings-row", { hasText: "Harbour" });
  await row.getByRole("link", { name: /^Edit/ }).click();
  const edit = page.locator('form[action="/fn/edit_room"]');
  await edit.locator('[name="room[place]"]').fill("Second floor");
  await edit.locator('button[type="submit"]').click();
  await expect(row).toContainText("6 seats · Second floor");
  await row.getByRole("button", { name: /^Archive/ }).click();
  await expect(page.locator(".archived-rooms")).toContainText("Harbour");
  await page.locator(".archived-rooms").getByRole("button", { name: /^Restore/ }).click();
  await expect(page.locator(".archived-rooms")).toHaveCount(0);
});

test("a meeting is booked from the grid, collides, is moved, cancelled and brought back", async ({ page, server, request }) => {
  const room = await MeetingApi.of(request, server, "admin").room("Lighthouse");
  const date = laterDay();
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/rooms?date=${date}`);
  await page.locator("tr", { hasText: "Lighthouse" }).locator(".is-free a").first().click();
  await expect(page.locator('[name="room_id"]')).toHaveValue(room.id);
  await page.locator('[name="meeting[title]"]').fill("Tide tables");
  await page.locator("#meeting-time").fill("09:00");
  await page.locator("#meeting-end").fill("10:00");
  await page.locator('[name="meeting[attendees]"]').fill("Ann <ann@example.org>");
  await page.locator("form.meeting-form button.main").click();
  await expect(page.locator(".result")).toContainText("“Tide tables” is booked for");
  await expect(page.locator("h1")).toHaveText("Tide tables");
  await expect(page.locator(".attendee-list")).toContainText("ann@example.org");
  const meeting = page.url().split("?")[0];

  // The same time again: refused, everything typed stays, and what is in the way is named.
  await page.goto(`${server.url}/meetings/new?room=${room.id}&date=${date}&start=09:30&end=10:30`);
  await expect(page.locator(".availability")).toContainText("Tide tables");
  await page.locator('[name="meeting[title]"]').fill("Too late");
  await page.locator("form.meeting-form button.main").click();
  await expect(page.locator("form.meeting-form > .alert")).toContainText("“Tide tables”");
  await expect(page.locator('[name="meeting[title]"]')).toHaveValue("Too late");
  await expect(page.locator("#meeting-end")).toHaveValue("10:30");
  // Half-open: it may start when the other one ends.
  await page.locator("#meeting-time").fill("10:00");
  await page.locator("form.meeting-form button.main").click();
  await expect(page.locator("h1")).toHaveText("Too late");

  await page.goto(meeting);
  await page.getByText("Move or resize").click();
  await page.locator("#move-time").fill("08:00");
  await page.locator("#move-end").fill("09:30");
  await page.locator('form[action="/fn/move_meeting"] button.main').click();
  await expect(page.locator(".result")).toContainText("is moved to");
  await expect(page.locator(".task-sentence")).toContainText("08:00–09:30");

  await page.locator("summary", { hasText: "Cancel" }).click();
  await page.locator("#reason").fill("No boats");
  await page.getByRole("button", { name: "Cancel meeting" }).click();
  await expect(page.locator(".result")).toContainText("“Tide tables” is cancelled.");
  await expect(page.locator(".task-sentence")).toContainText("Reason: No boats");
  await page.locator(".result").getByRole("button", { name: "Undo: book again" }).click();
  await expect(page.locator(".result")).toContainText("Undone: “Tide tables”");
  await expect(page.locator(".state-strip [aria-current]")).toContainText("Confirmed");
});

test("a request is approved, and another one rejected with a reason", async ({ page, server, request }) => {
  const room = await MeetingApi.of(request, server, "admin").room("Council", { approval: "required" });
  const creator = MeetingApi.of(request, server, "creator");
  const first = await creator.meeting("Budget", room, "10:00", "11:00");
  const second = await creator.meeting("Party", room, "11:00", "12:00");
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/meetings?state=to_approve`);
  await expect(page.locator(".list-row")).toHaveCount(2);
  await page.locator(`#meeting-${first.id}`).getByRole("button", { name: /^Approve/ }).click();
  await expect(page.locator(".result")).toContainText("“Budget” is approved.");
  await expect(page.locator(".list-row")).toHaveCount(1);
  await page.locator(`#meeting-${second.id} a.title`).click();
  await page.locator("summary", { hasText: "Reject" }).click();
  await page.locator("#reason").fill("Not here");
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await expect(page.locator(".result")).toContainText("“Party” is rejected.");
  await expect(page.locator(".state-strip [aria-current]")).toContainText("Rejected");
  expect((await creator.get(`/meetings/${first.id}`)).state).toBe("confirmed");
});

test("an end before the start is refused at its field", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/meetings/new?date=${laterDay()}&start=10:00&end=09:00`);
  await page.locator('[name="meeting[title]"]').fill("Backwards");
  await page.locator("form.meeting-form button.main").click();
  await expect(page.locator("#meeting-end-problem")).toHaveText("must be after the start");
  await expect(page.locator("#meeting-end")).toHaveValue("09:00");
});

test("a free room is found by time, seats and equipment", async ({ page, server, request }) => {
  const admin = MeetingApi.of(request, server, "admin");
  await admin.room("Cabin", { capacity: 2 });
  await admin.room("Barn", { capacity: 60 });
  const hall = await admin.room("Hall", { capacity: 90, equipment: ["Projector"] });
  const date = laterDay(15);
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/rooms`);
  await page.locator(".find-room summary").click();
  await page.locator("#find-date").fill(date);
  await page.locator("#find-start").fill("09:00");
  await page.locator("#find-end").fill("10:00");
  await page.locator("#find-people").fill("40");
  await page.locator("#find-equipment").fill("projector");
  await page.locator(".find-room button").click();
  const found = page.locator(".found-rooms");
  await expect(found.getByRole("link")).toHaveCount(1);
  await found.getByRole("link", { name: /Book Hall/ }).click();
  await expect(page.locator('[name="room_id"]')).toHaveValue(hall.id);
  await expect(page.locator("#meeting-date")).toHaveValue(date);
  await expect(page.locator(".availability")).toContainText("Hall is free then.");
});

test("a series is previewed, booked around another meeting, moved from one on, and brought back", async ({ page, server, request }) => {
  const api = MeetingApi.of(request, server, "admin");
  const room = await api.room("Boathouse", { zone: "UTC" });
  await api.meeting("Regatta", room, "09:00", "10:00");
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/meetings/new?room=${room.id}&date=${laterDay(7)}&start=09:00&end=10:00&zone=UTC`);
  await page.locator('[name="meeting[title]"]').fill("Rowing");
  await page.locator('[name="repeat[every]"]').selectOption("weekly");
  await page.locator('[name="repeat[count]"]').fill("6");
  const person = page.locator('[name="meeting[people][]"]').first();
  await person.check();
  await page.getByRole("button", { name: "Preview the meetings" }).click();
  await expect(page.locator('[name="meeting[title]"]')).toHaveValue("Rowing");
  await expect(page.locator(".series-preview ol li")).toHaveCount(6);
  await expect(person).toBeChecked();
  await person.uncheck();
  await expect(page.locator(".series-preview .is-taken")).toContainText("Regatta");
  await page.locator("form.meeting-form button.main").click();
  await expect(page.locator("form.meeting-form > .alert")).toContainText("1 of the 6 meetings");
  await expect(page.locator('[name="repeat[count]"]')).toHaveValue("6");
  await page.locator('[name="repeat[conflicts]"]').selectOption("skip");
  await page.locator("form.meeting-form button.main").click();
  await expect(page.locator(".result")).toContainText("“Rowing” is booked as a series");
  await expect(page.locator(".series-meetings li")).toHaveCount(5);
  await expect(page.locator(".series-conflicts")).toContainText("Regatta");

  await page.locator(".series-meetings a").first().click();
  const move = page.locator('form[action="/fn/move_meeting"]');
  await page.locator("summary", { hasText: "Move or resize" }).click();
  await expect(move.locator('[value="this"]')).toBeChecked();
  await move.locator('[value="following"]').check();
  await move.locator("#move-end").fill("11:00");
  await move.locator('button.main').click();
  await expect(page.locator(".result")).toContainText("are moved");
  await page.getByRole("button", { name: "Undo move of the series" }).first().click();
  await expect(page.locator(".result")).toContainText("Undone");
});

test("a desk without a mail server reminds the people of a meeting in its bell", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/meetings/new?date=${laterDay()}&start=14:00&end=14:30`);
  await page.locator('[name="meeting[title]"]').fill("Bell tower");
  await expect(page.locator('.reminder-chips input[value$=".mail"]')).toHaveCount(0);
  await page.locator('.reminder-chips input[value="start.10.bell"]').check();
  await page.locator("form.meeting-form button.main").click();
  await expect(page.locator("h1")).toHaveText("Bell tower");
  await expect(page.locator("main .timeline", { hasText: "in the desk for organizer and attendees" })).toHaveCount(1);
});
