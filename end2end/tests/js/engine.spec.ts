// The engine page updates itself, and the numbers of its charts are accessible.
import AxeBuilder from "@axe-core/playwright";
import { Api, expect, logIn, start, stop, test } from "../server";

test("the engine page counts publications while it is open", async ({ page, request }) => {
  const server = await start({ users: true });
  const api = new Api(request, server, server.token("creator"));
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/engine`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const chart = page.getByRole("img", { name: /Lateness in the last hour/ });
  await expect(chart).toHaveAccessibleName(/Nothing was executed/);
  const table = page.locator('section[aria-labelledby="lateness"] details');
  await table.locator("summary").press("Enter");
  await expect(table).toHaveAttribute("open", "");
  await api.publishIn(await api.article("Counted live"), 1);
  await expect(chart).toHaveAccessibleName(/1 executed in the last hour/, { timeout: 10_000 });
  await expect(table.locator("tbody tr")).toHaveCount(1);
  await expect(table).toHaveAttribute("open", "");
  const after = await page.locator('section[aria-labelledby="lateness"] svg[role="img"]').boundingBox();
  expect(after!.height).toBeGreaterThan(100);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await stop(server);
});
