// Files get into the text by button, drop and paste; lists continue; links are pasted over a selection.
import { type Page } from "@playwright/test";
import { expect, logIn, test } from "../../server";
import { png } from "./png";

/** Gives the editor an event with files, as a drop or a paste does. */
const give = (page: Page, kind: "drop" | "paste", name: string, bytes: Buffer) =>
  page.locator(".cm-content").evaluate(
    (field, [kind, name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name, { type: "image/png" }));
      const more = { bubbles: true, cancelable: true };
      field.dispatchEvent(kind == "drop" ? new DragEvent("drop", { ...more, dataTransfer: data }) : new ClipboardEvent("paste", { ...more, clipboardData: data }));
    },
    [kind, name, bytes.toString("base64")],
  );

const open = async (page: Page, url: string, id: string) => {
  await page.goto(`${url}/articles/${id}`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
};

test("pictures are chosen, dropped and pasted, and their description is asked for", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("With pictures", "Before.");
  await open(page, server.url, article.id);
  const body = page.locator("#body");
  await body.press("Control+End");
  await page.locator("[data-upload]").setInputFiles({ name: "river.png", mimeType: "image/png", buffer: png() });
  await expect(body).toHaveValue(/^Before\.\n\n!\[.*\]\(\/media\/[0-9a-f]{64}\/8x6\.png\)\n\n$/);
  await expect(page.locator(".uploads li")).toHaveCount(0);
  await body.focus();
  await give(page, "paste", "pasted.png", png(9, 9));
  await expect(body).toHaveValue(/9x9\.png/);
  await page.keyboard.type("A boat");
  await expect(body).toHaveValue(/!\[A boat\]\(\/media\/[0-9a-f]{64}\/9x9\.png\)/);
  await give(page, "drop", "dropped.png", png(10, 10));
  await expect(body).toHaveValue(/10x10\.png/);
  await expect(page.locator(".save-state")).toHaveText(/^Saved at /);
  await expect(page.locator(".editor-preview img")).toHaveCount(3);
  expect((await api.get(`/articles/${article.id}`)).body).toContain("10x10.png");
});

test("a refused file says why, and the text stays", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("No zip", "Kept.");
  await open(page, server.url, article.id);
  await page.locator("[data-upload]").setInputFiles([
    { name: "a.png", mimeType: "image/png", buffer: Buffer.from("PK\x03\x04 no picture") },
    { name: "big.png", mimeType: "image/png", buffer: Buffer.alloc(21 * 1024 * 1024) },
  ]);
  const rows = page.locator(".uploads li");
  await expect(rows.nth(0).getByRole("alert")).not.toBeEmpty();
  await expect(rows.nth(1).getByRole("alert")).toHaveText("The file is larger than 20 MiB.");
  await expect(page.locator("#body")).toHaveValue("Kept.");
  await rows.nth(1).getByRole("button", { name: "Close" }).click();
  await expect(rows).toHaveCount(1);
});

test("a picture is uploaded as the cover, and a refused file says why at the field", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("With a cover", "Text.");
  await open(page, server.url, article.id);
  await page.locator("#details > summary").click();
  const file = page.locator("[data-upload-cover]");
  const field = page.locator("#details .field").filter({ has: page.locator("#details-cover") });
  await file.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("No picture.") });
  await expect(field.getByRole("alert")).toHaveText("This file is not a picture. Choose a PNG, JPEG, WebP or GIF.");
  await file.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("PK\x03\x04 no picture") });
  await expect(field.getByRole("alert")).toHaveText(/This is not a PNG/);
  await file.setInputFiles({ name: "cover.png", mimeType: "image/png", buffer: png(12, 8) });
  await expect(page.locator("#details-cover")).toHaveValue(/^\/media\/[0-9a-f]{64}\/12x8\.png$/);
  await expect(field.locator(".uploads li")).toHaveCount(0);
  await expect(field.locator("img")).toHaveAttribute("src", /\/12x8\.png$/);
  await expect(page.locator("#body")).toHaveValue("Text.");
  await expect.poll(async () => (await api.get(`/articles/${article.id}`)).details.cover).toMatch(/\/12x8\.png$/);
});

