// Two tabs with one article: a clean one follows, different lines are merged, equal ones are compared.
import { type BrowserContext, type Page } from "@playwright/test";
import { expect, logIn, test, type Api, type Server } from "../../server";

const state = ".save-state";

async function twoTabs(page: Page, context: BrowserContext, server: Server, api: Api, body: string) {
  await logIn(page, server, "creator");
  const article = await api.article("Two tabs", body);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${server.url}/articles/${article.id}`);
    await tab.getByRole("button", { name: "Bold" }).waitFor();
  }
  return { article, other };
}

async function save(tab: Page, body: string) {
  await tab.locator("#body").fill(body);
  await tab.locator("#body").press("Control+S");
}

test("a tab without changes shows what was saved in another one", async ({ page, server, api, context }) => {
  const { other } = await twoTabs(page, context, server, api, "one\n\ntwo");
  await save(page, "ONE\n\ntwo");
  await expect(other.locator("#body")).toHaveValue("ONE\n\ntwo");
  await expect(other.locator(".newer-revision")).toContainText("You saved revision 2 in another tab at");
  await save(other, "ONE\n\nTWO");
  await expect(other.locator(state)).toHaveText(/^Saved at /);
  await expect(page.locator("#body")).toHaveValue("ONE\n\nTWO");
});

test("edits of different lines are merged, and both are saved", async ({ page, server, api, context }) => {
  const { article, other } = await twoTabs(page, context, server, api, "one\n\ntwo\n\nthree");
  await context.setOffline(true);
  await other.locator("#body").fill("one\n\ntwo\n\nTHREE");
  await expect(other.locator(state)).toHaveText("Not saved");
  // The other edit arrives at the server first.
  await api.request.patch(`${server.url}/api/v1/articles/${article.id}`, {
    data: { body: "ONE\n\ntwo\n\nthree", seen_revision: 1 },
    headers: { authorization: `Bearer ${api.token}` },
  });
  await context.setOffline(false);
  await expect(other.locator(".newer-revision")).toContainText("they were merged");
  await expect(other.locator("#body")).toHaveValue("ONE\n\ntwo\n\nTHREE");
  await expect(other.locator(state)).toHaveText(/^Saved at /);
  await expect.poll(async () => (await api.get(`/articles/${article.id}`)).body).toBe("ONE\n\ntwo\n\nTHREE");
  await expect(page.locator("#body")).toHaveValue("ONE\n\ntwo\n\nTHREE");
});
