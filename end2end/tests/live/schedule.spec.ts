// The panel that gives an article its moment.
import { type Page } from "@playwright/test";
import { expect, logIn, test } from "../desk";

async function when(page: Page, date: string, time: string, zone: string) {
  await page.locator("#publish-zone").fill(zone);
  await page.locator("#publish-time").fill(time);
  await page.locator("#publish-date").fill(date);
}

test("a time that happens twice, not at all or no more is asked about before anything is scheduled", async ({ page, desk, api }) => {
  await logIn(page, desk, "creator");
  const article = await api.article("Which night");
  await page.goto(`${desk.url}/articles/${article.id}`);
  const panel = page.locator(".schedule-form");
  await expect(panel.locator(".quick")).toBeVisible();
  await when(page, "2027-10-31", "02:30", "Europe/Berlin");
  await expect(panel).toContainText("This time happens twice that night");
  await panel.getByRole("radio", { name: /UTC\+1/ }).check();
  await expect(panel).toContainText("Sun 31 Oct 2027, 01:30 UTC");
  await when(page, "2027-03-28", "02:30", "Europe/Berlin");
  await expect(panel).toContainText("This time does not exist");
  await expect(panel).not.toContainText("happens twice");
  await panel.getByRole("button", { name: "03:00" }).click();
  await expect(panel).toContainText("Sun 28 Mar 2027, 01:00 UTC");
  await when(page, "2020-01-01", "09:00", "Europe/Berlin");
  await expect(panel).toContainText("That moment has passed.");
  await expect(panel.getByRole("button", { name: /^Schedule for/ })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Publish now" })).toBeEnabled();
});

test("the button carries the moment; moving, replacing and cancelling can be taken back", async ({ page, desk, api }) => {
  await logIn(page, desk, "creator");
  const article = await api.article("Moved about", "one\n\ntwo\n\nthree");
  await page.goto(`${desk.url}/articles/${article.id}`);
  const panel = page.locator(".schedule");
  await expect(panel.locator(".quick")).toBeVisible();
  await when(page, "2027-06-09", "09:00", "Asia/Tokyo");
  await page.getByRole("button", { name: "Schedule for Wed 9 Jun 2027, 09:00 Tokyo" }).click();
  await expect(panel).toContainText("All set. It goes out on Wed 9 Jun 2027, 00:00 UTC.");
  await expect(panel.locator(".waiting-left")).toHaveText(/\d+ d \d\d:\d\d:\d\d/);

  await page.locator("#body").fill("ONE\n\ntwo\n\nTHREE\n\nand four");
  await page.locator("#body").press("Control+S");
  await expect(panel).toContainText("2 changes are not in the scheduled version.");
  await panel.getByRole("button", { name: "Replace it with the current text" }).click();
  await expect(panel).toContainText("The scheduled version is now the current text.");

  await panel.locator("summary").click();
  await page.locator("#move-time").fill("10:00");
  await panel.getByRole("button", { name: /^Move to Wed 9 Jun 2027, 10:00/ }).click();
  await expect(panel.locator(".waiting")).toContainText("Wed 9 Jun 2027, 10:00");
  await panel.getByRole("button", { name: /^Undo/ }).click();
  await expect(panel.locator(".waiting")).toContainText("Wed 9 Jun 2027, 00:00");

  await panel.getByRole("button", { name: "Unschedule" }).click();
  await expect(panel).toContainText("Unscheduled. It will not happen.");
  await expect(panel.locator(".waiting")).toHaveCount(0);
  await panel.getByRole("button", { name: /^Undo/ }).click();
  await expect(panel.locator(".waiting")).toContainText("Wed 9 Jun 2027, 00:00");
});

test("a public article is updated, renamed and taken off, and an undo brings it back", async ({ page, desk, api }) => {
  await logIn(page, desk, "creator");
  const article = await api.article("Out there", "first words");
  const site = (slug: string) => fetch(`${desk.url}/site/${slug}`, { redirect: "manual" });
  await page.goto(`${desk.url}/articles/${article.id}`);
  const panel = page.locator(".schedule");
  await expect(panel.locator(".quick")).toBeVisible();
  await panel.getByRole("button", { name: "Publish now" }).click();
  await expect(panel).toContainText("Readers see the current text.");
  await page.locator("#body").fill("second words");
  await panel.getByRole("button", { name: "Update now" }).click();
  await expect.poll(async () => (await site(article.slug)).text()).toContain("second words");
  await expect(panel).toContainText("Readers see the current text.");

  await page.locator("section.name summary").click();
  await page.locator('input[name="slug"]').fill("renamed-out-there");
  await page.locator('input[name="slug"]').press("Enter");
  await expect(page.locator(".workbench-side")).toContainText("/site/renamed-out-there");
  await expect.poll(async () => (await site(article.slug)).headers.get("location")).toContain("/site/renamed-out-there");

  await panel.locator("details summary").click();
  await panel.getByRole("button", { name: "Take off the site now" }).click();
  await expect.poll(async () => (await site("renamed-out-there")).status).not.toBe(200);
  await panel.getByRole("button", { name: /^Undo/ }).click();
  await expect.poll(async () => (await site("renamed-out-there")).status).toBe(200);
});

test("an undo stays on the task's page after the offer is over", async ({ page, desk, api }) => {
  await logIn(page, desk, "creator");
  const task = await api.publishIn(await api.article("Back from the timeline"), 86_400);
  await page.goto(`${desk.url}/tasks/${task.id}`);
  await page.getByRole("button", { name: /^Cancel/ }).click();
  await expect(page.locator("header .phase")).toContainText("Cancelled");
  await expect(page.getByText("nothing more can be done to it")).toHaveCount(0);
  await page.reload();
  await page.locator(".task-acts").getByRole("button", { name: /^Undo/ }).click();
  await expect(page.locator("header .phase")).toContainText("Scheduled");
  await expect(page.locator("main")).toContainText("took the last change back");
});
