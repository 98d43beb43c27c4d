// With JavaScript: the pages before the log-in, and the devices of an account.
import { expect, logIn, test } from "../../server";
import { png } from "../editor/png";

test("a guest from Shanghai is asked in Chinese and gets the browser's time zone", async ({ page, server, browser }) => {
  const email = `wei${Date.now()}@example.org`;
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/people`);
  const form = page.locator("section.invite");
  await form.locator('[name="name"]').fill("Wei");
  await form.locator('[name="email"]').fill(email);
  await form.getByRole("button").click();
  const link = await page.locator(".new-secret .secret").innerText();
  const context = await browser.newContext({ locale: "zh-CN", timezoneId: "Asia/Shanghai" });
  const guest = await context.newPage();
  await guest.goto(link);
  await expect(guest.locator("html")).toHaveAttribute("lang", "zh");
  await expect(guest.locator('[name="zone"]')).toHaveValue("Asia/Shanghai");
  await expect(guest.locator('[name="language"]')).toHaveValue("zh");
  await guest.locator('[name="password"]').fill("short");
  await guest.getByRole("button", { name: "加入工作台" }).click();
  await expect(guest.locator(".problem")).toContainText("至少需要 8 个字符");
  await expect(guest.locator('[name="password"]')).toBeFocused();
  // A reload shows the form again and submits nothing.
  await expect(guest).toHaveURL(link);
  await guest.locator('[name="password"]').fill("correct horse wei");
  await guest.getByRole("button", { name: "加入工作台" }).click();
  await expect(guest.locator("html")).toHaveAttribute("lang", "zh");
  await guest.goto(`${server.url}/settings/profile`);
  await expect(guest.locator('[name="zone"]')).toHaveValue("Asia/Shanghai");
  await context.close();
});

test("the log-in page loads no wasm, and its form works", async ({ page, server }) => {
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto(`${server.url}/login`);
  await page.waitForLoadState("networkidle");
  expect(loaded.filter((path) => /\.(wasm|js)$/.test(path))).toEqual([]);
  server.sessions.delete("creator");
  await logIn(page, server, "creator");
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  // The parts of the other pages follow.
  expect(loaded.filter((path) => /\/app\.[0-9a-f]+\.wasm$/.test(path))).toHaveLength(1);
});

test("the bell shows the latest notifications beside the page, and they are marked as read there", async ({ page, server, api }) => {
  await api.post("/notifications/read", {});
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/quick`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator('[name="title"]').fill("Not added yet");
  for (const text of ["Call the mayor", "Water the plants"]) {
    await api.post("/reminders", { text, due_at: new Date(Date.now() + 2000).toISOString() });
  }
  const bell = page.locator(".frame-head [data-bell]");
  await expect(bell.locator(".count")).toHaveText("2");
  await bell.click();
  const panel = page.locator("#bell-panel");
  await expect(panel.locator(".notification.unread")).toHaveCount(2);
  await expect(panel.locator("#bell-panel-title")).toBeFocused();
  // Unread ones differ by more than weight: not the whole list is bold.
  await expect(panel.locator(".notification .title").first()).toHaveCSS("font-weight", "400");
  const mark = panel.getByRole("button", { name: "Mark all as read" });
  const [head, button] = [await panel.locator("#bell-panel-title").boundingBox(), await mark.boundingBox()];
  expect(button!.y, "beside the head line").toBeLessThan(head!.y + head!.height);
  await mark.click();
  await expect(panel.locator(".notification.unread")).toHaveCount(0);
  await expect(mark).toHaveCount(0);
  await expect(bell.locator(".count")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(page).toHaveURL(`${server.url}/quick`);
  await expect(page.locator('[name="title"]')).toHaveValue("Not added yet");
  await bell.click();
  await panel.getByRole("link", { name: "All notifications" }).click();
  await expect(page).toHaveURL(`${server.url}/notifications`);
  await expect(panel).toBeHidden();
});

test("a device shows notifications if its browser permits it", async ({ page, context, server }) => {
  await logIn(page, server, "creator");
  await context.grantPermissions(["notifications"]);
  const blocked = await context.newPage();
  await blocked.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "denied" }));
  await blocked.goto(`${server.url}/notifications`);
  await expect(blocked.getByText("This browser blocks notifications")).toBeVisible();
  await expect(blocked.getByRole("button", { name: "Show notifications on this device" })).toBeHidden();
  await blocked.close();
  // The push service of the browser needs the internet. The keys are those of RFC 8291, Appendix A.
  await page.addInitScript(() => {
    const endpoint = "https://push.example.org/a", auth = "BTBZMqHH6r4Tts7J_aSIgg";
    const p256dh = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const own = { endpoint, unsubscribe: async () => true, toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
    PushManager.prototype.subscribe = async () => own as unknown as PushSubscription;
  });
  await page.goto(`${server.url}/notifications`);
  await page.getByRole("button", { name: "Show notifications on this device" }).click();
  await expect(page.getByText("This device shows your notifications")).toBeVisible();
  await expect(page.locator("[data-endpoint]")).toHaveCount(1);
  await page.locator("[data-endpoint]").getByRole("button", { name: "Remove" }).click();
  await expect(page.locator("main")).toContainText("The device is removed.");
  await expect(page.getByRole("button", { name: "Show notifications on this device" })).toBeVisible();
});

