// The event stream: the page shows when it is lost, and catches up when it is back.
import { expect, logIn, test } from "../../server";

test("an offline page says so within 3 s and catches up without a reload", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  // The server renders the rest of the page: only this shows that the stream is open.
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await expect(page.locator(".desk-status")).toHaveAttribute("data-status", "live");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("main")).not.toBeEmpty();
  await page.evaluate(() => ((window as any).isSame = true));
  await context.setOffline(true);
  await server.process.kill("SIGSTOP");
  const banner = page.locator('[data-banner="offline"]');
  await expect(banner).toContainText(/^Offline since \d\d:\d\d \w+\. This page may be out of date\./);
  await server.process.kill("SIGCONT");
  await api.publishIn(await api.article("Scheduled meanwhile"), 3_600);
  await context.setOffline(false);
  await expect(page.locator("main")).toContainText("Scheduled meanwhile");
  await expect(banner).toHaveCount(0);
  expect(await page.evaluate(() => (window as any).isSame)).toBe(true);
});

test("a page opened while offline is shown when the server is back", async ({ page, server, context }) => {
  await logIn(page, server, "creator");
  // The other parts follow after hydration.
  const isThere = () => performance.getEntriesByType("resource").some((one) => one.name.includes("split_task_pages"));
  await page.waitForFunction(isThere);
  await context.setOffline(true);
  await page.locator('.nav a[href="/reminders"]').click();
  await expect(page.getByText("The desk cannot be reached.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("The desk cannot be reached.")).toHaveCount(0);
  await expect(page.locator("main h1")).toHaveText("Reminders");
  await expect(page.locator("#form-title")).toBeVisible();
});
