// The first run. The same steps with and without JavaScript.
import { type Page } from "@playwright/test";
import { expect, type Server } from "./server";

/** Sets up an empty desk and publishes a first article: two clicks and five fields. */
export async function fromSetUpToPublished(page: Page, server: Server) {
  await page.goto(server.output().match(/http\S+\/setup\S+/)![0]);
  await page.locator('[name="name"]').fill("Ada");
  await page.locator('[name="email"]').fill("ada@example.org");
  await page.locator('[name="password"]').fill("correct horse one");
  await page.locator('button[type="submit"]').click();
  await expect(page.locator(".first-steps > li")).toHaveCount(7);
  // Mail may wait: the step says what does not work until then. A blog may be imported instead.
  await expect(page.locator('[data-step="mail"]')).toContainText("Without it nothing is mailed");
  await expect(page.locator(".first-article").getByRole("link", { name: "Bring your old blog" })).toBeVisible();
  await page.locator(".first-article #title").fill("Hello");
  await page.locator(".first-article #body").fill("The first words.");
  await page.getByRole("button", { name: "Publish in 20 seconds" }).click();
  await expect(page.locator(".result")).toContainText("“Hello” is scheduled for");
  await expect(page.locator(".upcoming h2")).toContainText("Hello");
  await expect(page.locator('[data-step="write"]')).toHaveClass(/done/);
  await expect.poll(async () => (await fetch(`${server.url}/site/hello`)).status, { timeout: 40_000 }).toBe(200);
}
