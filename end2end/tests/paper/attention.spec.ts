// Scripts are off: what was missed is tried again where Attention shows it, and it goes out.
import { expect, start, stop, test } from "../desk";

test("what was missed is on Attention with its reason, goes out when tried again, and is gone from there", async ({ page }) => {
  const desk = await start({ people: false, args: ["--demo"] });
  await page.goto(`${desk.url}/login?next=%2Fattention`);
  await page.locator('[name="email"]').fill("admin@demo.example");
  await page.locator('[name="password"]').fill("time will tell");
  await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  const cause = page.locator(".cause", { hasText: "It was found later than its late rule allows." });
  const title = await cause.locator(".task-row .title").innerText();
  const href = (await cause.locator(".task-row .title").getAttribute("href"))!;
  await cause.getByRole("button", { name: `Publish now – ${title}` }).click();
  await expect(page).toHaveURL(/\/attention\?changed=/);
  await expect
    .poll(async () => (await page.goto(desk.url + href), page.locator("header .phase").innerText()))
    .toContain("Published");
  await expect(page.locator(".timeline")).toContainText("had it tried again");
  await page.goto(`${desk.url}/attention`);
  await expect(page.getByText("Nothing needs you.")).toBeVisible();
  await stop(desk);
});
