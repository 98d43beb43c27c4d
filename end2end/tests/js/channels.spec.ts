// Channels with JavaScript: the page stays hydrated after a refusal, and the log updates itself.
import { aChannelUsesTheMailServerOfTheDesk, aMailChannelIsAddedAndTested, anArticleIsChosenForASite, aWebhookIsAddedAndTested } from "../channel";
import { MeetingApi } from "../meetings";
import { MessageApi } from "../messages";
import { expect, logIn, test } from "../server";

test("a webhook is added and tested, and the log shows the result", async ({ page, server }) => {
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  await aWebhookIsAddedAndTested(page, server, "Search");
  // The result of the action is that of the test.
  await expect(page.locator(".result.warn")).toContainText("The test message did not arrive.");
  await expect(page.locator(".result")).toHaveCount(1);
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

test("a channel uses the mail server of the desk", async ({ page, server }) => {
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  await aChannelUsesTheMailServerOfTheDesk(page, server, "Subscribers");
  expect(broken).toEqual([]);
});

test("each page with the form of a mail channel is loaded as a whole, and its hidden fields stop no browser", async ({ page, server, request }) => {
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  page.on("console", (message) => message.type() === "error" && broken.push(message.text()));
  const api = MessageApi.of(request, server, "admin");
  const mail = { to: ["anna@example.org"], language: "en" };
  const channel = await api.post("/channels", { transport: "mail", name: "Whole", mail });
  await logIn(page, server, "admin");
  for (const path of ["?add=mail", `/${channel.id}`, `/${channel.id}?tab=settings`]) {
    await page.goto(`${server.url}/settings/channels${path}`);
    await expect(page.locator("html")).toHaveAttribute("data-live", "");
    await expect(page.locator("main .notice.warn").first()).toContainText("This desk has no mail server");
    expect(broken, path).toEqual([]);
  }
  await page.locator('[name="channel[from]"]').evaluate((field: HTMLInputElement) => (field.value = "no address"));
  await page.locator('form[action="/fn/edit_channel"] button[type="submit"]').click();
  await expect(page.locator(".result")).toContainText("Saved.");
  expect(broken).toEqual([]);
});

test("the outcome of a test is not that of a later message", async ({ page, server, request }) => {
  const api = MessageApi.of(request, server, "admin");
  const channel = await api.post("/channels", { name: "Meetings", url: "https://hook.invalid/", events: ["meeting.confirmed"], retry_schedule: "1h" });
  // Results stay longer, so that the message comes while the outcome is shown.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/channels/${channel.id}`);
  await page.locator('form[action="/fn/test_channel"] button[type="submit"]').click();
  await expect(page.locator(".result.warn")).toContainText("The test message did not arrive.");
  await MeetingApi.of(request, server, "admin").meeting("Not a test", null, "10:00", "11:00");
  await expect.poll(async () => (await api.get(`/deliveries?channel=${channel.id}`)).items.length).toBe(2);
  await expect(page.locator("main")).toContainText("2 in a row");
  await expect(page.locator(".result.warn")).toContainText("The test message did not arrive.");
});

test("the result of a rule ends when a signal is tried", async ({ page, server, request }) => {
  const api = MessageApi.of(request, server, "admin");
  const channel = await api.channel("Tried");
  const action = { type: "message", channel_id: channel.id, body: "Order {{key}}" };
  const rule = await api.post("/rules", { name: "Reminds", after: "order.created", wait: "PT30M", action });
  // Results stay longer, so that only the next action can end this one.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/rules/${rule.id}`);
  for (const said of ["Undo", "The rule is on again."]) {
    await page.locator('form[action="/fn/pause_rule"] button').first().click();
    await expect(page.locator(".result")).toContainText(said);
  }
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await expect(page).toHaveURL(`${server.url}/rules/${rule.id}`);
  await page.locator("summary", { hasText: "Try a signal" }).click();
  await page.locator("#about").fill("customer 7");
  await page.locator("#key").fill("4711");
  await page.getByRole("button", { name: "Try", exact: true }).click();
  await expect(page.locator("pre.message-body")).toHaveText("Order 4711");
  await expect(page.locator(".result")).toHaveCount(0, { timeout: 2_000 });
});

test("a refused form keeps the URL of its page", async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  await page.locator('input[name="email"]').fill("unknown@example.org");
  await page.locator('input[name="password"]').fill("not the password");
  await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await expect(page).toHaveURL(`${server.url}/login`);
});

test("an article is chosen for a site on its page", async ({ page, server, request }) => {
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  const article = await MessageApi.of(request, server, "admin").post("/articles", { title: "On two sites", body: "Text" });
  await anArticleIsChosenForASite(page, server, "Company blog", article.id);
  expect(broken).toEqual([]);
});
