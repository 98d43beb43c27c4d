// Without JavaScript: accounts and settings.
import { type Page } from "@playwright/test";
import { Api, expect, logIn, start, stop, users, test } from "../server";

const row = (page: Page, name: string) => page.locator(".account-row", { hasText: name });

/** Accepts a one-time link in a new browser context. */
async function accept(page: Page, link: string, password: string) {
  const other = await page.context().browser()!.newContext({ javaScriptEnabled: false });
  const guest = await other.newPage();
  await guest.goto(link);
  await guest.locator('[name="password"]').fill(password);
  await guest.locator('button[type="submit"]').click();
  await expect(guest.locator(".nav .nav-user")).not.toBeEmpty();
  expect((await guest.goto(link))?.status()).toBe(410);
  return guest;
}

test("a user is invited, gets a role and a new password, and is disabled with scheduled tasks kept or cancelled", async ({ page, server, api, request }) => {
  const name = `Nina ${Date.now()}`;
  const email = `nina${Date.now()}@example.org`;
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/people`);
  const form = page.locator("section.invite");
  await form.locator('[name="name"]').fill(name);
  await form.locator('[name="email"]').fill(users.admin.email);
  await form.locator("select").selectOption("reviewer");
  await form.getByRole("button").click();
  await expect(form.getByRole("alert")).toContainText("already in use");
  await expect(form.locator('[name="name"]')).toHaveValue(name);
  await expect(form.locator("select")).toHaveValue("reviewer");
  await form.locator('[name="email"]').fill(email);
  await form.getByRole("button").click();
  await accept(page, await page.locator(".new-secret .secret").innerText(), "correct horse nina");

  await page.goto(`${server.url}/settings/people`);
  await row(page, name).locator("select").selectOption("creator");
  await row(page, name).locator('form[action="/fn/change_role"] button').click();
  await expect(row(page, name).locator("select")).toHaveValue("creator");
  await row(page, name).locator('form[action="/fn/reset_password"] button').click();
  const nina = await accept(page, await page.locator(".new-secret .secret").innerText(), "correct horse nina two");

  const token = server.run(["token", "create", "--user", email]).trim();
  const of = new Api(request, server, token);
  const [kept, dropped] = [await of.article(`Kept of ${name}`), await of.article(`Dropped of ${name}`)];
  const waits = await of.publishIn(kept, 86_400);
  const answer = (label: string) => page.locator(".prompt").getByRole("button", { name: label });
  const shut = async () => {
    await page.goto(`${server.url}/settings/people`);
    await row(page, name).locator('form[action="/fn/disable_account"] button').click();
  };
  await shut();
  await expect(page.locator(".scheduled-list")).toContainText(`Kept of ${name}`);
  await expect(page.locator(".prompt")).toContainText("Scheduled tasks: 1.");
  await expect(page.locator('.prompt [name="to"] option:checked')).toContainText("(you)");
  await answer("Disable and hand over").click();
  await expect(row(page, name)).toHaveClass(/is-disabled/);
  await expect(page.getByText("The account is disabled.")).toBeVisible();
  await nina.goto(`${server.url}/articles`);
  await expect(nina).toHaveURL(/\/login/);
  expect((await api.get(`/tasks/${waits.id}`)).state).toBe("scheduled");

  await row(page, name).locator('form[action="/fn/enable_account"] button').click();
  await expect(row(page, name)).not.toHaveClass(/is-disabled/);
  const again = new Api(request, server, server.run(["token", "create", "--user", email]).trim());
  const cancelled = await again.publishIn(dropped, 86_400);
  await shut();
  // The kept task belongs to the admin now.
  await expect(page.locator(".scheduled-list li")).toHaveCount(1);
  await answer("cancel these tasks").click();
  await expect(row(page, name)).toHaveClass(/is-disabled/);
  await page.goto(`${server.url}/articles/${dropped.id}`);
  await expect(page.locator(".scheduled-card")).toHaveCount(0);
  expect((await api.get(`/tasks/${waits.id}`)).state).toBe("scheduled");
  await page.goto(`${server.url}/tasks/${cancelled.id}`);
  await expect(page.locator("main")).toContainText("The owner's account was disabled.");
  await nina.context().close();
});

test("an invitation is listed, gets a new link, and is withdrawn", async ({ page, server }) => {
  const email = `otto${Date.now()}@example.org`;
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/people`);
  const form = page.locator("section.invite");
  await form.locator('[name="name"]').fill("Otto");
  await form.locator('[name="email"]').fill(email);
  await form.getByRole("button").click();
  const secret = page.locator(".new-secret .secret");
  const first = await secret.innerText();
  const invited = page.locator(".invitations .account-row", { hasText: email });
  await expect(invited).toContainText("invited, 7 d left");
  await invited.getByRole("button", { name: "New link" }).click();
  const second = await secret.innerText();
  expect(second).not.toBe(first);
  const other = await page.context().browser()!.newContext({ javaScriptEnabled: false, locale: "zh-CN" });
  const guest = await other.newPage();
  expect((await guest.goto(first))?.status()).toBe(410);
  expect((await guest.goto(second))?.status()).toBe(200);
  await expect(guest.locator("html")).toHaveAttribute("lang", "zh");
  await invited.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText("The invitation is withdrawn.")).toBeVisible();
  await expect(invited).toHaveCount(0);
  expect((await guest.goto(second))?.status()).toBe(410);
  await other.close();
});

