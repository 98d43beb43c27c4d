// The editor saves automatically and never loses input.
import { expect, logIn, test } from "../../server";

const state = ".save-state";

test("a new article is saved, counted and previewed automatically", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/new`);
  await expect(page.locator(state)).toHaveText("No text yet");
  await page.locator("#title").fill("A morning on the river");
  await page.locator("#body").fill("The boats leave at dawn.");
  await expect(page.locator(state)).toHaveText("Not saved yet");
  await expect(page).toHaveURL(/\/articles\/[0-9a-f-]{36}$/);
  await expect(page.locator(state)).toHaveText(/^Saved at /);
  await expect(page.locator(".word-count")).toHaveText("5 words · 1 min read");
  await expect(page.locator(".schedule")).toContainText("Draft: not scheduled, not public.");
});

test("a new article is scheduled in one step", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/new`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const schedule = page.locator(".schedule button.main");
  await schedule.click();
  await expect(page.locator(".schedule [role=alert]")).toContainText("Nothing was done, because the text is not saved.");
  await page.locator("#title").fill("Never saved");
  await page.locator("#body").fill("One paragraph.");
  await page.locator("#publish-when").fill("9 Jun 2031 10:00");
  // The first save does not replace the field while it has the focus.
  await expect(page).toHaveURL(/\/articles\/[0-9a-f-]{36}$/);
  await expect(page.locator("#publish-when")).toBeFocused();
  await page.getByRole("button", { name: "Schedule for Mon 9 Jun 2031, 10:00 UTC" }).click();
  await expect(page.locator(".result")).toContainText("“Never saved” is scheduled for Mon 9 Jun 2031, 10:00 UTC.");
  await expect(page.locator(".scheduled-card")).toBeVisible();
  expect((await api.get("/articles?q=never%20saved")).items.length).toBe(1);
});

test("Enter in the title goes to the text, and an empty item ends a list with an empty line", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/new`);
  await expect(page.locator("#body[data-view]")).toBeAttached();
  await page.locator("#title").fill("From the keys");
  await page.keyboard.press("Enter");
  await page.keyboard.type("- one\ntwo\n\n| a | b |");
  await expect(page.locator("#body")).toHaveValue("- one\n- two\n\n| a | b |");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("> said\n\nafter");
  await expect(page.locator("#body")).toHaveValue("> said\n\nafter");
});

test("lines become headings, lists and alerts, and a table stands alone", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Tools", "- a\n- b");
  await page.goto(`${server.url}/articles/${article.id}`);
  await expect(page.locator("#body[data-view]")).toBeAttached();
  const body = page.locator("#body"), tool = (name: string) => page.getByRole("toolbar").getByRole("button", { name });
  await body.press("Control+A");
  await tool("Numbered list").click();
  await expect(body).toHaveValue("1. a\n2. b");
  await tool("Task list").click();
  await expect(body).toHaveValue("- [ ] a\n- [ ] b");
  await body.press("Control+End");
  await tool("Table").click();
  await expect(body).toHaveValue("- [ ] a\n- [ ] b\n\n|  |  |\n| --- | --- |\n|  |  |");
  await body.fill("Look here");
  await tool("Alert").click();
  await expect(body).toHaveValue("> [!NOTE]\n> Look here");
  await expect(page.locator(".prose .alert-note")).toHaveText("Note");
});

test("toolbar changes are undone with Ctrl+Z", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Marks", "plain");
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await page.locator("#body").press("Control+A");
  await page.getByRole("button", { name: "Bold" }).click();
  await expect(page.locator("#body")).toHaveValue("**plain**");
  await page.keyboard.press("Control+Z");
  await expect(page.locator("#body")).toHaveValue("plain");
});

test("unsaved text is kept while offline and saved when the server is back", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Kept", "first");
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await context.setOffline(true);
  await page.locator("#body").fill("first, and more");
  await expect(page.locator(state)).toHaveText("Not saved");
  await expect(page.getByText("Your text is kept on this device. Saving is retried.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.locator(state)).toHaveText(/^Saved at /);
  expect((await api.get(`/articles/${article.id}`)).body).toBe("first, and more");
});

test("two tabs never overwrite each other: both versions are shown", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Two tabs", "base");
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${server.url}/articles/${article.id}`);
    await tab.getByRole("button", { name: "Bold" }).waitFor();
  }
  // The second tab's save waits until the first tab has saved.
  let release = () => {};
  const isSaved = new Promise<void>((resolve) => (release = resolve));
  await other.route("**/fn/save_draft*", async (route) => {
    await isSaved;
    await route.continue();
  });
  const save = other.waitForRequest("**/fn/save_draft*");
  await other.locator("#body").fill("base from the second tab");
  await save;
  await page.locator("#body").fill("base from the first tab");
  await page.locator("#body").press("Control+S");
  await expect(page.locator(state)).toHaveText(/^Saved at /);
  release();
  const conflict = other.locator(".conflict");
  // Only what happened is an alert, not the texts.
  await expect(conflict.getByRole("alert")).toContainText("You saved revision 2 in another tab");
  await expect(conflict.getByRole("alert")).not.toContainText("base from");
  await expect(conflict.locator(".merge-part.is-conflict")).toContainText("Both changed these lines");
  await expect(conflict.locator('[name="mine"]')).toHaveValue("base from the second tab");
  await expect(conflict.locator('[name="theirs"]')).toHaveValue("base from the first tab");
  await conflict.locator('button[type="submit"]').click();
  await expect(other.locator(state)).toHaveText(/^Saved at /);
  expect((await api.get(`/articles/${article.id}`)).body).toBe("base from the second tab");
});

