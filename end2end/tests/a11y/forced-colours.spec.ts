// Forced colours: what a colour says elsewhere has a shape, a border or a word, and focus and the current page are visible.
import { expect, logIn, test } from "../server";

test.use({ forcedColors: "active", colorScheme: "dark" });

/** Background, border and outline of an element, as painted. */
const look = (element: Element) => {
  const style = getComputedStyle(element);
  const { backgroundColor, borderTopWidth, borderBottomColor, boxShadow, outlineStyle } = style;
  return { backgroundColor, borderTopWidth, borderBottomColor, boxShadow, outlineStyle, color: style.color };
};

test("states, badges, buttons, focus and the current page are visible in forced colours", async ({ page, server, api }) => {
  const article = await api.article("In black and white");
  const task = await api.publishIn(article, 3600);
  await logIn(page, server, "admin");
  const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const current = await page.locator('.nav a[aria-current="page"]').first().evaluate(look);
  const other = await page.locator(".nav a.item:not([aria-current])").first().evaluate(look);
  expect(current.boxShadow, "the current page is marked").not.toBe(other.boxShadow);
  await page.goto(`${server.url}/articles/${article.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const main = await page.locator("form .button.main").first().evaluate(look);
  const plain = await page.locator("form .button:not(.main)").first().evaluate(look);
  expect(main.backgroundColor, "the primary button differs").not.toBe(plain.backgroundColor);
  expect(plain.borderTopWidth).not.toBe("0px");
  await page.locator("#title").focus();
  expect((await page.locator("#title").evaluate(look)).outlineStyle, "the focus is visible").not.toBe("none");
  await page.goto(`${server.url}/tasks`);
  const tab = (selector: string) => page.locator(`.list-tabs a${selector}`).first().evaluate(look);
  expect((await tab('[aria-current="page"]')).borderBottomColor).not.toBe((await tab(":not([aria-current])")).borderBottomColor);
  const mark = await page.locator(".state-mark").first().evaluate((element) => getComputedStyle(element, "::before").borderTopColor);
  expect(mark, "the shape of a state is drawn").not.toBe(canvas);
  await page.goto(`${server.url}/tasks/${task.id}`);
  const strip = page.locator(".state-strip li");
  const reached = await strip.first().evaluate(look);
  expect((await strip.last().evaluate(look)).color, "states that were not reached are grey").not.toBe(reached.color);
});
