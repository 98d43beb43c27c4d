// Undo: named, held while it is looked at, and never what takes a public article down after ten seconds.
import { expect, logIn, test } from "../desk";

const HOLD_MS = 11_000;

test("after ten seconds only an explicit unpublish takes a public article down", async ({ page, desk, api }) => {
  await logIn(page, desk, "creator");
  const article = await api.article("Stays public");
  const task = await api.publishIn(article, 64_800);
  await page.goto(`${desk.url}/tasks/${task.id}`);
  await page.locator(".task-acts").getByRole("button", { name: /^Publish now/ }).click();
  const toast = page.locator(".toast");
  await expect(toast.getByRole("button", { name: "Undo publish" })).toBeVisible();
  await expect(page.locator("header .phase")).toContainText("Published");
  // Held under the mouse it stays, but its button is another one.
  await expect(async () => {
    await toast.hover({ timeout: 500 });
    await expect(toast.getByRole("link", { name: "Unpublish" })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: HOLD_MS + 2_000 });
  await expect(page.getByRole("button", { name: /^Undo/ })).toHaveCount(0);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await expect(page.getByRole("button", { name: /^Undo/ })).toHaveCount(0);
  expect((await fetch(`${desk.url}/site/${article.slug}`)).status).toBe(200);
});

test("the focus is on what was done, the undo one key away, and then on the next row", async ({ page, desk, api }) => {
  await logIn(page, desk, "creator");
  const [first, next] = [await api.publishIn(await api.article("First of two"), 86_400), await api.publishIn(await api.article("Next of two"), 86_401)];
  await page.goto(`${desk.url}/tasks?state=scheduled`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator(`#task-${first.id}`).getByRole("button", { name: /^Cancel/ }).press("Enter");
  const toast = page.locator(".toast");
  await expect(toast).toBeFocused();
  await expect(toast).toContainText("First of two — Cancelled.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(toast.getByRole("button", { name: "Undo cancel" })).toBeFocused();
  // Focused, it holds its time.
  await page.evaluate((wait) => new Promise((done) => setTimeout(done, wait)), HOLD_MS);
  await expect(toast.getByRole("button", { name: "Undo cancel" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast).toContainText("Scheduled for");
  await expect(toast.getByRole("link", { name: "First of two" })).toHaveAttribute("href", `/tasks/${first.id}`);
  await page.keyboard.press("Escape");
  await expect(toast).toHaveCount(0);
  await expect(page.locator(`#task-${next.id} a.title`)).toBeFocused();
});

test("a scheduled article that was edited offers both texts by their names", async ({ page, desk, api }) => {
  await logIn(page, desk, "creator");
  const article = await api.article("Two texts", "the scheduled words");
  await api.publishIn(article, 86_400);
  await page.goto(`${desk.url}/articles/${article.id}`);
  const waiting = page.locator(".waiting");
  await expect(waiting.getByRole("button", { name: "Publish now" })).toBeVisible();
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await page.locator("#body").fill("the edited words");
  await page.locator("#body").press("Control+S");
  await expect(waiting.getByRole("button", { name: "Publish the scheduled version" })).toBeVisible();
  await waiting.getByRole("button", { name: "Publish with 1 change" }).click();
  await expect.poll(async () => (await fetch(`${desk.url}/site/${article.slug}`)).text()).toContain("the edited words");
  await expect(page.locator(".done")).toBeFocused();
});

test("the skip link leads the focus into the page", async ({ page, desk }) => {
  await logIn(page, desk, "creator");
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});
