// Scripts are on: the desk follows without a reload.
import { Api, expect, logIn, start, stop, test } from "../desk";

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

test("many go out at once: every one is shown, and what has not changed is left alone", async ({ page, request }) => {
  // A desk of its own: a hundred items would fill the lists of the others.
  const desk = await start({ people: true });
  const api = new Api(request, desk, desk.token("creator"));
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  await logIn(page, desk, "creator");
  const [later, ...others] = await Promise.all(Array.from({ length: 101 }, (_, place) => api.article(`One of many ${place}`)));
  const now = Date.now();
  const due = (article: { id: string }, ms: number) => ({ kind: "article.publish", target_id: article.id, due_at: new Date(now + ms).toISOString() });
  await api.post("/tasks/bulk", { items: [due(later, 3_600_000), ...others.map((article, place) => due(article, 3_000 + place * 20))] });
  // A reading that takes the page away and makes it anew would lose this mark, and what a person types with it.
  await page.locator(".desk-figures").evaluate((figures) => figures.setAttribute("data-mark", "kept"));
  const waiting = async () => (await api.get("/tasks?state=scheduled&q=One%20of%20many&limit=200")).items.length;
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
  await expect(page.locator(".next-up h1")).toContainText("One of many 0");
  await expect(page.locator("section[aria-labelledby=recent]")).toContainText("One of many 100");
  await expect(page.locator(".desk-figures")).toHaveAttribute("data-mark", "kept");
  expect(troubles).toEqual([]);
  await stop(desk);
});