test("the list of settings narrows while one types", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/people`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const menu = page.locator(".settings-menu.is-side");
  await expect(menu.locator("li")).toHaveCount(19);
  await menu.getByRole("searchbox").fill("webhook");
  await expect(menu.locator("li")).toHaveText(["Channels"]);
  await menu.getByRole("searchbox").fill("no such setting");
  await expect(menu).toContainText("Nothing found.");
  await menu.getByRole("searchbox").fill("工作流程 审批");
  await expect(menu.locator("li")).toHaveCount(0);
  await menu.getByRole("searchbox").fill("审批");
  await menu.getByRole("link", { name: "Review" }).click();
  await expect(page).toHaveURL(`${server.url}/settings/review`);
  await expect(menu.getByRole("link", { name: "Review", exact: true })).toHaveAttribute("aria-current", "page");
});

test("the picture of a person is uploaded and chosen at its field, as the logo of the site is", async ({ page, server, request }) => {
  await logIn(page, server, "admin");
  const headers = { authorization: `Bearer ${server.token("admin")}` };
  const file = { name: "portrait.png", mimeType: "image/png", buffer: png(14, 14) };
  const answer = await request.post(`${server.url}/api/v1/media`, { headers, multipart: { file } });
  expect(answer.status(), await answer.text()).toBe(201);
  const dialog = page.getByRole("dialog");
  for (const [path, name] of [["/settings/profile", "picture"], ["/settings/site", "logo"]]) {
    await page.goto(`${server.url}${path}`);
    await expect(page.locator("html")).toHaveAttribute("data-live", "");
    const field = page.locator(".field").filter({ has: page.locator(`#${name}`) });
    await field.locator("[data-upload-cover]").setInputFiles({ ...file, name: "new.png", buffer: png(15, 13) });
    await expect(field.locator(`#${name}`)).toHaveValue(/^\/media\/[0-9a-f]{64}\/15x13\.png$/);
    await expect(field.locator("img")).toHaveAttribute("src", /\/15x13\.png$/);
    await field.getByRole("button", { name: "Choose from the media library" }).click();
    await expect(dialog.getByRole("heading")).toHaveText("Choose a picture");
    await dialog.getByRole("button", { name: "portrait.png" }).first().click();
    await expect(dialog).toHaveCount(0);
    await expect(field.locator(`#${name}`)).toHaveValue(/\/14x14\.png$/);
    await expect(field.locator(`#${name}`)).toBeFocused();
    await expect(field.locator("img")).toHaveAttribute("src", /\/14x14\.png$/);
  }
});
