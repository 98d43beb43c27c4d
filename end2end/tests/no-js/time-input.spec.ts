// Without JavaScript: scheduling and rescheduling, with ambiguous, skipped and past times.
import { type Page } from "@playwright/test";
import { expect, logIn, test } from "../server";

/** Fills the fields whose ids begin with `name`. */
async function when(page: Page, name: string, date: string, time: string, zone = "Europe/Berlin") {
  await page.locator(`#${name}-date`).fill(date);
  await page.locator(`#${name}-time`).fill(time);
  await page.locator(`#${name}-zone`).fill(zone);
}

test("ambiguous, skipped and past times are refused, and the input is kept", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Which night");
  await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
  const panel = page.locator("#schedule-publish");
  const send = () => panel.getByRole("button", { name: "Schedule" }).click();
  await when(page, "publish", "2020-01-01", "09:00");
  await send();
  await expect(panel).toContainText("This time has passed.");
  await expect(page.locator("#publish-date")).toHaveValue("2020-01-01");
  await expect(page.getByRole("button", { name: "Publish now" })).toBeVisible();
  await when(page, "publish", "2027-03-28", "02:30");
  await send();
  await expect(panel).toContainText("This time does not exist");
  await expect(panel.getByRole("button", { name: "03:00" })).toBeVisible();
  // Enter asks again; it presses none of the two times.
  await page.locator("#publish-zone").press("Enter");
  await expect(panel).toContainText("This time does not exist");
  await when(page, "publish", "2027-10-31", "02:30", "Mars/Base");
  await send();
  await expect(panel).toContainText("The time zone is unknown");
  await expect(page.locator("#publish-zone")).toHaveValue("Mars/Base");
  await when(page, "publish", "2027-10-31", "02:30");
  await send();
  await panel.getByRole("radio", { name: /UTC\+1/ }).check();
  await send();
  await expect(page.locator(".scheduled-card > .time-preview")).toContainText("Sun 31 Oct 2027, 01:30 UTC");
});

test("the task page refuses the same times when rescheduling, and undoes the change", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Rescheduled on its page"), 86_400);
  await page.goto(`${server.url}/tasks/${task.id}`);
  const move = page.locator(".task-actions details");
  const name = `when-${task.id}`;
  const send = () => move.locator("button.main").click();
  await move.locator("summary").click();
  await when(page, name, "2027-03-28", "02:30");
  await send();
  await expect(move).toContainText("This time does not exist");
  await move.getByRole("button", { name: "03:00" }).click();
  await expect(page.locator(".task-sentence")).toContainText("28 Mar 2027, 01:00");
  await move.locator("summary").click();
  await when(page, name, "2020-01-01", "09:00");
  await send();
  await expect(move).toContainText("This time has passed.");
  await when(page, name, "2027-10-31", "02:30");
  await send();
  await move.getByRole("radio", { name: /UTC\+2/ }).check();
  await send();
  await expect(page.locator(".task-sentence")).toContainText("31 Oct 2027, 00:30");
  await page.goto(`${server.url}/tasks/${task.id}`);
  await page.locator(".task-actions").getByRole("button", { name: /^Undo/ }).click();
  await expect(page.locator(".task-sentence")).toContainText("28 Mar 2027, 01:00");
});

test("the schedule follows what is saved", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Followed", "first words");
  const task = await api.publishIn(article, 86_400);
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.locator("#body").fill("second words");
  await page.getByRole("button", { name: "Save and choose a time" }).click();
  await expect(page.locator(".scheduled-card")).toContainText(/sends the version saved at (\w+ \d+ \w+ )?\d\d:\d\d\./);
  await expect(page.locator(".scheduled-card")).not.toContainText("newer typing");
  expect((await api.get(`/tasks/${task.id}`)).revision).toBe(2);
});

test("replace, cancel, publish and unpublish can each be undone", async ({ page, server, api }) => {
  await api.pinAlways(true);
  await logIn(page, server, "creator");
  const article = await api.article("Back and forth", "one\n\ntwo\n\nthree");
  const panel = page.locator(".schedule");
  const undo = page.locator(".result").getByRole("button", { name: /^Undo/ });
  await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
  for (const waits of [0, 1]) {
    await page.locator("#schedule-publish").getByRole("button", { name: "Schedule" }).click();
    await expect(page.locator(".result")).toContainText("is scheduled for");
    await expect(panel.getByRole("button", { name: /^Undo/ })).toBeHidden();
    if (waits === 0) await undo.click();
    await expect(panel.locator(".scheduled-card")).toHaveCount(waits);
  }
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.locator("#body").fill("ONE\n\ntwo\n\nTHREE");
  await page.getByRole("button", { name: "Save and choose a time" }).click();
  await expect(panel).toContainText("2 changes are not in the scheduled version.");
  await panel.getByRole("button", { name: "Use the current text" }).click();
  await expect(panel).not.toContainText("not in the scheduled version");
  await undo.click();
  await expect(panel).toContainText("2 changes are not in the scheduled version.");
  await panel.getByRole("button", { name: "Unschedule" }).click();
  await expect(panel.locator(".scheduled-card")).toHaveCount(0);
  await undo.click();
  await expect(panel.locator(".scheduled-card")).toHaveCount(1);
  await panel.getByText("Publish now …").click();
  await panel.getByRole("button", { name: "Publish the scheduled version" }).click();
  const status = () => fetch(`${server.url}/site/${article.slug}`).then((answer) => answer.status);
  await expect.poll(status).toBe(200);
  // The answer to the form may still be on its way.
  await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
  await panel.getByText("Unpublish …").click();
  await panel.getByRole("button", { name: "Unpublish now" }).click();
  await expect(page.locator(".result")).toContainText(/“Back and forth” is (being )?unpublished\./);
  await expect.poll(status).toBe(404);
  await undo.click();
  await expect.poll(status).toBe(200);
  await api.pinAlways(false);
});

test("a late form shows its error on a page that no longer contains the form", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Too late");
  const other = await context.newPage();
  for (const one of [page, other]) await one.goto(`${server.url}/articles/${article.id}?view=schedule`);
  await page.locator("#schedule-publish").getByRole("button", { name: "Schedule" }).click();
  await expect(page.locator(".scheduled-card")).toHaveCount(1);
  // The same time again would be accepted as a duplicate submit.
  await when(other, "publish", "2027-12-01", "09:00");
  await other.locator("#schedule-publish").getByRole("button", { name: "Schedule" }).click();
  await expect(other.getByRole("alert").filter({ visible: true })).toContainText("This article is already scheduled for");
  await page.getByRole("button", { name: "Unschedule" }).click();
  await expect(page.locator(".scheduled-card")).toHaveCount(0);
  await other.getByRole("button", { name: "Unschedule" }).click();
  // A duplicate cancel is accepted.
  await expect(other.locator(".scheduled-card")).toHaveCount(0);
  await expect(other.getByRole("alert").filter({ visible: true })).toHaveCount(0);
});

test("a city is accepted in both languages, and the form names it", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  for (const city of ["berlin", "柏林"]) {
    const article = await api.article(`In ${city}`);
    await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
    await expect(page.locator("#publish-zone")).toHaveValue("UTC");
    await expect(page.locator("#publish-when")).toBeHidden();
    await when(page, "publish", "2031-06-09", "09:00", city);
    await page.locator("#schedule-publish").getByRole("button", { name: "Schedule" }).click();
    await expect(page.locator(".scheduled-card > .time-preview")).toContainText("Mon 9 Jun 2031, 07:00 UTC");
  }
});
