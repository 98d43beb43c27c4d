// Without JavaScript: a reminder is set, changed, put off, completed, cancelled and brought back.
import { expect, logIn, test } from "../server";
import { laterDay } from "../meetings";

test("a reminder is set, changed, cancelled and brought back", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/reminders`);
  const form = page.locator("form.reminder-form");
  await page.locator(".reminder-more > summary").click();
  await form.locator('[name="date"]').fill(laterDay());
  await form.locator('[name="time"]').fill("09:00");
  // A refused form keeps its input.
  await form.locator('[name="text"]').fill(" ");
  await form.locator('[name="to"]').selectOption("address");
  await form.locator('[name="address"]').fill("anna@example.org");
  await form.locator("button.main").click();
  await expect(page.locator(".reminder-form .problem")).toHaveCount(1);
  await expect(form.locator('[name="address"]')).toHaveValue("anna@example.org");
  await expect(form.locator('[name="time"]')).toHaveValue("09:00");
  await form.locator('[name="text"]').fill("Ask for the picture");
  await form.locator('[name="to"]').selectOption("me");
  await form.locator("button.main").click();
  await expect(page.locator(".result")).toContainText("The reminder is set.");
  await page.locator(".result").getByRole("link", { name: "Show coming" }).click();
  const row = page.locator("tr.list-row", { hasText: "Ask for the picture" });
  await expect(row).toHaveCount(1);

  await row.hover();
  await row.getByRole("link", { name: /^Change/ }).click();
  await expect(form.locator('[name="text"]')).toHaveValue("Ask for the picture");
  await form.locator('[name="text"]').fill("Ask for both pictures");
  await form.locator("button.main").click();
  await expect(page.locator(".result")).toContainText("The reminder is changed.");
  const changed = page.locator("tr.list-row", { hasText: "Ask for both pictures" });
  await changed.hover();
  await changed.getByRole("button", { name: /^Cancel reminder/ }).click();
  await expect(page.locator(".result")).toContainText("The reminder is cancelled.");
  await expect(changed).toHaveCount(0);
  await page.locator(".result").getByRole("button", { name: "Undo" }).click();
  await expect(changed).toHaveCount(1);
});

test("one line sets a series; without a time it says so and keeps the line", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/reminders`);
  const line = page.locator('.line-form [name="line"]');
  await expect(page.locator(".reminder-form")).toBeHidden();
  await line.fill("Feed the fish");
  await page.locator(".line-form button.main").click();
  await expect(page.locator(".line-form [role=alert]")).toContainText("needs a time of day");
  await expect(line).toHaveValue("Feed the fish");
  const day = new Date(Date.now() + 3 * 86_400_000).toLocaleDateString("en-GB", { weekday: "long" });
  await line.fill(`Feed the fish every ${day} 9am`);
  await page.locator(".line-form button.main").click();
  await expect(page.locator(".result")).toContainText("The reminder is set.");
  await page.goto(`${server.url}/reminders?state=coming`);
  await expect(page.locator("tr.list-row", { hasText: "Feed the fish" })).toContainText("Repeats every week on");
});

