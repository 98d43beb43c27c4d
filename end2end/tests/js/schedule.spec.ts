// The schedule panel.
import { type Page } from "@playwright/test";
import { expect, logIn, test } from "../server";

async function when(page: Page, date: string, time: string, zone: string) {
  await page.locator("#publish-zone").fill(zone);
  await page.locator("#publish-when").fill(`${date} ${time}`);
}

test("ambiguous, skipped and past times must be resolved before scheduling", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Which night");
  await page.goto(`${server.url}/articles/${article.id}`);
  const panel = page.locator(".schedule-form");
  await expect(panel.locator(".time-presets")).toBeVisible();
  await when(page, "2027-10-31", "02:30", "Europe/Berlin");
  await expect(panel).toContainText("This time occurs twice");
  await panel.getByRole("radio", { name: /UTC\+1/ }).check();
  await expect(panel).toContainText("Sun 31 Oct 2027, 01:30 UTC");
  await when(page, "2027-03-28", "02:30", "Europe/Berlin");
  await expect(panel).toContainText("This time does not exist");
  await expect(panel).not.toContainText("occurs twice");
  await panel.getByRole("button", { name: "03:00" }).click();
  await expect(panel).toContainText("Sun 28 Mar 2027, 01:00 UTC");
  await when(page, "2020-01-01", "09:00", "Europe/Berlin");
  await expect(panel).toContainText("This time has passed.");
  await expect(panel.getByRole("button", { name: /^Schedule for/ })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Publish now" })).toBeEnabled();
});

test("the schedule follows what is saved, and newer typing waits for Save now", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Followed", "first words");
  const task = await api.publishIn(article, 86_400);
  const pinned = async () => (await api.get(`/tasks/${task.id}`)).revision;
  await page.goto(`${server.url}/articles/${article.id}`);
  const panel = page.locator(".scheduled-card");
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await expect(panel).toContainText(/sends the version saved at (\w+ \d+ \w+ )?\d\d:\d\d\./);
  await page.locator("#body").fill("second words");
  await expect(panel).toContainText("; your newer typing is not in it.");
  await expect(page.locator(".save-state")).toHaveText(/^Saved at /);
  expect(await pinned()).toBe(1);
  await panel.getByRole("button", { name: "Save now" }).click();
  await expect(panel).not.toContainText("newer typing");
  expect(await pinned()).toBe(2);
  await expect(panel.getByRole("button", { name: "Save now" })).toHaveCount(0);
  await page.locator("#body").fill("third words");
  await page.locator("#body").press("Control+S");
  await expect.poll(pinned).toBe(3);
  await expect(panel).toContainText(/sends the version saved at (\w+ \d+ \w+ )?\d\d:\d\d\./);
});

test("the button names the time; reschedule, replace and cancel can be undone", async ({ page, server, api }) => {
  await api.pinAlways(true);
  await logIn(page, server, "creator");
  const article = await api.article("Moved about", "one\n\ntwo\n\nthree");
  await page.goto(`${server.url}/articles/${article.id}`);
  const panel = page.locator(".schedule");
  await expect(panel.locator(".time-presets")).toBeVisible();
  await when(page, "2027-06-09", "09:00", "Asia/Tokyo");
  await page.getByRole("button", { name: "Schedule for Wed 9 Jun 2027, 09:00 Tokyo" }).click();
  const result = page.locator(".result");
  await expect(result).toContainText("“Moved about” is scheduled for Wed 9 Jun 2027, 00:00 UTC.");
  await expect(panel.locator(".scheduled-countdown")).toHaveText(/\d+ d \d\d:\d\d:\d\d/);

  await page.locator("#body").fill("ONE\n\ntwo\n\nTHREE\n\nand four");
  await page.locator("#body").press("Control+S");
  await expect(panel).toContainText("2 changes are not in the scheduled version.");
  await panel.getByRole("button", { name: "Use the current text" }).click();
  await expect(result).toContainText("“Moved about” will be published with its current text.");

  await panel.getByText("Reschedule …").click();
  await page.locator("#move-when").fill("10:00");
  await panel.getByRole("button", { name: /^Reschedule to Wed 9 Jun 2027, 10:00/ }).click();
  await expect(panel.locator(".scheduled-card")).toContainText("Wed 9 Jun 2027, 10:00");
  // The live update may come before the result: its button undoes the change before until then.
  await expect(result).toContainText("“Moved about” is rescheduled to");
  await page.locator(".result").getByRole("button", { name: /^Undo/ }).click();
  await expect(panel.locator(".scheduled-card")).toContainText("Wed 9 Jun 2027, 00:00");

  await panel.getByRole("button", { name: "Unschedule" }).click();
  await expect(result).toContainText("“Moved about” is unscheduled.");
  await expect(panel.locator(".scheduled-card")).toHaveCount(0);
  await page.locator(".result").getByRole("button", { name: /^Undo/ }).click();
  await expect(panel.locator(".scheduled-card")).toContainText("Wed 9 Jun 2027, 00:00");
  await api.pinAlways(false);
});

