// Without JavaScript: login.
import { createHmac } from "node:crypto";
import { expect, logIn, users, test } from "../server";

test("a wrong password is refused, and the email is kept", async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  await page.locator('input[name="email"]').fill(users.creator.email);
  await page.locator('input[name="password"]').fill("not the password");
  await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await expect(page.locator('input[name="email"]')).toHaveValue(users.creator.email);
  await expect(page.locator('input[name="password"]')).toHaveValue("");
});

test("a scheduled article is on the dashboard and on its pages", async ({ page, server, api }) => {
  const article = await api.article("Planned on paper");
  await api.publishIn(article, 3600);
  await logIn(page, server, "creator");
  await expect(page.getByText("Planned on paper").first()).toBeVisible();
  for (const path of ["/articles", "/tasks", `/articles/${article.id}`]) {
    const answer = await page.goto(server.url + path);
    expect(answer?.status(), path).toBe(200);
    await expect(page.locator("h1")).toHaveCount(1);
  }
});

test("a text submitted after the session expired is restored after the login", async ({ page, server, context }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/new`);
  await page.locator("#title").fill("Typed for an hour");
  await page.locator("#body").fill("and nothing of it </textarea> is lost");
  await context.clearCookies();
  await page.locator('.save-line button[type="submit"]').click();
  await expect(page.getByText("your input is kept")).toBeVisible();
  for (const password of ["not this one", users.creator.password]) {
    await page.locator('input[name="email"]').fill(users.creator.email);
    await page.locator('input[name="password"]').fill(password);
    await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  }
  await expect(page.locator("#title")).toHaveValue("Typed for an hour");
  await expect(page.locator("#body")).toHaveValue("and nothing of it </textarea> is lost");
  await page.locator('.save-line button[type="submit"]').click();
  await page.goto(`${server.url}/articles`);
  await expect(page.locator("main")).toContainText("Typed for an hour");
});

/** The code of an authenticator app for this key, a number of steps from now. */
function codeOf(key: string, steps: number) {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...key].map((digit) => alphabet.indexOf(digit).toString(2).padStart(5, "0")).join("");
  const secret = Buffer.from(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const tag = createHmac("sha1", secret).update(step).digest();
  const word = tag.readUInt32BE(tag[19]! & 15) & 0x7fffffff;
  return (word % 1_000_000).toString().padStart(6, "0");
}

test("a second factor is added in the profile, and a log-in asks for its code", async ({ page, server, browser }) => {
  const email = `second${Date.now()}@example.org`;
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/people`);
  const form = page.locator("section.invite");
  await form.locator('[name="name"]').fill("Second Factor");
  await form.locator('[name="email"]').fill(email);
  await form.getByRole("button").click();
  const link = await page.locator(".new-secret .secret").innerText();

  const context = await browser.newContext({ javaScriptEnabled: false });
  const guest = await context.newPage();
  await guest.goto(link);
  await guest.locator('[name="password"]').fill("correct horse second");
  await guest.locator('button[type="submit"]').click();
  await expect(guest.locator(".nav .nav-user")).not.toBeEmpty();
  await guest.goto(`${server.url}/settings/profile`);
  const panel = guest.locator("#second-factor");
  await panel.locator('form[action="/fn/create_second_factor"] button').click();
  const key = await panel.locator("code.secret").innerText();
  await panel.locator('[name="code"]').fill("123");
  await panel.locator('form[action="/fn/add_second_factor"] button').click();
  await expect(panel.locator("#second-factor-code-problem")).toContainText("is wrong");
  await panel.locator('[name="code"]').fill(codeOf(key, 0));
  await panel.locator('form[action="/fn/add_second_factor"] button').click();
  const codes = (await panel.locator("pre.secret").innerText()).split("\n");
  expect(codes).toHaveLength(10);

  await context.clearCookies();
  await guest.goto(`${server.url}/login?next=/articles`);
  await guest.locator('input[name="email"]').fill(email);
  await guest.locator('input[name="password"]').fill("correct horse second");
  await guest.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  const code = guest.locator('form[action="/fn/complete_log_in"]');
  await code.locator('[name="code"]').fill("123");
  await code.getByRole("button").click();
  await expect(guest.locator("#code-problem")).toContainText("is wrong");
  // The step after the current one is accepted too.
  await code.locator('[name="code"]').fill(codeOf(key, 1));
  await code.getByRole("button").click();
  await expect(guest).toHaveURL(`${server.url}/articles`);
  await context.close();
});
