// The live stream: told when it is lost, whole again when it is back, closed while nobody looks.
import { expect, logIn, test } from "../desk";

test("a page that was offline says so within 3 s and converges without a reload", async ({ page, desk, api, context }) => {
  await logIn(page, desk, "creator");
  // The server writes the rest of the page: only this shows that a stream can be lost.
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await expect(page.locator(".pulse")).toHaveAttribute("data-pulse", "alive");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("main")).not.toBeEmpty();
  await page.evaluate(() => ((window as any).isSame = true));
  await context.setOffline(true);
  await desk.server.kill("SIGSTOP");
  await expect(page.getByText("Connection lost.")).toBeVisible({ timeout: 3_000 });
  await desk.server.kill("SIGCONT");
  await api.publishIn(await api.article("Planned meanwhile"), 3_600);
  await context.setOffline(false);
  await expect(page.locator("main")).toContainText("Planned meanwhile");
  await expect(page.getByText("Connection lost.")).toHaveCount(0);
  expect(await page.evaluate(() => (window as any).isSame)).toBe(true);
});

test("a page opened while offline shows itself when the desk is back", async ({ page, desk, context }) => {
  await logIn(page, desk, "creator");
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await context.setOffline(true);
  await page.locator('.rail a[href="/attention"]').click();
  await expect(page.getByText("The desk cannot be reached right now.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("The desk cannot be reached right now.")).toHaveCount(0, { timeout: 5_000 });
  // Other tests of this desk may have left messages that failed.
  await expect(page.locator("main")).toContainText(/Nothing needs you|Waiting|Failed/);
});