test("a user sees the own sessions, stays logged in, and logs out all others", async ({ page, server, browser }) => {
  const logInAgain = async (stays: boolean) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const other = await context.newPage();
    await other.goto(`${server.url}/login`);
    await other.locator('[name="email"]').fill(users.creator.email);
    await other.locator('[name="password"]').fill(users.creator.password);
    if (stays) await other.locator('[name="stay"]').check();
    await other.locator('form[action="/fn/log_in"] button').click();
    await expect(other).toHaveURL(`${server.url}/`);
    const [cookie] = (await context.cookies(server.url)).filter(({ name }) => name.endsWith("sid"));
    return { context, other, lasts: cookie.expires < 0 ? 0 : cookie.expires - Date.now() / 1000 };
  };
  const [usual, stays] = [await logInAgain(false), await logInAgain(true)];
  expect(usual.lasts).toBe(0);
  expect(Math.round(stays.lasts / 86_400)).toBe(30);
  await stays.other.goto(`${server.url}/settings/profile`);
  await expect(stays.other.locator(".session-row").first()).toContainText(/Chrome · Linux · 127\.0\.0\.1/);
  await stays.other.getByRole("button", { name: "Log out all other sessions" }).click();
  await expect(stays.other.getByText("All other sessions are logged out.")).toBeVisible();
  await expect(stays.other.locator(".session-row")).toHaveCount(1);
  await usual.other.goto(`${server.url}/articles`);
  await expect(usual.other).toHaveURL(/\/login/);
  // Other tests reuse sessions of this user.
  server.sessions.delete("creator");
  for (const { context } of [usual, stays]) await context.close();
});

test("a role change is undone, and shortcuts are switched off", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/people?q=cora`);
  const cora = row(page, users.creator.email);
  await expect(page.locator(".account-row")).toHaveCount(1);
  await cora.locator("select").selectOption("reviewer");
  await cora.locator('form[action="/fn/change_role"] button').click();
  const result = page.locator(".result");
  await expect(result).toContainText("Role changed.");
  await result.getByRole("button", { name: /^Undo role change/ }).click();
  await expect(result).toContainText("Undone: the account is as it was.");
  await expect(cora.locator("select")).toHaveValue("creator");
  server.sessions.delete("creator");
  await page.goto(`${server.url}/settings/profile`);
  const profile = page.locator('form[action="/fn/change_profile"]');
  await profile.locator('[name="shortcuts"]').uncheck();
  await profile.getByRole("button").click();
  await expect(profile.locator('[name="shortcuts"]')).not.toBeChecked();
  await profile.locator('[name="shortcuts"]').check();
  await profile.getByRole("button").click();
});

test("a refused role change keeps the selection", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/people`);
  const ada = row(page, users.admin.email);
  await ada.locator("select").selectOption("creator");
  await ada.locator('form[action="/fn/change_role"] button').click();
  await expect(ada.getByRole("alert")).toContainText("This is the last admin.");
  await expect(ada.locator("select")).toHaveValue("creator");
});

test("profile and desk settings are saved, and a refused form keeps its input", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/profile`);
  const about = page.locator('form[action="/fn/change_profile"]');
  await about.locator('[name="zone"]').fill("Mars/Base");
  await about.locator('[value="dark"]').check();
  await about.getByRole("button").click();
  await expect(about.locator("#zone-problem")).toContainText("is unknown");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(about.locator('[value="dark"]')).toBeChecked();
  await expect(about.locator('[name="zone"]')).toHaveValue("Mars/Base");
  await about.locator('[name="zone"]').fill("UTC");
  await about.getByRole("button").click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await about.locator('[value="auto"]').check();
  await about.getByRole("button").click();
  await page.goto(`${server.url}/settings/desk`);
  await page.locator('.settings [name="title"]').fill("The no-JS desk");
  await page.locator('form[action="/fn/change_settings"] button').click();
  await expect(page.locator(".brand")).toHaveText("The no-JS desk");
});

test("another time zone of the desk asks what scheduled items keep", async ({ page, request }) => {
  const server = await start({ users: true });
  const api = new Api(request, server, server.token("admin"));
  const article = await api.article("Planned in the zone of the desk");
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/desk`);
  const zone = page.locator('.settings [name="zone"]');
  const before = await zone.inputValue();
  const task = await api.post("/tasks", { kind: "article.publish", target_id: article.id, local: "2030-06-03T09:00", zone: before });
  await zone.fill("Asia/Tokyo");
  await page.locator('form[action="/fn/change_settings"] button').click();
  await expect(page.locator(".settings")).toContainText("Planned in the zone of the desk");
  await page.locator('[name="zone_change"][value="keep_wall_clock"]').click();
  await page.goto(`${server.url}/settings/desk`);
  await expect(zone).toHaveValue("Asia/Tokyo");
  expect((await api.get(`/tasks/${task.id}`)).due_at).toBe("2030-06-03T00:00:00.000Z");
  await stop(server);
});

