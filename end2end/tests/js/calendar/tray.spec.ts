// The tray of drafts: beside the days of a wide window, in one line above those of a narrow one.
import { expect, logIn, test } from "../../server";
import { boxOf } from "./board";

test("drafts are in the window at every width, and above or beside the days", async ({ page, server, api }) => {
  for (let number = 1; number <= 12; number++) await api.article(`Waits for a time, number ${number}`);
  await logIn(page, server, "creator");
  for (const width of [1600, 1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${server.url}/calendar?zone=UTC&view=month`);
    const [tray, days] = [await boxOf(page, ".calendar-tray"), await boxOf(page, ".calendar-main")];
    expect.soft(tray.y + 24, `${width}`).toBeLessThan(844);
    if (width === 1600) expect.soft(tray.x).toBeGreaterThan(days.x + days.width);
    else expect.soft(tray.y + tray.height, `${width}`).toBeLessThanOrEqual(days.y);
    if (width !== 1600) expect.soft(tray.height, `${width}`).toBeLessThan(100);
    // The last draft is one scroll or a few tabs away.
    await page.locator(".calendar-tray li a").last().focus();
    await expect(page.locator(".calendar-tray li a").last()).toBeInViewport();
  }
});

test("a draft of the narrow tray is picked up by a click and by a key, and dropped by a click", async ({ page, server, api }) => {
  const article = await api.article("From the line above");
  await logIn(page, server, "creator");
  const date = new Date(Date.now() + 72 * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`${server.url}/calendar?zone=UTC&view=month&date=${date}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const draft = page.locator(`[data-item="draft.${article.id}"]`);
  await draft.locator("a").focus();
  await page.keyboard.press("m");
  await expect(page.locator(".calendar-carry")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.locator(".calendar-carry")).toHaveCount(0);
  await draft.getByRole("button").click();
  await expect(page.locator(".calendar-carry")).toBeVisible();
  await page.locator(`[data-date="${date}"]`).click({ position: { x: 40, y: 60 } });
  await expect(page.locator(".result")).toContainText("“From the line above” is scheduled for");
  await expect(draft).toHaveCount(0);
  await expect(page.locator(`[data-date="${date}"] .calendar-item`)).toContainText("From the line above");
});
