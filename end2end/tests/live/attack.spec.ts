// A title cannot become markup: what a creator writes is not what an admin's browser sends.
import { expect, logIn, test } from "../desk";

test("a title that brings a form of its own makes nobody an admin", async ({ page, desk, api }) => {
  await logIn(page, desk, "admin");
  const people = `${desk.url}/settings/people`;
  await page.goto(people);
  const row = page.locator(".person-list > li", { hasText: "cora@example.org" });
  const id = await row.locator('form[action="/fn/change_role"] [name="id"]').first().getAttribute("value");
  const title =
    `</title><form hidden id=editor-form action=/fn/change_role method=post><input name=id value=${id}>` +
    "<input name=role value=admin><select name=title><option>a</select><select name=body><option>a</select></form>";
  const article = await api.article(title);
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(new URL(request.url()).pathname));
  await page.goto(`${desk.url}/articles/${article.id}`);
  await expect(page).toHaveTitle(new RegExp("^</title><form hidden"));
  await page.locator("#title").fill(`${title}!`);
  await page.locator(".schedule").getByRole("button", { name: "Publish now" }).click();
  await expect.poll(async () => (await fetch(`${desk.url}/site/${article.slug}`)).status).toBe(200);
  expect(sent).not.toContain("/fn/change_role");
  await page.goto(people);
  await expect(row.locator('form[action="/fn/change_role"] select[name="role"]').first()).toHaveValue("creator");
});
