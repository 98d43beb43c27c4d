// Findings of the checklist and hits of word lists beside the editor, and the keys on the page of a review.
import { expect, logIn, test } from "../../server";

test.afterEach(async ({ server, request }) => {
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  const data = { workflow: "none", checklist: { marks: "off", alt_texts: "off" } };
  expect((await request.patch(`${server.url}/api/v1/settings/review`, { headers, data })).status()).toBe(200);
});

test("a finding selects its place, and goes away with it", async ({ page, server, api, request }) => {
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  const data = { checklist: { marks: "warn", alt_texts: "require" } };
  await request.patch(`${server.url}/api/v1/settings/review`, { headers, data });
  await logIn(page, server, "creator");
  const article = await api.article("Findings", "😀 The sum is TK.\n\n![](/media/1)");
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  const panel = page.locator(".check-panel"), body = page.locator("#body");
  await expect(panel).toContainText("required to schedule");
  await panel.getByRole("link", { name: /TK/ }).click();
  await expect(page.locator(".cm-content")).toBeFocused();
  expect(await body.evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd))).toBe("TK");
  await page.keyboard.insertText("12");
  await expect(panel.getByRole("link", { name: /TK/ })).toHaveCount(0);
  await expect(panel.locator('.check-item[data-done="false"]')).toHaveCount(1);
});

test("J and K move in the list, A approves and opens the next, S sends back with a reason", async ({ page, server, api, request }) => {
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  await request.patch(`${server.url}/api/v1/settings/review`, { headers, data: { workflow: "one_reviewer" } });
  const ids: string[] = [];
  for (const title of ["First by keys", "Second by keys"]) {
    const article = await api.article(title, "A text.");
    await api.post(`/articles/${article.id}/submit`, { seen_revision: 1 });
    ids.push(article.id);
  }
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/review`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const [first, second] = ["First by keys", "Second by keys"].map((name) => page.getByRole("link", { name }));
  await page.keyboard.press("j");
  await expect(first).toBeFocused();
  await page.keyboard.press("j");
  await expect(second).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${server.url}/review/${ids[0]}`);
  await page.locator("[data-page-key]").first().waitFor();
  await page.keyboard.press("a");
  await expect(page.locator(".result")).toContainText("Approved.");
  await page.goto(`${server.url}/review/${ids[1]}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.keyboard.press("s");
  const reason = page.locator('form[action="/fn/send_text_back"] [name="reason"]');
  await expect(reason).toBeFocused();
  // Letters in the field are text.
  await page.keyboard.type("as");
  await expect(reason).toHaveValue("as");
  await page.getByRole("button", { name: "Send back", exact: true }).click();
  await expect(page.locator(".review-reason")).toContainText("as");
});

test("the visible text is submitted for review, also of a new article", async ({ page, server, api, request }) => {
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  await request.patch(`${server.url}/api/v1/settings/review`, { headers, data: { workflow: "one_reviewer" } });
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/new`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator("#title").fill("Just written");
  await page.locator("#body").fill("Version one.");
  await expect(page).toHaveURL(/\/articles\/[0-9a-f-]{36}$/);
  const submit = page.getByRole("button", { name: "Submit for review" });
  await submit.waitFor();
  const address = page.url();
  await page.locator("#body").fill("Version one. Version two.");
  await submit.click();
  await expect(page.locator(".review-panel")).toContainText("Submitted");
  expect(page.url().split("?")[0]).toBe(address);
  await expect(page.locator(".result")).toBeVisible();
  const article = await api.get(`/articles/${address.split("/").pop()}`);
  expect([article.body, article.review.revision]).toEqual(["Version one. Version two.", article.revision]);
});

test("a hit is replaced at its place, undone with Ctrl+Z, and in the title", async ({ page, server, api, request }) => {
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  const data = { name: "Soften by click", language: "any", action: "replace", terms: [{ term: "darn", replacement: "very" }] };
  const list = await (await request.post(`${server.url}/api/v1/word-lists`, { headers, data })).json();
  await logIn(page, server, "creator");
  const article = await api.article("Darn harbour", "😀 A darn day, darned, a darn night.");
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await expect(page.locator(".cm-content")).toBeVisible();
  const panel = page.locator(".check-panel"), body = page.locator("#body");
  const replace = panel.getByRole("button", { name: "Replace with “very”" });
  await expect(replace).toHaveCount(3);
  await replace.last().click();
  await expect(body).toHaveJSProperty("value", "😀 A darn day, darned, a very night.");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(body).toHaveJSProperty("value", "😀 A darn day, darned, a darn night.");
  await replace.first().click();
  await expect(page.locator("#title")).toHaveValue("very harbour");
  await expect(replace).toHaveCount(2);
  await expect(page).toHaveURL(new RegExp(`/articles/${article.id}$`));
  await request.delete(`${server.url}/api/v1/word-lists/${list.id}`, { headers });
});
