// Scripts are off: forms alone do the job.
import { expect, logIn, people, test } from "../desk";

test("a wrong password is refused in words, and what was typed stays", async ({ page, desk }) => {
  await page.goto(`${desk.url}/login`);
  await page.locator('input[name="email"]').fill(people.creator.email);
  await page.locator('input[name="password"]').fill("not the password");
  await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await expect(page.locator('input[name="email"]')).toHaveValue(people.creator.email);
  await expect(page.locator('input[name="password"]')).toHaveValue("");
});

test("what was planned is on the desk, and its page says when", async ({ page, desk, api }) => {
  const article = await api.article("Planned on paper");
  await api.publishIn(article, 3600);
  await logIn(page, desk, "creator");
  await expect(page.getByText("Planned on paper").first()).toBeVisible();
  for (const path of ["/articles", "/tasks", "/attention", `/articles/${article.id}`]) {
    const answer = await page.goto(desk.url + path);
    expect(answer?.status(), path).toBe(200);
    await expect(page.locator("h1")).toHaveCount(1);
  }
});

test("a text that was typed into an expired session is there after the log-in", async ({ page, desk, context }) => {
  await logIn(page, desk, "creator");
  await page.goto(`${desk.url}/articles/new`);
  await page.locator("#title").fill("Typed for an hour");
  await page.locator("#body").fill("and nothing of it </textarea> is lost");
  await context.clearCookies();
  await page.locator('.save-line button[type="submit"]').click();
  await expect(page.getByText("what you typed is kept")).toBeVisible();
  for (const password of ["not this one", people.creator.password]) {
    await page.locator('input[name="email"]').fill(people.creator.email);
    await page.locator('input[name="password"]').fill(password);
    await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  }
  await expect(page.locator("#title")).toHaveValue("Typed for an hour");
  await expect(page.locator("#body")).toHaveValue("and nothing of it </textarea> is lost");
  await page.locator('.save-line button[type="submit"]').click();
  await page.goto(`${desk.url}/articles`);
  await expect(page.locator("main")).toContainText("Typed for an hour");
});
