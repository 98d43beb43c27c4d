// Writing with scripts on: what is typed is saved by itself, and nothing of it is ever lost.
import { expect, logIn, test } from "../desk";

const state = ".save-state";

test("a new article saves itself, is counted and shown as readers will see it", async ({ page, desk }) => {
  await logIn(page, desk, "creator");
  await page.goto(`${desk.url}/articles/new`);
  await expect(page.locator(state)).toHaveText("Nothing written yet");
  await page.locator("#title").fill("A morning on the river");
  await page.locator("#body").fill("The boats leave at dawn.");
  await expect(page.locator(state)).toHaveText("Not saved yet");
  await expect(page).toHaveURL(/\/articles\/[0-9a-f-]{36}$/);
  await expect(page.locator(state)).toHaveText(/^Saved at /);
  await expect(page.locator(".preview-count")).toContainText("5 words");
  await expect(page.locator(".schedule")).toContainText("Draft: not scheduled, not public.");
});

test("the toolbar writes marks that one key takes back", async ({ page, desk, api }) => {
  await logIn(page, desk, "creator");
  const article = await api.article("Marks", "plain");
  await page.goto(`${desk.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await page.locator("#body").press("Control+A");
  await page.getByRole("button", { name: "Bold" }).click();
  await expect(page.locator("#body")).toHaveValue("**plain**");
  await page.keyboard.press("Control+Z");
  await expect(page.locator("#body")).toHaveValue("plain");
});

test("what cannot be saved stays, says so, and is saved as soon as the desk is back", async ({ page, desk, api, context }) => {
  await logIn(page, desk, "creator");
  const article = await api.article("Kept", "first");
  await page.goto(`${desk.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await context.setOffline(true);
  await page.locator("#body").fill("first, and more");
  await expect(page.locator(state)).toHaveText("Not saved");
  await expect(page.getByText("Your text is kept on this device. Trying again.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.locator(state)).toHaveText(/^Saved at /);
  expect((await api.get(`/articles/${article.id}`)).body).toBe("first, and more");
});

test("two tabs never overwrite each other: both texts are shown and one is kept", async ({ page, desk, api, context }) => {
  await logIn(page, desk, "creator");
  const article = await api.article("Two tabs", "base");
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${desk.url}/articles/${article.id}`);
    await tab.getByRole("button", { name: "Bold" }).waitFor();
  }
  await page.locator("#body").fill("base from the first tab");
  await page.locator("#body").press("Control+S");
  await expect(page.locator(state)).toHaveText(/^Saved at /);
  await other.locator("#body").fill("base from the second tab");
  await other.locator("#body").press("Control+S");
  const conflict = other.getByRole("alert").filter({ hasText: "Somebody saved another text meanwhile" });
  await expect(conflict.locator('[name="mine"]')).toHaveValue("base from the second tab");
  await expect(conflict.locator('[name="theirs"]')).toHaveValue("base from the first tab");
  await conflict.locator('button[type="submit"]').click();
  await expect(other.locator(state)).toHaveText(/^Saved at /);
  expect((await api.get(`/articles/${article.id}`)).body).toBe("base from the second tab");
});

test("every text that was left behind is offered, one after the other", async ({ page, desk }) => {
  await logIn(page, desk, "creator");
  await page.goto(`${desk.url}/articles/new`);
  // Without a title the desk takes none of them: only this device has them.
  for (const text of ["The first of them", "The second of them"]) {
    await page.getByRole("button", { name: "Bold" }).waitFor();
    await page.locator("#body").fill(text);
    await page.reload();
  }
  const offer = page.locator(".offer");
  await expect(offer).toContainText("The first of them");
  await page.locator("#body").fill("The third, being typed");
  await offer.getByRole("button", { name: "Bring it back" }).click();
  await expect(page.locator("#body")).toHaveValue("The first of them");
  await expect(offer).toContainText("The second of them");
  await offer.getByRole("button", { name: "Throw it away" }).click();
  await expect(offer).toContainText("The third, being typed");
  await offer.getByRole("button", { name: "Bring it back" }).click();
  await expect(page.locator("#body")).toHaveValue("The third, being typed");
  await expect(offer).toContainText("The first of them");
});
