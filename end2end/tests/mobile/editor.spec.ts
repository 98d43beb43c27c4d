// 390 px, touch: the save state and the schedule stay in reach.
import { expect, logIn, test } from "../server";

test("the bar with the save state and the schedule stays on the screen", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Long", "A line.\n\n".repeat(200));
  await page.goto(`${server.url}/articles/${article.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const bar = page.locator(".save-line");
  const schedule = bar.locator(".to-schedule");
  await expect(bar.locator(".save-state")).toBeInViewport();
  await expect(schedule).toBeInViewport();
  const height = await schedule.evaluate((link) => link.getBoundingClientRect().height);
  expect(height).toBeGreaterThanOrEqual(24);
  // While a field has the focus, the navigation gives its place to the bar.
  await page.locator("#title").tap();
  await expect(page.locator(".nav")).toBeHidden();
  await expect(schedule).toBeInViewport();
  await schedule.tap();
  await expect(page.locator("#schedule-heading")).toBeInViewport();
});

test("no field of the editor is smaller than 16 px, so that phones do not zoom", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Sizes");
  await page.goto(`${server.url}/articles/${article.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const sizes = await page.locator("main :is(input:not([type=hidden]), textarea)").evaluateAll((fields) =>
    fields.map((field) => [field.id, parseFloat(getComputedStyle(field).fontSize)]),
  );
  for (const [id, size] of sizes) expect.soft(size, String(id)).toBeGreaterThanOrEqual(16);
});

test("times of Chinese pages have the city after the clock", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/settings/profile`);
  await page.locator("#language").selectOption("zh");
  await page.locator('[name="zone"]').fill("柏林");
  await page.locator('form[action="/fn/change_profile"] button').tap();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh");
  const article = await api.article("时间");
  await page.goto(`${server.url}/articles/${article.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const zone = page.locator("#publish-zone");
  await expect(zone).toHaveValue("柏林");
  await page.locator("#publish-when").fill("2031年6月9日 9:00");
  await expect(page.getByRole("button", { name: "安排在 2031年6月9日 周一 09:00（柏林）" })).toBeEnabled();
  await zone.fill("shanghai");
  await page.getByRole("option", { name: "上海 Shanghai" }).tap();
  await expect(page.locator(".schedule-form .time-feedback")).toContainText("2031年6月9日 周一 09:00（上海）");
  await expect(page.locator(".schedule-form .time-feedback")).toContainText("03:00（柏林）");
});
