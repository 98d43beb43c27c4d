// A webhook, from the form to the log: the same with scripts on and off.
import { type Page } from "@playwright/test";
import { expect, logIn, type Desk } from "./desk";

/** A refusal keeps what was typed; then the secret is shown once, and a test message is refused by the guard and told so. */
export async function aWebhookIsAddedAndTested(page: Page, desk: Desk, name: string) {
  await logIn(page, desk, "admin");
  await page.goto(`${desk.url}/settings/channels`);
  const add = page.locator('form[action="/fn/add_channel"]');
  await add.locator('[name="channel[name]"]').fill(name);
  await add.locator('[name="channel[address]"]').fill("http://example.org/hook");
  await add.locator('button[type="submit"]').click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await expect(add.locator('[name="channel[name]"]')).toHaveValue(name);
  // The name ends in .invalid: nothing is ever sent.
  await add.locator('[name="channel[address]"]').fill("https://hook.invalid/");
  await add.locator('button[type="submit"]').click();
  await expect(page.locator("code.secret")).toHaveText(/^whsec_/);
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.locator("code.secret")).toHaveCount(0);
  await page.locator('form[action="/fn/test_channel"] button[type="submit"]').click();
  await expect(page).toHaveURL(/done=test/);
}

/** A mail channel by its own form: a refusal keeps all but the password, and the page of the channel has no secret to replace. */
export async function aMailChannelIsAddedAndTested(page: Page, desk: Desk, name: string) {
  await logIn(page, desk, "admin");
  await page.goto(`${desk.url}/settings/channels`);
  await page.locator('.add-channel a[href*="add=mail"]').click();
  const add = page.locator('form[action="/fn/add_channel"]');
  await add.locator('[name="channel[name]"]').fill(name);
  await add.locator('[name="channel[server]"]').fill("smtp://mail.invalid");
  await add.locator('[name="channel[user]"]').fill("desk");
  await add.locator('[name="channel[password]"]').fill("open sesame");
  await add.locator('[name="channel[from]"]').fill("desk@example.org");
  await add.locator('[name="channel[to]"]').fill("anna@example.org\nben@example.org");
  await add.locator('button[type="submit"]').click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await expect(add.locator('[name="channel[to]"]')).toHaveValue("anna@example.org\nben@example.org");
  await expect(add.locator('[name="channel[password]"]')).toHaveValue("");
  // The name ends in .invalid: nothing is ever sent.
  await add.locator('[name="channel[server]"]').fill("mail.invalid");
  await add.locator('[name="channel[password]"]').fill("open sesame");
  await add.locator('button[type="submit"]').click();
  await expect(page).toHaveURL(/done=add/);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.locator('form[action="/fn/rotate_channel"]')).toHaveCount(0);
  await page.locator('form[action="/fn/test_channel"] button[type="submit"]').click();
  await expect(page).toHaveURL(/done=test/);
}
