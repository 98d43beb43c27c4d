// Without JavaScript: writing, scheduling and publishing an article, without losing input.
import { type Page } from "@playwright/test";
import { expect, logIn, start, stop, test } from "../server";
import { fromSetUpToPublished } from "../set-up";

const step = (page: Page) => page.getByRole("button", { name: "Save and choose a time" });

test("set-up works once, and a refused form keeps its input", async ({ page }) => {
  const server = await start({ users: false });
  const link = server.output().match(/http\S+\/setup\S+/)![0];
  await page.goto(link);
  // The language comes first, and may be changed before anything is typed.
  await page.getByRole("link", { name: "中文" }).click();
  await expect(page.locator("h1")).toHaveText("设置工作台");
  await page.getByRole("link", { name: "English" }).click();
  await expect(page.locator("h1")).toHaveText("Set up this desk");
  await page.locator('[name="name"]').fill("Ada");
  await page.locator('[name="email"]').fill("ada@example.org");
  await page.locator('[name="zone"]').fill("Mars/Base");
  await page.locator('[name="password"]').fill("short");
  await page.locator('button[type="submit"]').click();
  // All problems at once, each at its field.
  await expect(page.locator(".problem")).toHaveCount(2);
  await expect(page.locator('[name="email"]')).toHaveValue("ada@example.org");
  await page.locator('[name="zone"]').fill("Europe/Berlin");
  await page.locator('[name="password"]').fill("correct horse one");
  await page.locator('button[type="submit"]').click();
  await expect(page.locator(".nav .nav-user")).toHaveText("Ada");
  await expect(page.locator(".first-steps > li")).toHaveCount(7);
  await expect(page.locator(".first-steps > .done")).toHaveCount(0);
  await page.goto(link);
  await expect(page.locator("main")).not.toContainText("Password");
  await stop(server);
});

test("from the set-up link to a published article: two clicks and five fields", async ({ page }) => {
  const server = await start({ users: false });
  await fromSetUpToPublished(page, server);
  await page.reload();
  await expect(page.locator("section[aria-labelledby=recent]")).toContainText("Hello");
  await expect(page.locator(".first-week").getByRole("link", { name: "See the public site" })).toBeVisible();
  await stop(server);
});

test("an article is written, previewed, scheduled and published on time", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/new`);
  await page.locator("#title").fill("On paper");
  await page.locator("#body").fill("# Tide\n\nThe boats leave at **dawn**.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator(".editor-preview strong")).toHaveText("dawn");
  // Unsaved input: the step to the schedule saves it.
  await page.locator("#body").fill("The boats leave at **noon**.");
  await expect(page.locator(".schedule form").first()).toBeHidden();
  await step(page).click();
  await expect(page.locator(".editor-preview strong")).toHaveText("noon");
  await expect(page.locator("#body")).toBeHidden();
  const soon = new Date(Date.now() + 5_000);
  await page.locator("#publish-date").fill(soon.toISOString().slice(0, 10));
  await page.locator("#publish-time").fill(soon.toISOString().slice(11, 19));
  await page.locator("#publish-zone").fill("UTC");
  await page.locator("#schedule-publish").getByRole("button", { name: "Schedule" }).click();
  await expect(page.locator(".result")).toContainText("“On paper” is scheduled for");
  const site = () => fetch(`${server.url}/site/on-paper`).then((answer) => answer.text());
  expect(await site()).not.toContain("noon");
  await expect.poll(site).toContain("<strong>noon</strong>");
  await page.reload();
  await expect(page.locator(".public-line")).toContainText("Readers see the current revision.");
  await page.getByRole("link", { name: "Back to the body" }).click();
  await expect(page.locator("#body")).toHaveValue("The boats leave at **noon**.");
});

test("a new article is scheduled in one step, and a refused time keeps the text", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/new`);
  await page.locator("#title").fill("In one step");
  await page.locator("#body").fill("Never saved before.");
  const schedule = page.locator(".schedule button.main");
  await page.locator("#publish-date").fill("2027-03-28");
  await page.locator("#publish-time").fill("02:30");
  await page.locator("#publish-zone").fill("Europe/Berlin");
  await schedule.click();
  await expect(page.locator(".schedule")).toContainText("This time does not exist");
  await expect(page.locator("#body")).toHaveValue("Never saved before.");
  expect((await api.get("/articles?q=one%20step")).items).toEqual([]);
  await page.locator(".schedule").getByRole("button", { name: "03:00" }).click();
  await expect(page.locator(".result")).toContainText("“In one step” is scheduled for Sun 28 Mar 2027, 01:00 UTC");
  await expect(page.locator(".scheduled-card")).toBeVisible();
  expect((await api.get("/articles?q=one%20step")).items.length).toBe(1);
});

