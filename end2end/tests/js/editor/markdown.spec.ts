// The Markdown editor over the text field: it writes, finds, pastes and undoes; the field keeps its interface.
import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";
import { expect, logIn, test } from "../../server";

const text = ".cm-content";

const open = async (page: Page, url: string, id: string) => {
  await page.goto(`${url}/articles/${id}`);
  await page.locator(text).waitFor();
};

/** Pastes as a browser does: at the element with the focus. */
const paste = (page: Page, formats: Record<string, string>) =>
  page.evaluate((formats) => {
    const data = new DataTransfer();
    for (const [format, content] of Object.entries(formats)) data.setData(format, content);
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }));
  }, formats);

test("undo survives autosave and what another user changed, and the cursor stays", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Undo", "one\n\ntwo\n\nthree");
  await open(page, server.url, article.id);
  const body = page.locator("#body");
  await body.press("Control+Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("Mine: ");
  await expect(page.locator(".save-state")).toHaveText(/^Saved at /);
  const { revision } = await api.get(`/articles/${article.id}`);
  await api.request.patch(`${server.url}/api/v1/articles/${article.id}`, {
    data: { body: "ONE\n\nMine: two\n\nthree\n\nfour", seen_revision: revision },
    headers: { authorization: `Bearer ${api.token}` },
  });
  await expect(body).toHaveValue("ONE\n\nMine: two\n\nthree\n\nfour");
  await page.keyboard.press("Control+Z");
  await expect(body).toHaveValue("ONE\n\ntwo\n\nthree\n\nfour");
  await page.keyboard.press("Control+Y");
  await expect(body).toHaveValue("ONE\n\nMine: two\n\nthree\n\nfour");
  await expect(page.locator(".save-state")).toHaveText(/^Saved at /);
});

test("words are found and replaced, without leaving the text", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Find", "tide and Tide and time");
  await open(page, server.url, article.id);
  await page.locator("#body").press("Control+F");
  const find = page.locator('.cm-search [name="search"]');
  await expect(find).toBeFocused();
  await page.keyboard.type("tide");
  await expect(page.locator(".cm-searchMatch")).toHaveCount(2);
  await page.locator('.cm-search [name="replace"]').first().fill("ebb");
  await page.getByRole("button", { name: "Replace all" }).click();
  await expect(page.locator("#body")).toHaveValue("ebb and ebb and time");
  const { violations } = await new AxeBuilder({ page }).include(".editor-write").analyze();
  expect(violations.map((one) => one.id)).toEqual([]);
  await find.press("Escape");
  await expect(page.locator(text)).toBeFocused();
  await page.keyboard.press("Control+Z");
  await expect(page.locator("#body")).toHaveValue("tide and Tide and time");
});

test("pasted HTML becomes Markdown, and plain text inside code", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Paste", "");
  await open(page, server.url, article.id);
  const body = page.locator("#body");
  await body.focus();
  const html =
    '<meta charset="utf-8"><h2>Tides</h2><p>The <b>boats</b> <i>leave</i> at <a href="https://sea.example/">dawn</a>.</p>' +
    '<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul><ol start="3"><li>three</li></ol><script>alert(1)</script>' +
    '<p><a href="javascript:alert(1)">no link</a></p><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>';
  await paste(page, { "text/html": html, "text/plain": "Tides …" });
  await expect(body).toHaveValue(
    "## Tides\n\nThe **boats** _leave_ at [dawn](https://sea.example/).\n\n- one\n  - inner\n- two\n\n3. three\n\nno link\n\n| a   | b   |\n| --- | --- |\n| 1   | 2   |",
  );
  await page.keyboard.press("Control+Z");
  await expect(body).toHaveValue("");
  await page.keyboard.type("```\n");
  await paste(page, { "text/html": "<b>bold</b>", "text/plain": "bold" });
  await expect(body).toHaveValue("```\nbold");
  await paste(page, { "text/html": "<span>nothing more</span>", "text/plain": " plain" });
  await expect(body).toHaveValue("```\nbold plain");
});

