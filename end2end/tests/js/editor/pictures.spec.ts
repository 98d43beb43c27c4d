// Pictures are thumbnails in the text, with their description.
import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";
import { expect, logIn, test } from "../../server";
import { png } from "./png";

const open = async (page: Page, url: string, id: string) => {
  await page.goto(`${url}/articles/${id}`);
  await expect(page.locator("#body[data-view]")).toBeAttached();
};

/** The Markdown of the picture, if the editor shows it. */
const source = (page: Page) => page.locator(".cm-line", { hasText: "/media/" });

const insert = async (page: Page, width: number, height: number) => {
  await page.locator("#body").press("Control+End");
  await page.locator("[data-upload]").setInputFiles({ name: "boat.png", mimeType: "image/png", buffer: png(width, height) });
  await expect(page.locator("#body")).toHaveValue(new RegExp(`/${width}x${height}\\.png`));
};

test("a picture is a thumbnail whose description is a field that undo knows", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Thumbnail", "Before.");
  await open(page, server.url, article.id);
  await insert(page, 60, 40);
  const body = page.locator("#body"), picture = page.locator(".cm-picture"), alt = picture.locator("input");
  await expect(picture).toHaveCount(1);
  await expect(source(page)).toHaveCount(0);
  await expect(alt).toBeFocused();
  await expect(alt).toHaveAccessibleName("What the picture shows (alternative text)");
  const before = await body.inputValue();
  await alt.fill("A boat [red]");
  await expect(body).toHaveValue(/!\[A boat \\\[red\\\]\]\(\/media\//);
  await expect(alt).toBeFocused();
  await page.keyboard.press("Control+Z");
  await expect(body).toHaveValue(before);
  await alt.fill("A boat");
  const { violations } = await new AxeBuilder({ page }).include(".editor-write").analyze();
  expect(violations.map((one) => one.id)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.keyboard.type("After.");
  await expect(body).toHaveValue(/^Before\.\n\n!\[A boat\]\(\S+\)\n\nAfter\.$/);
  await expect.poll(async () => (await api.get(`/articles/${article.id}`)).body).toContain("![A boat](");
});

test("the Markdown of a picture is shown at the cursor, by keys and by its button", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Folded", "Before.");
  await open(page, server.url, article.id);
  await insert(page, 60, 40);
  const body = page.locator("#body"), picture = page.locator(".cm-picture");
  await body.press("Control+Home");
  await page.keyboard.press("ArrowDown");
  await expect(source(page)).toHaveCount(0);
  await page.keyboard.press("ArrowDown");
  await expect(source(page)).toHaveCount(1);
  await expect(picture).toHaveCount(1);
  await page.keyboard.press("Control+End");
  await expect(source(page)).toHaveCount(0);
  await picture.getByRole("button", { name: "Edit" }).click();
  await expect(source(page)).toHaveCount(1);
  await expect(page.locator(".cm-content")).toBeFocused();
  await page.locator("#title").focus();
  await expect(source(page)).toHaveCount(0);
});

test("a picture of the text becomes the cover by one click", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Cover", "Before.");
  await open(page, server.url, article.id);
  await insert(page, 60, 40);
  const button = page.locator(".cm-picture").getByRole("button", { name: "Use as cover" });
  await page.locator(".cm-picture input").fill("A boat");
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator("#details-cover")).toHaveValue(/\/60x40\.png$/);
  await expect(page.locator("#details-cover_alt")).toHaveValue("A boat");
  await expect.poll(async () => (await api.get(`/articles/${article.id}`)).details.cover).toMatch(/60x40\.png$/);
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await expect(page.locator("#details-cover")).toHaveValue("");
});

test("nothing moves when a picture is loaded", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Still", "Before.");
  await open(page, server.url, article.id);
  await insert(page, 600, 400);
  await expect(page.locator(".save-state")).toHaveText(/^Saved at /);
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route("**/media/**", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${server.url}/articles/${article.id}`, { waitUntil: "commit" });
  const image = page.locator(".cm-picture img");
  await image.waitFor({ state: "attached" });
  const box = await page.locator(".cm-picture").boundingBox();
  expect((await image.boundingBox())!.height).toBeGreaterThan(100);
  release();
  await expect.poll(() => image.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
  expect((await page.locator(".cm-picture").boundingBox())!.height).toBe(box!.height);
});

test("a picture elsewhere is named and not loaded, and one in code is text", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Elsewhere", "![Sea](https://pictures.example/sea.png)\n\n```\n![Code](https://pictures.example/code.png)\n```\n");
  await open(page, server.url, article.id);
  await expect(page.locator(".cm-picture")).toHaveCount(1);
  await expect(page.locator(".cm-picture-away")).toHaveText("https://pictures.example/sea.png");
  await expect(page.locator(".cm-picture input")).toHaveValue("Sea");
  await expect(page.locator(".cm-picture img")).toHaveCount(0);
  await expect(page.locator(".cm-line", { hasText: "![Code]" })).toHaveCount(1);
});

test("a file of the media library is its name and type, and its Markdown at the cursor", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("Attached", "Before.");
  await open(page, server.url, article.id);
  const body = page.locator("#body"), chip = page.locator(".cm-file");
  await body.press("Control+End");
  await page.locator("[data-upload]").setInputFiles({ name: "terms.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") });
  await expect(body).toHaveValue(/^Before\.\n\n\[terms\.pdf\]\(\S+\)\n\n$/);
  await expect(chip).toHaveText("terms.pdfPDF");
  await expect(source(page)).toHaveCount(0);
  await body.press("Control+End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(source(page)).toHaveCount(1);
  await expect(chip).toHaveCount(0);
});