test("a published article is updated, renamed and unpublished, and undo publishes it again", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Out there", "first words");
  const site = (slug: string) => fetch(`${server.url}/site/${slug}`, { redirect: "manual" });
  await page.goto(`${server.url}/articles/${article.id}`);
  const panel = page.locator(".schedule");
  await expect(panel.locator(".time-presets")).toBeVisible();
  await panel.getByRole("button", { name: "Publish now" }).click();
  await expect(panel).toContainText("Readers see the current revision.");
  await page.locator("#body").fill("second words");
  await panel.getByRole("button", { name: "Update now" }).click();
  await expect.poll(async () => (await site(article.slug)).text()).toContain("second words");
  await expect(panel).toContainText("Readers see the current revision.");

  await page.locator('input[name="slug"]').fill("renamed-out-there");
  await page.locator('input[name="slug"]').press("Enter");
  await expect(page.locator(".article-side")).toContainText(`/site/${article.slug}`);
  await expect.poll(async () => (await site(article.slug)).headers.get("location")).toContain("/site/renamed-out-there");

  await panel.locator("details summary").click();
  await panel.getByRole("button", { name: "Unpublish now" }).click();
  await expect.poll(async () => (await site("renamed-out-there")).status).not.toBe(200);
  await page.locator(".result").getByRole("button", { name: /^Undo/ }).click();
  await expect.poll(async () => (await site("renamed-out-there")).status).toBe(200);
});

test("undo stays on the task page after the result is gone", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Back from the timeline"), 86_400);
  await page.goto(`${server.url}/tasks/${task.id}`);
  await page.getByRole("button", { name: /^Unschedule/ }).click();
  await expect(page.locator("header .phase")).toContainText("Cancelled");
  await expect(page.locator(".task-sentence")).toContainText("Cancelled by Cora on ");
  // Without the result that the URL may name.
  await page.goto(`${server.url}/tasks/${task.id}`);
  await page.locator(".task-actions").getByRole("button", { name: /^Undo/ }).click();
  await expect(page.locator("header .phase")).toContainText("Scheduled");
  await expect(page.locator("main")).toContainText("Cora undid “Unschedule”");
});

test("what is missing is said before scheduling, and stops nothing", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Unfinished", "");
  await page.goto(`${server.url}/articles/${article.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const said = page.locator(".schedule .notice.warn");
  await expect(said).toHaveText(["The article has no text yet."]);
  await page.locator("#body").fill("Numbers TK\n\n![ ](chart.png)");
  await expect(said).toHaveText([/placeholder/, /A picture has no description/]);
  await when(page, "2027-06-09", "09:00", "UTC");
  await page.getByRole("button", { name: "Schedule for Wed 9 Jun 2027, 09:00 UTC" }).click();
  await expect(page.locator(".result")).toContainText("“Unfinished” is scheduled for");
});
