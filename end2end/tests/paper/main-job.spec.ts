// Scripts are off: an article is written, scheduled, and seen on the site; nothing typed is lost on the way.
import { type Page } from "@playwright/test";
import { expect, logIn, start, stop, test } from "../desk";

const step = (page: Page) => page.getByRole("button", { name: "Save, then choose when it goes out" });

test("a desk is set up once, with what was typed kept where it was refused", async ({ page }) => {
  const desk = await start({ people: false });
  const link = desk.said().match(/http\S+\/setup\S+/)![0];
  await page.goto(link);
  await page.locator('[name="name"]').fill("Ada");
  await page.locator('[name="email"]').fill("ada@example.org");
  await page.locator('[name="zone"]').fill("Mars/Base");
  await page.locator('[name="password"]').fill("short");
  await page.locator('button[type="submit"]').click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await expect(page.locator('[name="email"]')).toHaveValue("ada@example.org");
  await page.locator('[name="zone"]').fill("Europe/Berlin");
  await page.locator('[name="password"]').fill("correct horse one");
  await page.locator('button[type="submit"]').click();
  await expect(page.locator(".rail .who")).toHaveText("Ada");
  await page.goto(link);
  await expect(page.locator("main")).not.toContainText("Password");
  await stop(desk);
});

test("written, previewed, scheduled, and out at its second", async ({ page, desk }) => {
  await logIn(page, desk, "creator");
  await page.goto(`${desk.url}/articles/new`);
  await page.locator("#title").fill("On paper");
  await page.locator("#body").fill("# Tide\n\nThe boats leave at **dawn**.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator(".editor-preview strong")).toHaveText("dawn");
  // Typed and not saved: the step to the moments takes it along.
  await page.locator("#body").fill("The boats leave at **noon**.");
  await expect(page.locator(".schedule form")).toHaveCount(1 + 1);
  await expect(page.locator(".schedule form").first()).toBeHidden();
  await step(page).click();
  await expect(page.locator(".editor-preview strong")).toHaveText("noon");
  await expect(page.locator("#body")).toBeHidden();
  const soon = new Date(Date.now() + 5_000);
  await page.locator("#publish-date").fill(soon.toISOString().slice(0, 10));
  await page.locator("#publish-time").fill(soon.toISOString().slice(11, 19));
  await page.locator("#publish-zone").fill("UTC");
  await page.locator("#schedule-publish").getByRole("button", { name: "Schedule" }).click();
  await expect(page.locator(".done")).toContainText("All set. It goes out on");
  const site = () => fetch(`${desk.url}/site/on-paper`).then((answer) => answer.text());
  expect(await site()).not.toContain("noon");
  await expect.poll(site).toContain("<strong>noon</strong>");
  await page.reload();
  await expect(page.locator(".public-line")).toContainText("Readers see the current text.");
  await page.getByRole("link", { name: "Back to the text" }).click();
  await expect(page.locator("#body")).toHaveValue("The boats leave at **noon**.");
});

test("two pages open on one text: the second to save sees both, and neither is lost", async ({ page, desk, api, context }) => {
  await logIn(page, desk, "creator");
  const article = await api.article("Two pages", "base");
  const other = await context.newPage();
  for (const one of [page, other]) await one.goto(`${desk.url}/articles/${article.id}`);
  await page.locator("#body").fill("from the first");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/done=save/);
  await other.locator("#body").fill("from the second");
  await step(other).click();
  const conflict = other.locator(".conflict");
  await expect(conflict.locator('[name="mine"]')).toHaveValue("from the second");
  await expect(conflict.locator('[name="theirs"]')).toHaveValue("from the first");
  await expect(other.locator("#body")).toHaveValue("from the second");
  await conflict.getByRole("button", { name: "Save mine as the new revision" }).click();
  await expect(other).toHaveURL(/\/articles\/[0-9a-f-]{36}/);
  expect((await api.get(`/articles/${article.id}`)).body).toBe("from the second");
});

test("revisions are compared and brought back; the address changes and the old one leads on", async ({ page, desk, api }) => {
  await logIn(page, desk, "creator");
  const article = await api.article("Twice written", "first\n\nsame");
  await page.goto(`${desk.url}/articles/${article.id}`);
  await page.locator("#body").fill("second\n\nsame");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("link", { name: "Revisions" }).click();
  await expect(page.locator(".is-removed")).toContainText("first");
  await expect(page.locator(".is-added")).toContainText("second");
  await page.getByRole("button", { name: /^Restore/ }).click();
  await expect(page.locator("#body")).toHaveValue("first\n\nsame");
  await step(page).click();
  await page.getByRole("button", { name: "Publish now" }).click();
  await expect(page.locator(".done")).toContainText("All set.");
  await page.locator("section.name summary").click();
  await page.locator("#slug").fill("another-name");
  await page.locator("section.name form").getByRole("button").click();
  await expect(page.locator("section.name")).toContainText("/site/another-name");
  await expect
    .poll(async () => (await fetch(`${desk.url}/site/${article.slug}`, { redirect: "manual" })).headers.get("location"))
    .toContain("/site/another-name");
});
