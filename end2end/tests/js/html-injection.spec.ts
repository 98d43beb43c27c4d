// A title cannot become markup: a creator cannot make an admin's browser submit a form.
import { expect, logIn, test } from "../server";

test("a title with a form in it grants no role", async ({ page, server, api }) => {
  await logIn(page, server, "admin");
  const users = `${server.url}/settings/people`;
  await page.goto(users);
  const row = page.locator(".account-list tr", { hasText: "cora@example.org" });
  const id = await row.locator('form[action="/fn/change_role"] [name="id"]').first().getAttribute("value");
  const title =
    `</title><form hidden id=editor-form action=/fn/change_role method=post><input name=id value=${id}>` +
    "<input name=role value=admin><select name=title><option>a</select><select name=body><option>a</select></form>";
  const article = await api.article(title);
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(new URL(request.url()).pathname));
  await page.goto(`${server.url}/articles/${article.id}`);
  // The number of items in Attention may stand before it.
  await expect(page).toHaveTitle(new RegExp("^(\\(\\d+\\) )?</title><form hidden"));
  await page.locator("#title").fill(`${title}!`);
  await page.locator(".schedule").getByRole("button", { name: "Publish now" }).click();
  await expect.poll(async () => (await fetch(`${server.url}/site/${article.slug}`)).status).toBe(200);
  expect(sent).not.toContain("/fn/change_role");
  await page.goto(users);
  await expect(row.locator('form[action="/fn/change_role"] select[name="role"]').first()).toHaveValue("creator");
});
