// Without JavaScript: a rule is written from a template, tried, run over the last days, paused, changed and deleted.
import { expect, logIn, test } from "../server";
import { MessageApi } from "../messages";

test("a rule is written from a template, tried, changed and deleted", async ({ page, server, request }) => {
  const api = MessageApi.of(request, server, "admin");
  await api.channel("Orders hook");
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/rules`);
  await page.getByRole("link", { name: "New rule" }).click();
  await page.getByRole("link", { name: /^Unpaid order/ }).click();
  await expect(page.locator('[name="rule[after]"]')).toHaveValue("order.created");
  await page.locator('[name="rule[wait]"]').fill("soon");
  await page.locator("form.rule-form button.main").click();
  // A refused form keeps its input.
  await expect(page.locator(".problem")).toHaveCount(1);
  await expect(page.locator('[name="rule[wait]"]')).toHaveValue("soon");
  await page.locator('[name="rule[wait]"]').fill("24 h");
  await page.locator('[name="rule[channel_id]"]').selectOption({ label: "Orders hook · Webhook" });
  await page.locator('[name="rule[text]"]').fill("Order {{key}} of {{subject}} is not paid.");
  await page.locator("form.rule-form button.main").click();
  await expect(page.locator(".result")).toContainText("The rule is on.");
  await expect(page.locator(".rule-sentence")).toContainText("After order.created wait 24 h, then send a message to “Orders hook”");
  const rule = page.url().split("?")[0];

  await page.locator("summary", { hasText: "Try a signal" }).click();
  await page.locator("#about").fill("customer 7");
  await page.locator("#key").fill("4711");
  await page.getByRole("button", { name: "Try", exact: true }).click();
  await expect(page.locator("pre.message-body")).toHaveText("Order 4711 of customer 7 is not paid.");

  await api.signal("order.created", "customer 7", "4711");
  // Signals that were seen, and those of the desk, are proposed.
  await page.goto(`${server.url}/rules/new`);
  await expect(page.locator('#rule-signals option[value="order.created"]')).toHaveText("seen 1×");
  await expect(page.locator('#rule-signals option[value="article.published"]')).toHaveCount(1);
  await page.locator(".signal-names > summary").click();
  await expect(page.locator(".signal-names li", { hasText: "meeting.ended" })).toBeVisible();
  await page.goto(rule);
  const row = page.locator(".list-row", { hasText: "customer 7" });
  await expect(row).toHaveCount(1);
  await page.locator("summary", { hasText: "Dry run" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("1 signals were read")).toBeVisible();

  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.locator(".result")).toContainText("The rule is paused.");
  await page.locator(".result").getByRole("button", { name: "Undo pause" }).click();
  await expect(page.locator(".result")).toContainText("The rule is on again.");

  await page.locator("summary", { hasText: "Delete rule" }).click();
  const remove = page.locator('form[action="/fn/delete_rule"]');
  await expect(remove).toContainText("1 are waiting for this rule. What should happen to them?");
  await remove.getByLabel("They are cancelled").check();
  await remove.getByRole("button").click();
  await expect(page.locator(".result")).toContainText("The rule is deleted.");
});

test("without a mail channel, the form of a rule says so and leads to the channels", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/rules/new`);
  await page.locator('[name="rule[action]"]').selectOption("mail");
  const missing = page.locator(".rule-form .notice.warn");
  await expect(missing).toContainText("There is no mail channel yet");
  await missing.getByRole("link", { name: "Add one" }).click();
  await expect(page).toHaveURL(/\/settings\/channels$/);
});
