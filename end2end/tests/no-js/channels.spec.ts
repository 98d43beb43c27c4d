// Channels and the settings of the queue without JavaScript.
import { aChannelUsesTheMailServerOfTheDesk, aMailChannelIsAddedAndTested, anArticleIsChosenForASite, aWebhookIsAddedAndTested } from "../channel";
import { MessageApi } from "../messages";
import { expect, logIn, test } from "../server";

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

test("an article is chosen for a site on its page", async ({ page, server, request }) => {
  const article = await MessageApi.of(request, server, "admin").post("/articles", { title: "On two sites", body: "Text" });
  await anArticleIsChosenForASite(page, server, "Company blog", article.id);
});

test("the limit of a kind is set in its row, and a refused number stays", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/queue`);
  const form = page.locator('form[action="/fn/limit_kind"]', { has: page.locator('input[name="id"][value="article.unpublish"]') });
  const row = page.locator("tr", { has: form });
  await row.locator("summary").click();
  await row.locator('[name="max_concurrency"]').fill("501");
  await row.locator('button[type="submit"]').click();
  await expect(row.locator('[role="alert"]')).toContainText("between 1 and 500");
  await expect(row.locator('[name="max_concurrency"]')).toHaveValue("501");
  await row.locator('[name="max_concurrency"]').fill("7");
  await row.locator('button[type="submit"]').click();
  await expect(page).toHaveURL(/settings\/queue/);
  await expect(row.locator("td").first()).toHaveText("7");
  await expect(row).toContainText("set by");
  await row.locator("summary").click();
  await row.locator('[name="max_concurrency"]').fill("");
  await row.locator('button[type="submit"]').click();
  await expect(row).toContainText("default");
});