test("every unsaved copy is offered, one after the other", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/new`);
  // Without a title they cannot be saved, so only this device has them.
  for (const text of ["The first of them", "The second of them"]) {
    await page.getByRole("button", { name: "Bold" }).waitFor();
    await page.locator("#body").fill(text);
    await page.reload();
  }
  const offer = page.locator(".prompt");
  await expect(offer).toContainText("The first of them");
  await page.locator("#body").fill("The third, being typed");
  await offer.getByRole("button", { name: "Restore" }).click();
  await expect(page.locator("#body")).toHaveValue("The first of them");
  await expect(offer).toContainText("The second of them");
  await offer.getByRole("button", { name: "Discard" }).click();
  await expect(offer).toContainText("The third, being typed");
  await offer.getByRole("button", { name: "Restore" }).click();
  await expect(page.locator("#body")).toHaveValue("The third, being typed");
  await expect(offer).toContainText("The first of them");
});

test("three headings make an outline that leads to them", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Outlined", "## One\n\n```\n# no heading\n```\n\n### Deep\n\nwords");
  await page.goto(`${server.url}/articles/${article.id}`);
  const outline = page.locator(".outline"), entry = outline.getByRole("button");
  await expect(page.locator("#body[data-view]")).toBeAttached();
  await expect(outline).toBeHidden();
  await page.locator("#body").fill("## One\n\n```\n# no heading\n```\n\n### Deep\n\nwords\n\n## Last **one**");
  await expect(entry).toHaveText(["One", "Deep", "Last one"]);
  await entry.last().click();
  expect(await page.locator("#body").evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart))).toBe("## Last **one**");
  await expect(page.locator(state)).toHaveText(/^Saved at /);
  await page.reload();
  await expect(entry).toHaveText(["One", "Deep", "Last one"]);
});

test("the focus mode shows the text alone, by button and Ctrl+.", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Alone", "words");
  await page.goto(`${server.url}/articles/${article.id}`);
  const button = page.getByRole("button", { name: "Focus" }), around = page.locator(".nav, .frame-head, .schedule");
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  for (const part of await around.all()) await expect(part).toBeHidden();
  await expect(page.locator("#title")).toBeVisible();
  await expect(page.locator(".word-count")).toHaveText("1 word · 1 min read");
  await page.locator("#title").press("Control+.");
  await expect(button).toHaveAttribute("aria-pressed", "false");
  for (const part of await around.all()) await expect(part).toBeVisible();
});
