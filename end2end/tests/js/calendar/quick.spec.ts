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

test("a line above the reminders says its moment while it is typed, and is emptied when it is set", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/reminders`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const line = page.locator("#line");
  await line.fill("Call the printer every friday 9am");
  await expect(page.locator("#line-text")).toHaveText("Call the printer");
  await expect(page.locator("#when-echo")).toContainText("Repeats every week on Fri.");
  await page.keyboard.press("Enter");
  await expect(page.locator(".result")).toContainText("The reminder is set.");
  await expect(line).toHaveValue("");
  // The list stands above the fold: the whole form is behind More.
  await expect(page.locator(".reminder-form")).toBeHidden();
  await page.locator(".reminder-more > summary").click();
  await expect(page.locator(".reminder-form")).toBeVisible();
});

test("words that repeat say their rule while they are typed, and set a series", async ({ page, server }) => {
  // Not today: the list of coming reminders begins tomorrow.
  const day = new Date(Date.now() + 3 * 86_400_000).toLocaleDateString("en-GB", { weekday: "long" });
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/quick?kind=reminder`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator('[name="title"]').fill("Plan the week");
  await page.locator('[name="when"]').fill(`every ${day} 9am`);
  await expect(page.locator("#when-echo")).toContainText(`Repeats every week on ${day.slice(0, 3)}.`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/reminders/);
  await page.goto(`${server.url}/reminders?state=coming`);
  await expect(page.locator("tr.list-row", { hasText: "Plan the week" })).toContainText("Repeats every week on");
});
