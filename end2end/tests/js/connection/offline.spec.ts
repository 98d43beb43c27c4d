// Offline, logged out, many windows, other keyboard layouts: no input is lost, and errors are shown.
import { expect, logIn, users, test } from "../../server";

test("a button used offline says why nothing was done", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  const article = await api.article("No line", "first");
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await context.setOffline(true);
  await page.locator("#body").fill("typed offline");
  await page.locator(".schedule").getByRole("button", { name: "Publish now" }).click();
  await expect(page.locator(".schedule").getByRole("alert")).toContainText("Nothing was done, because the text is not saved.");
  await context.setOffline(false);
  await expect(page.locator(".save-state")).toHaveText(/^Saved at /);
  expect((await fetch(`${server.url}/site/${article.slug}`)).status).toBe(404);
  await page.locator(".schedule").getByRole("button", { name: "Publish now" }).click();
  await expect.poll(async () => (await fetch(`${server.url}/site/${article.slug}`)).text()).toContain("typed offline");
});

test("after a logout the button links to the login, and the text is saved after it", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  const article = await api.article("No session", "first");
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await context.clearCookies();
  await page.locator("#body").fill("typed without a session");
  // It names the time, unless the server was asked what the time means after the session had ended.
  await page.locator(".schedule").getByRole("button", { name: /^Schedule( for|$)/ }).click();
  const link = page.locator(".schedule").getByRole("alert").getByRole("link", { name: "Log in" });
  const [tab] = await Promise.all([context.waitForEvent("page"), link.click()]);
  await tab.locator('input[name="email"]').fill(users.creator.email);
  await tab.locator('input[name="password"]').fill(users.creator.password);
  await tab.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  await expect(tab).toHaveURL(`${server.url}/`);
  await expect(page.locator(".save-state")).toHaveText(/^Saved at /);
  expect((await api.get(`/articles/${article.id}`)).body).toBe("typed without a session");
});

test("seven windows of one browser load and stay up to date", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  const windows = [page];
  for (let more = 0; more < 6; more += 1) windows.push(await context.newPage());
  for (const one of windows) {
    await one.goto(`${server.url}/tasks`);
    await expect(one.locator("html")).toHaveAttribute("data-live", "");
  }
  await api.publishIn(await api.article("Seen by all seven"), 3_600);
  for (const one of windows) await expect(one.locator("main")).toContainText("Seen by all seven");
  await windows[0].close();
  await api.publishIn(await api.article("Seen by all six"), 3_600);
  for (const one of windows.slice(1)) {
    await expect(one.locator("main")).toContainText("Seen by all six");
    await expect(one.locator('[data-banner="offline"]')).toHaveCount(0);
  }
});

test("shortcuts follow the letters of the keyboard layout, and AltGr types", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Keys", "plain");
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  const press = (init: KeyboardEventInit) =>
    page.locator("#body").evaluate((field, init) => !field.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init })), init);
  expect(await press({ key: "і", code: "KeyS", ctrlKey: true })).toBe(true);
  expect(await press({ key: "σ", code: "KeyS", ctrlKey: true })).toBe(true);
  expect(await press({ key: "s", code: "Semicolon", ctrlKey: true })).toBe(true);
  expect(await press({ key: "o", code: "KeyS", ctrlKey: true })).toBe(false);
  expect(await press({ key: "ś", code: "KeyS", ctrlKey: true, altKey: true })).toBe(false);
  // A key that ends text composition does not submit the form.
  const enter = await page.locator("#title").evaluate(
    (field) => !field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", isComposing: true, bubbles: true, cancelable: true })),
  );
  expect(enter).toBe(true);
});

test("a page whose session is over says so and logs in in place, with everything typed", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Still here", "first");
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await expect(page.locator(".desk-status")).toHaveAttribute("data-status", "live");
  await context.clearCookies();
  await page.locator("#body").fill("typed while logged out");
  const banner = page.locator('[data-banner="logged-out"]');
  await expect(banner).toContainText("Logged out. What you typed stays on this page.");
  await expect(page.locator(".desk-status")).toHaveText("Logged out");
  await banner.getByText("Log in here").click();
  const password = banner.locator('input[name="password"]');
  await expect(password).toBeFocused();
  await password.fill("wrong password, long enough");
  await password.press("Enter");
  await expect(banner.getByRole("alert")).not.toBeEmpty();
  await password.fill(users.creator.password);
  await password.press("Enter");
  await expect(page.locator(".banner")).toBeHidden();
  await expect(page.locator(".desk-status")).toHaveAttribute("data-status", "live");
  await expect(page.locator(".save-state")).toHaveText(/^Saved at /);
  expect((await api.get(`/articles/${article.id}`)).body).toBe("typed while logged out");
});
