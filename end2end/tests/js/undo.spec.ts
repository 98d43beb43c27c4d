// Undo: named, kept while hovered or focused, and unable to unpublish after ten seconds.
import { expect, logIn, test } from "../server";

const TOAST_MS = 11_000;

test("after ten seconds only an explicit unpublish removes a published article", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Stays public");
  const task = await api.publishIn(article, 64_800);
  await page.goto(`${server.url}/tasks/${task.id}`);
  await page.locator(".task-actions").getByRole("button", { name: /^Publish now/ }).click();
  const toast = page.locator(".toast");
  await expect(toast.getByRole("button", { name: "Undo publish" })).toBeVisible();
  await expect(page.locator("header .phase")).toContainText("Published");
  // Hovered, the toast stays, but with a different button.
  await expect(async () => {
    await toast.hover({ timeout: 500 });
    await expect(toast.getByRole("link", { name: "Unpublish" })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: TOAST_MS + 2_000 });
  await expect(page.getByRole("button", { name: /^Undo/ })).toHaveCount(0);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await expect(page.getByRole("button", { name: /^Undo/ })).toHaveCount(0);
  expect((await fetch(`${server.url}/site/${article.slug}`)).status).toBe(200);
});

test("the toast takes the focus, undo is next, and closing it focuses the next row", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const [first, next] = [await api.publishIn(await api.article("First of two"), 86_400), await api.publishIn(await api.article("Next of two"), 86_401)];
  await page.goto(`${server.url}/tasks?state=scheduled`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator(`#task-${first.id}`).getByRole("button", { name: /^Cancel/ }).press("Enter");
  const toast = page.locator(".toast");
  await expect(toast).toBeFocused();
  await expect(toast).toContainText("First of two — Cancelled.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(toast.getByRole("button", { name: "Undo cancel" })).toBeFocused();
  // Focused, its time is paused.
  await page.evaluate((wait) => new Promise((done) => setTimeout(done, wait)), TOAST_MS);
  await expect(toast.getByRole("button", { name: "Undo cancel" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast).toContainText("Scheduled for");
  await expect(toast.getByRole("link", { name: "First of two" })).toHaveAttribute("href", `/tasks/${first.id}`);
  await page.keyboard.press("Escape");
  await expect(toast).toHaveCount(0);
  await expect(page.locator(`#task-${next.id} a.title`)).toBeFocused();
});

test("an edited scheduled article offers both versions", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Two texts", "the scheduled words");
  await api.publishIn(article, 86_400);
  await page.goto(`${server.url}/articles/${article.id}`);
  const waiting = page.locator(".scheduled-card");
  await expect(waiting.getByRole("button", { name: "Publish now" })).toBeVisible();
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await page.locator("#body").fill("the edited words");
  await page.locator("#body").press("Control+S");
  await expect(waiting.getByRole("button", { name: "Publish the scheduled version" })).toBeVisible();
  await waiting.getByRole("button", { name: "Publish with 1 change" }).click();
  await expect.poll(async () => (await fetch(`${server.url}/site/${article.slug}`)).text()).toContain("the edited words");
  await expect(page.locator(".done")).toBeFocused();
});

test("the skip link moves the focus to the page", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});