test("a reminder repeats: one is left out, then all are cancelled and brought back", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/reminders`);
  const form = page.locator("form.reminder-form");
  await page.locator(".reminder-more > summary").click();
  await form.locator('[name="text"]').fill("Plan the week");
  await form.locator('[name="date"]').fill(laterDay());
  await form.locator('[name="time"]').fill("09:00");
  await form.locator('[name="repeats"]').selectOption("weekly");
  await form.locator("button.main").click();
  await expect(page.locator(".result")).toContainText("The reminder is set.");
  await page.goto(`${server.url}/reminders?state=coming`);
  const row = page.locator("tr.list-row", { hasText: "Plan the week" });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("Repeats every week on");
  const first = await row.locator("time").first().getAttribute("datetime");
  await row.hover();
  await row.getByRole("button", { name: /^Cancel reminder/ }).click();
  await expect(page.locator(".result")).toContainText("The reminder is cancelled.");
  // The series is one row with its next date.
  await expect(row).toHaveCount(1);
  expect(await row.locator("time").first().getAttribute("datetime")).not.toBe(first);
  await row.hover();
  await row.getByRole("button", { name: /^Cancel all coming/ }).click();
  await expect(page.locator(".result")).toContainText("All coming reminders of the series are cancelled.");
  await expect(row).toHaveCount(0);
  await page.locator(".result").getByRole("button", { name: "Undo" }).click();
  await expect(row).toHaveCount(1);
});

test("a reminder is put off and completed", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/reminders`);
  const form = page.locator("form.reminder-form");
  await page.locator(".reminder-more > summary").click();
  await form.locator('[name="text"]').fill("Water the plants");
  await form.locator('[name="date"]').fill(laterDay());
  await form.locator('[name="time"]').fill("10:00");
  await form.locator("button.main").click();
  await page.locator(".result").getByRole("link", { name: "Show coming" }).click();
  const row = page.locator("tr.list-row", { hasText: "Water the plants" });
  await row.hover();
  await row.getByText("Snooze", { exact: true }).click();
  await row.getByRole("button", { name: /^1 h/ }).click();
  await expect(page.locator(".result")).toContainText("It is sent again later.");
  // In an hour: it may be of today, or of tomorrow.
  await page.goto(`${server.url}/reminders`);
  if ((await row.count()) === 0) await page.goto(`${server.url}/reminders?state=coming`);
  await row.hover();
  await row.getByRole("button", { name: /^Done/ }).click();
  await expect(page.locator(".result")).toContainText("Done.");
  await page.goto(`${server.url}/reminders?state=done`);
  await expect(row).toHaveCount(1);
});

test("the bell leads to the notifications", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.locator('.frame-head a[href="/notifications"]').first().click();
  await expect(page.locator("h1")).toHaveText("Notifications");
  // Other tests may have left some. Without an unread one there is nothing to mark.
  const mark = page.getByRole("button", { name: "Mark all as read" });
  if (await mark.count()) await mark.click();
  await expect(mark).toHaveCount(0);
  await page.getByRole("link", { name: "Notification settings" }).click();
  await page.getByLabel("By mail: A task of mine failed").selectOption("daily");
  await page.getByLabel("In the bell: A task of mine failed").uncheck();
  await page.locator('[name="quiet_from"]').fill("22:00");
  const save = page.locator('form[action="/fn/save_notification_choices"] button');
  await save.click();
  // Without its end there are no quiet hours: the form says so and keeps what was chosen.
  await expect(page.locator(".problem")).toHaveCount(1);
  await expect(page.locator('[name="quiet_from"]')).toHaveValue("22:00");
  await expect(page.getByLabel("In the bell: A task of mine failed")).not.toBeChecked();
  await page.locator('[name="quiet_until"]').fill("07:00");
  await save.click();
  await expect(page).toHaveURL(/[?&]r=[0-9a-f]{24}/);
  await page.goto(`${server.url}/settings/notifications`);
  await expect(page.getByLabel("By mail: A task of mine failed")).toHaveValue("daily");
  await expect(page.locator('[name="quiet_until"]')).toHaveValue("07:00");
});

test("an admin sets the mail server; a refused form keeps its input", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/mail`);
  await expect(page.locator(".notice")).toContainText("This desk has no mail server");
  await page.locator('[name="mail[host]"]').fill("mail.example.org");
  await page.locator('[name="mail[port]"]').fill("22");
  await page.locator('[name="mail[from]"]').fill("desk@example.org");
  await page.locator('form[action="/fn/set_mail_server"] button').click();
  await expect(page.locator(".problem")).toHaveCount(1);
  await expect(page.locator('[name="mail[host]"]')).toHaveValue("mail.example.org");
  await page.locator('[name="mail[port]"]').fill("587");
  await page.locator('form[action="/fn/set_mail_server"] button').click();
  await expect(page.locator(".result")).toContainText("The mail server is saved.");
  await expect(page.locator(".notice")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Send test message" })).toBeVisible();
});
