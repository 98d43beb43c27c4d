// Without JavaScript: login.
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
