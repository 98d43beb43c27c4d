// The dashboard updates without a reload.
import { Api, expect, logIn, start, stop, test } from "../server";
import { fromSetUpToPublished } from "../set-up";

test("an article is published while the dashboard is open", async ({ page, server, api }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await logIn(page, server, "creator");
  const article = await api.article("Watched until published");
  await api.publishIn(article, 3);
  await expect(page.getByText("Watched until published").first()).toBeVisible();
  await expect.poll(async () => (await fetch(`${server.url}/site/${article.slug}`)).status).toBe(200);
  await expect(page.locator("main")).toContainText("Watched until published");
  // What is done is no longer planned.
  await expect(page.locator(".outlook li").first()).toContainText(/\d+ done/);
  expect(errors).toEqual([]);
});

test("a burst of publications is shown, and unchanged elements are kept", async ({ page, request }) => {
  // A separate server: a hundred items would fill the lists of the other tests.
  const server = await start({ users: true });
  const api = new Api(request, server, server.token("creator"));
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await logIn(page, server, "creator");
  const [later, ...others] = await Promise.all(Array.from({ length: 101 }, (_, place) => api.article(`One of many ${place}`)));
  const now = Date.now();
  const due = (article: { id: string }, ms: number) => ({ kind: "article.publish", target_id: article.id, due_at: new Date(now + ms).toISOString() });
  await api.post("/tasks/bulk", { items: [due(later, 3_600_000), ...others.map((article, place) => due(article, 3_000 + place * 20))] });
  // If an update replaced the page, this attribute would be lost, and user input with it.
  await page.locator(".dashboard-figures").evaluate((figures) => figures.setAttribute("data-mark", "kept"));
  const waiting = async () => (await api.get("/tasks?state=scheduled&q=One%20of%20many&limit=200")).items.length;
  await expect.poll(waiting).toBe(1);
  await expect(page.locator(".upcoming h2")).toContainText("One of many 0");
  await expect(page.locator("section[aria-labelledby=recent]")).toContainText("One of many 100");
  await expect(page.locator(".dashboard-figures")).toHaveAttribute("data-mark", "kept");
  expect(errors).toEqual([]);
  await stop(server);
});

test("the first article is seen going live, from the set-up link", async ({ page }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  const server = await start({ users: false });
  await fromSetUpToPublished(page, server);
  // Without a reload.
  await expect(page.locator("section[aria-labelledby=recent]")).toContainText("Hello");
  await expect(page.locator(".first-week").getByRole("link", { name: "See the public site" })).toBeVisible();
  expect(errors).toEqual([]);
  await stop(server);
});
