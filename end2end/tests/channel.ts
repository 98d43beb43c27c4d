// Adds and tests a channel. The same steps with and without JavaScript.
import { type Page } from "@playwright/test";
import { expect, logIn, type Server } from "./server";

/** A refused form keeps its input. Then the secret is shown once, and the egress filter refuses the test message. */
export async function aWebhookIsAddedAndTested(page: Page, server: Server, name: string) {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/channels`);
  const add = page.locator('form[action="/fn/add_channel"]');
  await add.locator('[name="channel[name]"]').fill(name);
  await add.locator('[name="channel[url]"]').fill("http://example.org/hook");
  await add.locator('button[type="submit"]').click();
  // Said once, beside the field, with the option that allows it.
  await expect(page.locator(":text('must begin with https://'):visible")).toHaveCount(1);
  await expect(add.locator(".problem")).toContainText("--webhook-allow-http");
  await expect(add.locator('[name="channel[name]"]')).toHaveValue(name);
  // The name ends in .invalid: nothing is ever sent.
  await add.locator('[name="channel[url]"]').fill("https://hook.invalid/");
  await add.locator('button[type="submit"]').click();
  await expect(page.locator("code.secret")).toHaveText(/^whsec_/);
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.locator("code.secret")).toHaveCount(0);
  await page.locator('form[action="/fn/test_channel"] button[type="submit"]').click();
  // It claims nothing that the log may contradict, and with a script it turns into the outcome.
  await expect(page.locator(".result")).toContainText(/The log below shows whether it arrives\.|The test message did not arrive\./);
}

/** The form of a mail channel: a refusal keeps all input but the password, and the channel page offers no secret to rotate. */
export async function aMailChannelIsAddedAndTested(page: Page, server: Server, name: string) {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/channels`);
  await page.locator('.add-channel a[href*="add=mail"]').click();
  const add = page.locator('form[action="/fn/add_channel"]');
  await add.locator('[name="channel[name]"]').fill(name);
  // Its own server is a choice: the fields appear with it.
  await expect(add.locator('[name="channel[host]"]')).toBeHidden();
  await add.getByLabel("Another mail server").check();
  await add.locator('[name="channel[host]"]').fill("smtp://mail.invalid");
  await add.locator('[name="channel[username]"]').fill("desk");
  await add.locator('[name="channel[password]"]').fill("open sesame");
  await add.locator('[name="channel[from]"]').fill("desk@example.org");
  await add.locator('[name="channel[to]"]').fill("anna@example.org\nben@example.org");
  await add.locator('button[type="submit"]').click();
  await expect(add.locator(".problem")).not.toBeEmpty();
  await expect(add.getByLabel("Another mail server")).toBeChecked();
  await expect(add.locator('[name="channel[to]"]')).toHaveValue("anna@example.org\nben@example.org");
  await expect(add.locator('[name="channel[password]"]')).toHaveValue("");
  // The name ends in .invalid: nothing is ever sent.
  await add.locator('[name="channel[host]"]').fill("mail.invalid");
  await add.locator('[name="channel[password]"]').fill("open sesame");
  await add.locator('button[type="submit"]').click();
  await expect(page).toHaveURL(/\/settings\/channels\/[0-9a-f-]{36}/);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.locator('form[action="/fn/rotate_channel"]')).toHaveCount(0);
  await page.locator('form[action="/fn/test_channel"] button[type="submit"]').click();
  await expect(page.locator(".result")).toContainText(/The log below shows whether it arrives\.|The test message did not arrive\./);
}

/** A channel through the desk's mail server: without one a sentence leads to its form, with one no field of a server is asked for. */
export async function aChannelUsesTheMailServerOfTheDesk(page: Page, server: Server, name: string) {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/channels?add=mail`);
  const add = page.locator('form[action="/fn/add_channel"]');
  await expect(add.getByLabel("The mail server of the desk")).toBeChecked();
  await expect(add.locator(".of-desk")).toContainText("This desk has no mail server, so this channel sends nothing.");
  await add.getByRole("link", { name: "Set the mail server" }).click();
  await expect(page).toHaveURL(`${server.url}/settings/mail`);
  // Both forms ask for the same, in the same words.
  const mail = page.locator('form[action="/fn/set_mail_server"]');
  await mail.getByLabel("Mail server").fill("mail.invalid");
  await mail.getByLabel("From").fill("desk@example.org");
  await mail.locator('button[type="submit"]').click();
  await expect(page.locator(".result")).toContainText("The mail server is saved.");
  await expect(page.getByRole("button", { name: "Send test message" })).toBeVisible();
  await page.goto(`${server.url}/settings/channels?add=mail`);
  await expect(add.locator(".of-desk")).toContainText("Mails go through mail.invalid:587, from desk@example.org.");
  await add.locator('[name="channel[name]"]').fill(name);
  await add.locator('[name="channel[to]"]').fill("anna@example.org");
  await add.locator('button[type="submit"]').click();
  await expect(page).toHaveURL(/\/settings\/channels\/[0-9a-f-]{36}/);
  await expect(page.locator(".page-header .lead")).toContainText("The mail server of the desk");
  await expect(page.getByRole("button", { name: "Send test message" })).toBeVisible();
  // Its settings keep the choice. The server is removed again: they say what that means.
  await page.locator('.channel-tabs a[href*="tab=settings"]').click();
  await expect(page.getByLabel("The mail server of the desk")).toBeChecked();
  const channel = page.url();
  await page.goto(`${server.url}/settings/mail`);
  await page.locator("summary", { hasText: "Remove the mail server" }).click();
  await page.locator('form[action="/fn/remove_mail_server"] button').click();
  await expect(page.locator(".result")).toContainText("The mail server is removed.");
  const sentence = "This desk has no mail server, so this channel sends nothing.";
  await page.goto(channel.replace("?tab=settings", ""));
  await expect(page.locator("main .notice.warn").first()).toContainText(sentence);
  await page.locator('.channel-tabs a[href*="tab=settings"]').click();
  await expect(page.locator(".of-desk .notice.warn")).toContainText(sentence);
}

/** A site is connected, and an article is chosen for it on its page. Nothing is sent before the article is published. */
export async function anArticleIsChosenForASite(page: Page, server: Server, name: string, article: string) {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/channels`);
  await page.locator('.add-channel a[href*="add=wordpress"]').click();
  const add = page.locator('form[action="/fn/add_channel"]');
  await expect(add.locator('[name^="channel[events]"]')).toHaveCount(0);
  await add.locator('[name="channel[name]"]').fill(name);
  await add.locator('[name="channel[url]"]').fill("https://blog.invalid/");
  await add.locator('[name="channel[username]"]').fill("desk");
  await add.locator('[name="channel[password]"]').fill("abcd efgh ijkl mnop");
  await add.locator('button[type="submit"]').click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await page.goto(`${server.url}/articles/${article}`);
  const row = page.locator("section[aria-labelledby=also-on] li", { hasText: name });
  await expect(row).toContainText("Not published there.");
  await row.getByRole("button", { name: "Publish there too" }).click();
  await expect(row).toContainText("Published there with the article.");
  await row.getByRole("button", { name: "Do not publish there" }).click();
  await expect(row).toContainText("Not published there.");
}
