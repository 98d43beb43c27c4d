// 390 px, touch, Chinese: the actions of a row are a menu, and no list is wider than the screen.
import { expect, logIn, test } from "../server";

test("a row opens its menu by touch, and its form fits the screen", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Touched"), 86_400);
  await page.goto(`${server.url}/tasks?q=Touched`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const row = page.locator(`#task-${task.id}`);
  const move = row.locator('[aria-keyshortcuts="m"]');
  await expect(move).toBeHidden();
  await row.locator(".row-menu summary").tap();
  await move.tap();
  await expect(page.locator(".form-row")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  for (const target of await row.locator(".row-menu summary, button, a").all()) {
    expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(24);
  }
});

test("the menu of the navigation leads to every page, and closes there", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/articles`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const [nav, menu] = [page.locator(".nav"), page.locator(".nav .more > summary")];
  const meetings = nav.locator('a[href="/meetings"]');
  await expect(meetings).toBeHidden();
  await menu.tap();
  await expect(nav.locator('a[href="/engine"]')).toBeInViewport();
  await expect(nav.locator('form[action="/fn/log_out"] button')).toBeInViewport();
  await meetings.tap();
  await expect(page).toHaveURL(/\/meetings/);
  await expect(meetings).toBeHidden();
  await expect(nav.locator('a[href="/articles"]')).toBeInViewport();
  // The page is one of the menu.
  await expect(menu).toHaveCSS("box-shadow", /inset/);
  // The page that is open already closes it too.
  await menu.tap();
  await meetings.tap();
  await expect(meetings).toBeHidden();
});

test("New is in the bar, offers each kind, and closes beside it and by Esc", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/articles`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const [menu, summary] = [page.locator(".new-menu"), page.locator(".new-menu > summary")];
  expect((await summary.boundingBox())!.y).toBeGreaterThan(700);
  await summary.tap();
  for (const path of ["/quick", "/articles/new", "/meetings/new", "/reminders#form-title", "/releases/new", "/messages/new", "/rules/new", "/articles/import"]) {
    await expect(menu.locator(`a[href="${path}"]`)).toBeInViewport();
  }
  await page.touchscreen.tap(20, 120);
  await expect(menu).not.toHaveAttribute("open", "");
  await summary.tap();
  await page.keyboard.press("Escape");
  await expect(menu).not.toHaveAttribute("open", "");
  await expect(summary).toBeFocused();
  await summary.tap();
  await menu.locator('a[href="/meetings/new"]').tap();
  await expect(page).toHaveURL(/\/meetings\/new$/);
  await expect(menu).not.toHaveAttribute("open", "");
});
