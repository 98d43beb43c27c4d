// The ways out, with scripts on: the page stays alive after a refusal, and the log moves by itself.
import { aMailChannelIsAddedAndTested, aWebhookIsAddedAndTested } from "../channel";
import { expect, test } from "../desk";

test("a webhook is added and tested, and the log says how it went", async ({ page, desk }) => {
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  await aWebhookIsAddedAndTested(page, desk, "Search");
  await expect(page.locator(".delivery-log .phase").first()).toHaveAttribute("data-phase", "failed");
  await page.locator(".delivery-log .delivery-acts a").first().click();
  await expect(page.locator(".delivery-whole .message")).toContainText('"type":"test"');
  expect(broken).toEqual([]);
});

test("a mail channel is added and tested, and the log says how it went", async ({ page, desk }) => {
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  await aMailChannelIsAddedAndTested(page, desk, "Post");
  await expect(page.locator(".delivery-log .phase").first()).toHaveAttribute("data-phase", "failed");
  expect(broken).toEqual([]);
});

test("a refused form keeps its page's address and stays alive", async ({ page, desk }) => {
  await page.goto(`${desk.url}/login`);
  await page.locator('input[name="email"]').fill("nobody@example.org");
  await page.locator('input[name="password"]').fill("not the password");
  await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await expect(page.locator("html[data-live]")).toHaveCount(1);
  await expect(page).toHaveURL(`${desk.url}/login`);
});