test("keys of the toolbar and a link over a selection change the text", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Keys", "the river");
  await open(page, server.url, article.id);
  const body = page.locator("#body");
  await body.press("Control+A");
  await page.keyboard.press("Control+I");
  await expect(body).toHaveValue("_the river_");
  await page.keyboard.press("Control+Z");
  await page.keyboard.press("Control+A");
  await paste(page, { "text/plain": "https://river.example/" });
  await expect(body).toHaveValue("[the river](https://river.example/)");
  // Only where nothing is indented does Tab leave the text.
  await page.keyboard.press("Tab");
  await expect(page.locator(text)).not.toBeFocused();
  await page.locator('label[for="body"]').click();
  await expect(page.locator(text)).toBeFocused();
});

test("the toolbar is one stop of the Tab key, and arrow keys move in it", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Stops", "the river");
  await open(page, server.url, article.id);
  const toolbar = page.getByRole("toolbar"), button = (name: string) => toolbar.getByRole("button", { name, exact: true });
  await button("Bold").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(button("Pictures and files")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(button("Bold")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(button("Heading 2")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(toolbar.locator(":focus")).toHaveCount(0);
  await page.keyboard.press("Shift+Tab");
  await expect(button("Heading 2")).toBeFocused();
  await page.keyboard.press("End");
  await expect(button("Pictures and files")).toBeFocused();
  await page.keyboard.press("Home");
  await expect(button("Bold")).toBeFocused();
});

test("the editor has the place, the name and the text of the field, and the field its interface", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Place", "# Head\n\nA line.\n\n".repeat(12));
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route("**/pkg/editor.*", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  const box = await page.locator("#body").boundingBox();
  release();
  await page.locator(text).waitFor();
  const moved = await page.locator(".cm-editor").boundingBox();
  for (const side of ["x", "y", "width", "height"] as const) expect.soft(Math.abs(moved![side] - box![side]), side).toBeLessThan(1.5);
  const field = page.getByRole("textbox", { name: "Body" });
  await expect(field).toHaveCount(1);
  await expect(field).toHaveAttribute("aria-multiline", "true");
  await expect(field).toHaveAttribute("aria-describedby", "save-line");
  const answers = await page.locator("#body").evaluate((field: HTMLTextAreaElement) => {
    let events = 0;
    field.addEventListener("input", () => events++);
    field.value = "one\r\ntwo";
    field.setSelectionRange(1, 5);
    const selected = [field.selectionStart, field.selectionEnd, field.textLength];
    field.setRangeText("-", 3, 4, "end");
    return { value: field.value, selected, at: field.selectionStart, events, sent: new FormData(field.form!).get("body") };
  });
  expect(answers).toEqual({ value: "one-two", selected: [1, 5, 7], at: 4, events: 0, sent: "one-two" });
});

test("without its script the text field works", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Plain", "first");
  await page.route("**/pkg/editor.*", (route) => route.abort());
  await page.goto(`${server.url}/articles/${article.id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  const body = page.locator("#body");
  await body.press("Control+A");
  await page.getByRole("button", { name: "Bold" }).click();
  await expect(body).toHaveValue("**first**");
  await body.press("End");
  await page.keyboard.type("\n- one\ntwo");
  await expect(body).toHaveValue("**first**\n- one\n- two");
  await expect(page.locator(".save-state")).toHaveText(/^Saved at /);
  await expect(page.locator(text)).toHaveCount(0);
});

test("the words of find and replace are those of the page", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("时间", "潮汐，潮汐");
  await open(page, server.url, article.id);
  await page.evaluate(() => (document.documentElement.lang = "zh"));
  await page.getByRole("link", { name: "All articles" }).click();
  await page.getByRole("link", { name: "时间" }).first().click();
  await page.locator(text).waitFor();
  await page.locator("#body").press("Control+F");
  await expect(page.getByRole("button", { name: "全部替换" })).toBeVisible();
});
