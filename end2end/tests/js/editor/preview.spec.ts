// The preview beside the text is scrolled together with it.
import { expect, logIn, test } from "../../server";

test("the preview beside the text is scrolled together with it", async ({ page, server, api }) => {
  await page.setViewportSize({ width: 1800, height: 700 });
  await logIn(page, server, "creator");
  const part = (number: number) => `## Part ${number}\n\n${"The boats leave at dawn. ".repeat(number % 2 ? 60 : 15)}\n\n- a\n- b\n- c\n\n`;
  const article = await api.article("Long", Array.from({ length: 16 }, (_, place) => part(place + 1)).join(""));
  await page.goto(`${server.url}/articles/${article.id}`);
  await expect(page.locator("#body[data-view]")).toBeAttached();
  await expect(page.locator(".editor-preview h3", { hasText: "Part 16" })).toBeAttached();
  // Puts the heading of the text at the upper edge of the preview; returns how far that of the preview is from there.
  const distance = () =>
    page.evaluate(async () => {
      const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const field = document.querySelector("#body") as HTMLTextAreaElement & { view: any }, { view } = field;
      const pane = document.querySelector(".editor-preview")!, top = () => pane.getBoundingClientRect().top;
      scrollBy(0, view.documentTop + view.lineBlockAt(field.value.indexOf("## Part 9\n")).top - top());
      await frame();
      const heading = [...pane.querySelectorAll(".prose h3")].find((one) => one.textContent == "Part 9")!;
      return Math.abs(heading.getBoundingClientRect().top - top());
    });
  await expect.poll(distance).toBeLessThan(8);
  // The other way: the page follows the preview.
  const at = await page.evaluate(() => scrollY);
  await page.locator(".editor-preview").evaluate((pane) => pane.scrollBy(0, 600));
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(at + 100);
});
