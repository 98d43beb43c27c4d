// Without JavaScript: a missed task is retried on the Attention page.
import { expect, start, stop, test } from "../server";

test("a missed task is listed with its reason, is published by a retry, and disappears from the page", async ({ page }) => {
  const server = await start({ users: false, args: ["--demo"] });
  await page.goto(`${server.url}/login?next=%2Fattention`);
  await page.locator('[name="email"]').fill("admin@demo.example");
  await page.locator('[name="password"]').fill("time will tell");
  await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  const cause = page.locator(".cause", { hasText: "Its grace period was over before it could be executed." });
  const title = await cause.locator(".task-row .title").innerText();
  const href = (await cause.locator(".task-row .title").getAttribute("href"))!;
  await cause.getByRole("button", { name: `Publish now – ${title}` }).click();
  await expect(page).toHaveURL(/\/\?r=[0-9a-f]{24}$/);
  await expect
    .poll(async () => (await page.goto(server.url + href), page.locator("header .phase").innerText()))
    .toContain("Published");
  await expect(page.locator(".timeline")).toContainText("retried it");
  await page.goto(server.url);
  // The request that the demo decides soon may stay.
  await expect(page.locator("main h1")).toBeVisible();
  await expect(cause).toHaveCount(0);
  await stop(server);
});
