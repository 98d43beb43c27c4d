// Channels with JavaScript: the page stays hydrated after a refusal, and the log updates itself.
import { aMailChannelIsAddedAndTested, aWebhookIsAddedAndTested } from "../channel";
import { expect, test } from "../server";

test("a webhook is added and tested, and the log shows the result", async ({ page, server }) => {
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  await aWebhookIsAddedAndTested(page, server, "Search");
  await expect(page.locator(".delivery-log .phase").first()).toHaveAttribute("data-phase", "failed");
  await page.locator(".delivery-log .list-row").first().hover();
  await page.locator(".delivery-log .list-row .actions a").first().click();
  await expect(page.locator(".delivery-detail .message")).toContainText('"type":"test"');
  expect(broken).toEqual([]);
});

test("a mail channel is added and tested, and the log shows the result", async ({ page, server }) => {
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  await aMailChannelIsAddedAndTested(page, server, "Post");
  await expect(page.locator(".delivery-log .phase").first()).toHaveAttribute("data-phase", "failed");
  expect(broken).toEqual([]);
});

test("a refused form keeps the URL of its page", async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  await page.locator('input[name="email"]').fill("unknown@example.org");
  await page.locator('input[name="password"]').fill("not the password");
  await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await expect(page).toHaveURL(`${server.url}/login`);
});
