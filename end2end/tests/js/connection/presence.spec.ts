// Two people on one article see each other, and the activity follows what they do.
import { Api, expect, logIn, test } from "../../server";

test("two people on one article see each other, without a shift of the page", async ({ page, server, api, browser }) => {
  const article = await api.article("High tide");
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/${article.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const title = page.locator('[name="title"]');
  const before = await title.boundingBox();
  const context = await browser.newContext();
  const other = await context.newPage();
  await logIn(other, server, "admin");
  await other.goto(`${server.url}/articles/${article.id}`);
  await expect(other.locator(".presence")).toHaveText("Cora is here too");
  // The first page reports every 20 seconds.
  await expect(page.locator(".presence")).toHaveText(/ is here too$/, { timeout: 25_000 });
  expect(await title.boundingBox()).toEqual(before);
  await context.close();
});

test("the activity is filtered by person and follows changes", async ({ page, server, api, request }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/activity`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await api.article("Low tide");
  await expect(page.locator(".timeline li").first()).toContainText("Low tide");
  await new Api(request, server, server.token("admin")).article("Neap tide");
  await expect(page.locator(".timeline li").first()).toContainText("Neap tide");
  await page.getByLabel("Person").selectOption({ label: "Cora" });
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(/person=/);
  await expect(page.getByLabel("Person").locator("option:checked")).toHaveText("Cora");
  await expect(page.locator(".timeline li").first()).toContainText("Low tide");
  await expect(page.locator(".timeline")).not.toContainText("Neap tide");
});
