// Channels without JavaScript.
import { aChannelUsesTheMailServerOfTheDesk, aMailChannelIsAddedAndTested, aWebhookIsAddedAndTested } from "../channel";
import { expect, test } from "../server";

test("a webhook is added and tested", async ({ page, server }) => {
  await aWebhookIsAddedAndTested(page, server, "Archive");
  await expect(async () => {
    await page.reload();
    await expect(page.locator('.delivery-log .phase[data-phase="failed"]')).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
});

test("a mail channel is added and tested", async ({ page, server }) => {
  await aMailChannelIsAddedAndTested(page, server, "Letters");
});

test("a channel uses the mail server of the desk", async ({ page, server }) => {
  await aChannelUsesTheMailServerOfTheDesk(page, server, "Newsletter");
});
