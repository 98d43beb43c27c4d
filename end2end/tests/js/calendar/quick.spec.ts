// Quick add by the key N: the title has the focus, so that a title and Enter are enough.
import { expect, logIn, test } from "../../server";

for (const path of ["/", "/articles", "/calendar"]) {
  test(`N on ${path} opens quick add with the focus in the title`, async ({ page, server }) => {
    await logIn(page, server, "creator");
    await page.goto(server.url + path);
    await expect(page.locator("html")).toHaveAttribute("data-live", "");
    await page.keyboard.press("n");
    await expect(page).toHaveURL(/\/quick$/);
    await expect(page.locator('[name="title"]')).toBeFocused();
    await page.keyboard.type("Typed at once");
    await expect(page.locator('[name="title"]')).toHaveValue("Typed at once");
  });
}