test("an admin pauses and resumes publishing", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/engine`);
  await page.locator("summary", { hasText: "Pause publishing" }).click();
  await page.getByRole("button", { name: "Pause until an admin resumes it" }).click();
  await expect(page.locator(".banner")).toContainText(/Publishing paused since .* You paused it\. Nothing is published until it is resumed\./);
  await page.locator(".engine-page").getByRole("button", { name: "Resume publishing" }).click();
  await expect(page.locator(".banner")).toBeHidden();
});

test("a setting is found by what it does", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/profile`);
  const menu = page.locator(".settings-menu.is-side");
  await expect(menu.locator(".settings-group")).toHaveText(["Me", "Desk"]);
  await expect(menu.locator("li")).toHaveCount(19);
  for (const [typed, found] of [["smtp", ["Mail"]], ["publishing", ["Posting slots", "Review", "Word lists"]], ["dark", ["Theme, light or dark"]]] as const) {
    await menu.getByRole("searchbox").fill(typed);
    await menu.getByRole("button", { name: "Find a setting" }).click();
    await expect(menu.locator("li")).toHaveText([...found]);
    await expect(menu.getByRole("searchbox")).toHaveValue(typed);
  }
  await menu.getByRole("searchbox").fill("no such setting");
  await menu.getByRole("button", { name: "Find a setting" }).click();
  await expect(menu).toContainText("Nothing found.");
});

test("a stylesheet of the site is refused with its line, kept as a draft, previewed and published", async ({ page, server }) => {
  await logIn(page, server, "admin");
  const css = page.locator('form[action="/fn/keep_site_style"]');
  const publish = page.locator('form[action="/fn/publish_site_style"]');
  const keep = async (text: string) => {
    await page.goto(`${server.url}/settings/site`);
    await css.locator("textarea").fill(text);
    await css.getByRole("button").click();
  };
  await keep("a {}\n@import 'x.css';");
  await expect(css.locator(".problem")).toContainText("line 2");
  await expect(css.locator("textarea")).toHaveValue("a {}\n@import 'x.css';");
  await keep(".site-head { outline: 3px solid rgb(1, 2, 3); }");
  const preview = await page.locator('a[href^="/settings/site/preview?style="]').getAttribute("href");
  for (const path of [preview, "/site"]) {
    if (path === "/site") {
      await publish.getByRole("button").click();
      await expect(publish).toHaveCount(0);
    }
    await page.goto(`${server.url}${path}`);
    await expect(page.locator(".site-head")).toHaveCSS("outline-color", "rgb(1, 2, 3)");
    await page.goto(`${server.url}/settings/site`);
  }
  await keep("");
  await publish.getByRole("button").click();
  await expect(publish).toHaveCount(0);
  await page.goto(`${server.url}/site`);
  await expect(page.locator('link[href^="/site/style/"]')).toHaveCount(0);
});

test("a group is created, its members are added to a meeting with what was typed, and it is deleted", async ({ page, server }) => {
  const name = `Press ${Date.now()}`;
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/groups`);
  const form = page.locator('form[action="/fn/create_group"]');
  await form.locator('[name="name"]').fill(name);
  for (const box of await form.locator('input[name^="members["]').all()) await box.check();
  await form.getByRole("button", { name: "Create group" }).click();
  await expect(page.getByText("The group is created.")).toBeVisible();
  await page.goto(`${server.url}/meetings/new`);
  await page.locator('[name="meeting[title]"]').fill("Typed before");
  await page.getByRole("button", { name: `Add ${name}` }).click();
  await expect(page.locator('[name="meeting[title]"]')).toHaveValue("Typed before");
  const people = await page.locator('[name="meeting[people][]"]').count();
  await expect(page.locator('[name="meeting[people][]"]:checked')).toHaveCount(people);
  await page.goto(`${server.url}/settings/groups`);
  const item = page.locator("li.panel", { hasText: name });
  await item.getByText("Delete…").click();
  await expect(item).toContainText("stay asked and invited");
  await item.getByRole("button", { name: "Delete group" }).click();
  await expect(page.getByText("The group is deleted.")).toBeVisible();
  await expect(page.locator("li.panel", { hasText: name })).toHaveCount(0);
});
