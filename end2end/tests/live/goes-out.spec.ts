// Scripts are on: the desk follows without a reload.
import { expect, logIn, test } from "../desk";

test("an article goes out while the desk is watched", async ({ page, desk, api }) => {
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  await logIn(page, desk, "creator");
  const article = await api.article("Watched until it went out");
  await api.publishIn(article, 3);
  await expect(page.getByText("Watched until it went out").first()).toBeVisible();
  await expect.poll(async () => (await fetch(`${desk.url}/site/${article.slug}`)).status).toBe(200);
  await expect(page.locator("main")).toContainText("Watched until it went out");
  expect(troubles).toEqual([]);
});
