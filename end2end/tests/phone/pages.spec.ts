// 390 px, dark, Chinese: nothing is wider than the screen.
import { expect, logIn, test } from "../desk";

test("no page scrolls sideways", async ({ page, desk, api }) => {
  await api.publishIn(await api.article("一篇很长的标题，用来看看窄屏上会不会溢出"), 3600);
  await logIn(page, desk, "creator");
  for (const path of ["/", "/articles", "/tasks", "/attention", "/settings/profile", "/site"]) {
    await page.goto(desk.url + path);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wider, path).toBeLessThanOrEqual(0);
  }
});
