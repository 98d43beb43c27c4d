// The ways out, with forms alone.
import { aMailChannelIsAddedAndTested, aWebhookIsAddedAndTested } from "../channel";
import { expect, test } from "../desk";

test("a webhook is added and tested", async ({ page, desk }) => {
  await aWebhookIsAddedAndTested(page, desk, "Archive");
  await expect(async () => {
    await page.reload();
    await expect(page.locator('.delivery-log .phase[data-phase="failed"]')).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
});

test("a mail channel is added and tested", async ({ page, desk }) => {
  await aMailChannelIsAddedAndTested(page, desk, "Letters");
});