test("when two pages edit one article, the second save shows both versions", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Two pages", "base");
  const other = await context.newPage();
  for (const one of [page, other]) await one.goto(`${server.url}/articles/${article.id}`);
  await page.locator("#body").fill("from the first");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/[?&]r=[0-9a-f]{24}/);
  await other.locator("#body").fill("from the second");
  await step(other).click();
  const conflict = other.locator(".conflict");
  await expect(conflict.locator('[name="mine"]')).toHaveValue("from the second");
  await expect(conflict.locator('[name="theirs"]')).toHaveValue("from the first");
  await expect(other.locator("#body")).toHaveValue("from the second");
  await conflict.getByRole("button", { name: "Save mine as a new revision" }).click();
  await expect(other).toHaveURL(/\/articles\/[0-9a-f-]{36}/);
  expect((await api.get(`/articles/${article.id}`)).body).toBe("from the second");
});

test("revisions are compared and restored, and a changed slug redirects from the old one", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Twice written", "first\n\nsame");
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.locator("#body").fill("second\n\nsame");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("link", { name: "Revisions" }).click();
  await expect(page.locator(".is-removed")).toContainText("first");
  await expect(page.locator(".is-added")).toContainText("second");
  await page.getByRole("button", { name: /^Restore/ }).click();
  await expect(page.locator("#body")).toHaveValue("first\n\nsame");
  await step(page).click();
  await page.getByRole("button", { name: "Publish now" }).click();
  await expect(page.locator(".result")).toContainText(/“Twice written” is (being )?published\./);
  await page.locator("#slug").fill("another-name");
  await page.locator("section.slug-form form").getByRole("button").click();
  await expect(page.locator("#slug")).toHaveValue("another-name");
  await expect(page.locator("section.slug-form")).toContainText(`/site/${article.slug}`);
  await expect
    .poll(async () => (await fetch(`${server.url}/site/${article.slug}`, { redirect: "manual" })).headers.get("location"))
    .toContain("/site/another-name");
});

test("edits of different lines in two tabs are merged when the form is sent", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Two forms", "one\n\ntwo\n\nthree");
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto(`${server.url}/articles/${article.id}`);
  const save = async (tab: typeof page, body: string) => {
    await tab.locator("#body").fill(body);
    await tab.getByRole("button", { name: "Save", exact: true }).click();
  };
  await save(page, "ONE\n\ntwo\n\nthree");
  await save(other, "one\n\ntwo\n\nTHREE");
  await expect(other.locator("#body")).toHaveValue("ONE\n\ntwo\n\nTHREE");
  await expect(other.getByRole("status").filter({ hasText: "were merged" })).toBeVisible();
  await save(page, "ONE\n\ntwo\n\ntres");
  await expect(page.locator(".prompt.conflict")).toContainText("Nothing is lost");
  await expect(page.getByText("Nothing is lost")).toHaveCount(1);
  await expect(page.locator(".save-error")).toContainText("choose a version above");
  await expect(page.locator("#body")).toHaveValue("ONE\n\ntwo\n\ntres");
});
