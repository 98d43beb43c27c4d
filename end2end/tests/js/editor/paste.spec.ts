// What other programs put on the clipboard becomes Markdown.
import { type Page } from "@playwright/test";
import { expect, logIn, test } from "../../server";
import { samples } from "./clipboard";

const paste = (page: Page, html: string, text: string, isPlain = false) =>
  page.evaluate(
    ([html, text, isPlain]) => {
      const data = new DataTransfer(), field = document.activeElement!, more = { bubbles: true, cancelable: true };
      data.setData("text/html", html);
      data.setData("text/plain", text);
      field.dispatchEvent(new KeyboardEvent("keydown", { ...more, key: "v", code: "KeyV", ctrlKey: true, shiftKey: isPlain }));
      field.dispatchEvent(new ClipboardEvent("paste", { ...more, clipboardData: data }));
    },
    [html, text, isPlain] as const,
  );

test("text of word processors, mail, tables and web pages is pasted as Markdown", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Paste", "");
  await page.goto(`${server.url}/articles/${article.id}`);
  const body = page.locator("#body");
  await expect(page.locator("#body[data-view]")).toBeAttached();
  for (const { name, html, text, markdown } of samples) {
    await body.fill("");
    await body.focus();
    await paste(page, html, text ?? "Plain text beside it");
    expect.soft(await body.inputValue(), name).toBe(markdown);
  }
});

test("Ctrl+Shift+V pastes the text alone, and the next paste has its formats", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Plain", "");
  await page.goto(`${server.url}/articles/${article.id}`);
  const body = page.locator("#body");
  await expect(page.locator("#body[data-view]")).toBeAttached();
  await body.focus();
  await paste(page, "<h2>Tides</h2>", "Tides", true);
  await expect(body).toHaveValue("Tides");
  await page.keyboard.press("Control+A");
  await paste(page, "<h2>Tides</h2>", "Tides");
  await expect(body).toHaveValue("## Tides");
});
