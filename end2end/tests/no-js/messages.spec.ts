// Without JavaScript: messages are created, moved, cancelled and brought back, one by one and several at once.
import { expect, logIn, test } from "../server";
import { MessageApi } from "../messages";

test("a message is created, moved, cancelled and brought back", async ({ page, server, request }) => {
  const channel = await MessageApi.of(request, server, "admin").channel("Shop hook");
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/messages/new`);
  await page.locator("#channel_id").selectOption(channel.id);
  await page.locator("#body").fill("<b>Order 4711</b>\nis ready");
  await page.locator("#key").fill("order 4711/ready");
  await page.locator("#message-date").fill("2020-01-01");
  await page.locator("form.message-form button.main").click();
  // A refused form keeps its input.
  await expect(page.locator("#body")).toHaveValue("<b>Order 4711</b>\nis ready");
  await expect(page.locator("#key")).toHaveValue("order 4711/ready");
  await page.locator("#message-date").fill("2099-06-09");
  await page.locator("#message-time").fill("09:00");
  await page.locator("form.message-form button.main").click();
  await expect(page.locator(".result")).toContainText("“order 4711/ready” is scheduled for");
  await expect(page.locator("pre.message-body")).toHaveText("<b>Order 4711</b>\nis ready");
  await expect(page.locator(".task-sentence")).toContainText("Will be sent to “Shop hook” on");
  await page.locator("main summary", { hasText: "Reschedule" }).first().click();
  await page.locator('form[action="/fn/move_task"] input[type="time"]').fill("10:30");
  await page.locator('form[action="/fn/move_task"] button.main').click();
  await expect(page.locator(".task-sentence")).toContainText("10:30");
  await page.getByRole("button", { name: /^Cancel/ }).click();
  await expect(page.locator(".result")).toContainText("“order 4711/ready” is cancelled.");
  await page.locator(".result").getByRole("button", { name: "Undo: schedule again" }).click();
  await expect(page.locator(".task-sentence")).toContainText("Will be sent");
});

test("messages are found by key and changed together", async ({ page, server, request }) => {
  const api = MessageApi.of(request, server, "admin");
  const channel = await api.channel("Stock hook");
  for (const key of ["stock 1", "stock 2", "stock 3"]) {
    await api.message(channel, key);
  }
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/messages`);
  await page.locator("#q").fill("stock");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(page.locator(".list-row")).toHaveCount(3);
  await page.getByLabel("Select: stock 1").check();
  await page.getByLabel("Select: stock 2").check();
  await page.locator(".bulk-form").getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator(".result")).toContainText("2 messages are cancelled.");
  await page.goto(`${server.url}/messages?state=scheduled&q=stock`);
  await expect(page.locator(".list-row")).toHaveCount(1);
  await page.locator(".bulk-form").getByRole("button", { name: "Send now" }).click();
  await expect(page.locator(".bulk-form .alert")).not.toBeEmpty();
});

test("a creator opens neither messages nor rules", async ({ page, server }) => {
  await logIn(page, server, "creator");
  for (const path of ["/messages", "/messages/new", "/rules", "/rules/new"]) {
    const answer = await page.goto(`${server.url}${path}`);
    expect(answer?.status()).toBe(403);
    await expect(page.getByText("This page is for admins.")).toBeVisible();
  }
});
