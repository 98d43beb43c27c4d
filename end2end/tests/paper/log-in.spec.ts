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
