// The engine page updates itself, and the numbers of its charts are accessible.
import AxeBuilder from "@axe-core/playwright";
import { Api, expect, logIn, start, stop, test } from "../server";

test("the engine page counts publications while it is open", async ({ page, request }) => {
  const server = await start({ users: true });
  const api = new Api(request, server, server.token("creator"));
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/engine`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const section = page.locator("details.fold", { has: page.locator("#lateness") });
  await expect(section).not.toHaveAttribute("open", "");
  await section.locator("> summary").press("Enter");
  const chart = page.getByRole("img", { name: /Lateness in the last hour/ });
  await expect(chart).toHaveAccessibleName(/Nothing was executed/);
  const table = section.locator("details");
  await table.locator("summary").press("Enter");
  await expect(table).toHaveAttribute("open", "");
  await api.publishIn(await api.article("Counted live"), 1);
  await expect(chart).toHaveAccessibleName(/1 executed in the last hour/);
  await expect(table.locator("tbody tr")).toHaveCount(1);
  await expect(table).toHaveAttribute("open", "");
  await expect(page.locator(".verdict")).toContainText("Publishing on time. 1 in the last hour");
  const after = await section.locator('svg[role="img"]').first().boundingBox();
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

test("a pause names who paused and until when, and the page keeps what is typed", async ({ page }) => {
  const server = await start({ users: true });
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/engine`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator("summary", { hasText: "Pause publishing" }).click();
  await expect(page.locator("details", { has: page.locator(".pause-form") })).toContainText("No task is due in the next hour.");
  const end = new Date(Date.now() + 1_800_000);
  const local = new Intl.DateTimeFormat("sv-SE", { timeZone: "UTC", dateStyle: "short", timeStyle: "short" }).format(end);
  await page.locator("#pause-when").fill(local);
  // The page refreshes every two seconds; the input stays.
  const checked = page.locator(".verdict .muted");
  await expect(checked).not.toBeEmpty();
  await expect.poll(() => page.evaluate(() => performance.getEntriesByType("resource").filter((one) => one.name.endsWith("/fn/engine")).length)).toBeGreaterThan(1);
  await expect(page.locator("#pause-when")).toHaveValue(local);
  await page.getByRole("button", { name: /^Pause until .*, \d\d:\d\d UTC$/ }).click();
  await expect(page.locator(".verdict")).toContainText(/You paused publishing on .*, until /);
  await expect(page.locator(".banner")).toContainText(/You paused it\. Nothing is published until .*\d\d:\d\d UTC\./);
  await page.locator(".engine-page").getByRole("button", { name: "Resume publishing" }).click();
  await expect(page.locator(".verdict")).toContainText("Publishing on time.");
  await stop(server);
});

test("an unreachable Redis is named with what to do, and its section is open", async ({ page }) => {
  const server = await start({ users: true, args: ["--redis-url", "redis://127.0.0.1:1/"] });
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/engine`);
  await expect(page.locator(".problems")).toContainText("Check Redis");
  await expect(page.locator(".verdict")).toContainText("Publishing, with a problem.");
  await expect(page.locator("details.fold", { has: page.locator("#dependencies") })).toHaveAttribute("open", "");
  await stop(server);
});

test("a backup is written by the button, and its section says so", async ({ page }) => {
  const server = await start({ users: true });
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/engine`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const section = page.locator("details.fold", { has: page.locator("#backups") });
  await expect(section.locator(".fold-summary")).toHaveText("none yet");
  await section.locator("> summary").press("Enter");
  await section.getByRole("button", { name: "Back up now" }).click();
  await expect(page.locator(".result")).toContainText("The backup is written.");
  await expect(section.locator("dl.facts")).toContainText(/auto-.*\.backup/);
  await expect(section.locator(".fold-summary")).toContainText(/^last /);
  await expect(section).toHaveAttribute("open", "");
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  await stop(server);
});
