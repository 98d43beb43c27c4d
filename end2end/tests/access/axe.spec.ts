// Everyone can use it: no violation on any of these pages.
import AxeBuilder from "@axe-core/playwright";
import { expect, logIn, test } from "../desk";

test("axe finds nothing", async ({ page, desk, api }) => {
  await api.publishIn(await api.article("Read aloud"), 3600);
  const look = async (path: string) => {
    await page.goto(desk.url + path);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map((violation) => `${path}: ${violation.id}`)).toEqual([]);
  };
  await look("/login");
  await look("/site");
  await logIn(page, desk, "admin");
  for (const path of ["/", "/articles", "/tasks", "/attention", "/engine", "/settings/profile", "/settings/channels"]) {
    await look(path);
  }
});