test("files of the media library are chosen in a dialog, for the text and as the cover", async ({ page, server, api, request }) => {
  await logIn(page, server, "creator");
  const upload = async (name: string, bytes: Buffer, mimeType: string, alt: string) => {
    const headers = { authorization: `Bearer ${api.token}` };
    const answer = await request.post(`${server.url}/api/v1/media`, { headers, multipart: { file: { name, mimeType, buffer: bytes }, alt } });
    expect(answer.status(), await answer.text()).toBe(201);
  };
  await upload("harbour.png", png(20, 10), "image/png", "The harbour");
  await upload("terms.pdf", Buffer.from("%PDF-1.4\n%%EOF\n"), "application/pdf", "");
  const article = await api.article("Illustrated", "Before.");
  await open(page, server.url, article.id);
  const [body, dialog] = [page.locator("#body"), page.getByRole("dialog")];
  await body.press("Control+End");
  await page.getByRole("button", { name: "Pictures and files" }).click();
  await expect(dialog.getByRole("searchbox")).toBeFocused();
  await expect(dialog.getByRole("button", { name: "terms.pdf" })).toBeVisible();
  await dialog.getByRole("searchbox").fill("nothing like it");
  await expect(dialog.getByRole("status")).toContainText("No files found.");
  await dialog.getByRole("searchbox").fill("harb");
  await expect(dialog.getByRole("status")).toHaveText("Files: 1");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(body).toHaveValue(/^Before\.\n\n!\[The harbour\]\(\/media\/[0-9a-f]{64}\/20x10\.png\)\n\n$/);
  await page.keyboard.type("Boats");
  await expect(body).toHaveValue(/!\[Boats\]/);

  await page.locator("#details > summary").click();
  await page.getByRole("button", { name: "Choose from the media library" }).click();
  await expect(dialog.getByRole("heading")).toHaveText("Choose the cover");
  await expect(dialog.getByRole("button", { name: "harbour.png" })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "terms.pdf" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "harbour.png" }).click();
  await expect(page.locator("#details-cover")).toHaveValue(/\/20x10\.png$/);
  await expect(page.locator("#details-cover_alt")).toHaveValue("The harbour");
  await expect.poll(async () => (await api.get(`/articles/${article.id}`)).details.cover_alt).toBe("The harbour");
  await page.getByRole("button", { name: "Pictures and files" }).click();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

test("lists continue on the next line, indent with Tab, and end at an empty item", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Lists", "x");
  await open(page, server.url, article.id);
  const body = page.locator("#body");
  await body.press("Control+A");
  await page.keyboard.type("1. one\ntwo\n\nplain\n- [x] done\nnext");
  await expect(body).toHaveValue("1. one\n2. two\n\nplain\n- [x] done\n- [ ] next");
  await page.keyboard.press("Tab");
  await expect(body).toHaveValue(/\n {2}- \[ \] next$/);
  await page.keyboard.press("Shift+Tab");
  await expect(body).toHaveValue(/\n- \[ \] next$/);
  await page.keyboard.press("Control+Z");
  await expect(body).toHaveValue(/\n {2}- \[ \] next$/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(page.locator(".cm-content")).not.toBeFocused();
});

test("a link pasted over a selection becomes a Markdown link", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Links", "the river");
  await open(page, server.url, article.id);
  const body = page.locator("#body");
  await body.press("Control+A");
  await body.evaluate((field) => {
    const data = new DataTransfer();
    data.setData("text/plain", "https://river.example/a?b=1");
    field.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }));
  });
  await expect(body).toHaveValue("[the river](https://river.example/a?b=1)");
});
