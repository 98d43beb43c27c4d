// The time field: a typed time or the calendar, and a search for cities.
import { type Page } from "@playwright/test";
import { expect, logIn, test, type Api, type Server } from "../server";

async function open(page: Page, server: Server, api: Api) {
  await logIn(page, server, "creator");
  const article = await api.article("When");
  await page.goto(`${server.url}/articles/${article.id}`);
  await expect(page.locator(".schedule-form .time-presets")).toBeVisible();
  return { form: page.locator(".schedule-form"), when: page.locator("#publish-when"), zone: page.locator("#publish-zone") };
}

test("a time is typed in several ways, and shown as the pages show it", async ({ page, server, api }) => {
  const { form, when } = await open(page, server, api);
  for (const [typed, shown] of [
    ["9 Jun 2031, 9:05", "Mon 9 Jun 2031, 09:05"],
    ["10:30", "Mon 9 Jun 2031, 10:30"],
    ["12.6.2031", "Thu 12 Jun 2031, 10:30"],
    ["2031-06-13 9pm", "Fri 13 Jun 2031, 21:00"],
    ["2031年6月14日 09:00:30", "Sat 14 Jun 2031, 09:00:30"],
  ]) {
    await when.fill(typed);
    await when.blur();
    await expect(when).toHaveValue(shown);
    await expect(form.getByRole("button", { name: `Schedule for ${shown} UTC` })).toBeEnabled();
  }
});

test("a time in words is read, several meanings are offered, and what is not understood is named", async ({ page, server, api }) => {
  const { form, when, zone } = await open(page, server, api);
  await when.fill("tomorrow 18:30");
  await when.blur();
  await expect(when).toHaveValue(/18:30$/);
  await expect(form.getByRole("button", { name: /^Schedule for .*18:30 UTC$/ })).toBeEnabled();
  await when.fill("in 2 hours");
  await expect(form.getByRole("button", { name: /^Schedule for/ })).toBeEnabled();
  await when.fill("明天上午九点");
  await expect(form.getByRole("button", { name: /^Schedule for .*09:00 UTC$/ })).toBeEnabled();
  await when.fill("6/9/2031 9:00");
  await expect(form.getByText("This can mean several times")).toBeVisible();
  await expect(form.getByRole("button", { name: /^Schedule$/ })).toBeDisabled();
  await when.press("Enter");
  await expect(form.getByRole("button", { name: "Mon 9 Jun 2031, 09:00", exact: true })).toBeFocused();
  await form.getByRole("button", { name: "Sat 6 Sep 2031, 09:00", exact: true }).click();
  await expect(when).toHaveValue("Sat 6 Sep 2031, 09:00");
  await when.fill("tomorrow 9ish");
  await expect(form.locator(".time-feedback")).toContainText("not understood at “ish”");
  // "Tomorrow" would be two days while the dates of the two places differ.
  await when.fill("9 jun 2031 9:00 shanghai");
  await expect(zone).toHaveValue("Shanghai");
  await expect(form.getByRole("button", { name: "Schedule for Mon 9 Jun 2031, 09:00 Shanghai" })).toBeEnabled();
});

test("a text that is no time disables the button and says how to write one", async ({ page, server, api }) => {
  const { form, when } = await open(page, server, api);
  await when.fill("some day");
  await expect(form.locator(".time-feedback")).toContainText("Enter a date and a time");
  const button = form.getByRole("button", { name: /^Schedule/ });
  await expect(button).toBeDisabled();
  await expect(when).toHaveAttribute("aria-invalid", "true");
  // Pressed nevertheless, it moves the focus to the field.
  await button.dispatchEvent("click");
  await expect(when).toBeFocused();
  await expect(page.locator(".scheduled-card")).toHaveCount(0);
  await when.fill("9 Jun 2031 9:00");
  await expect(button).toBeEnabled();
});

test("an undecided time keeps the button disabled and moves the focus to the choice", async ({ page, server, api }) => {
  const { form, when, zone } = await open(page, server, api);
  await zone.fill("Berlin");
  await when.fill("2031-10-26 02:30");
  await expect(form.getByRole("radio")).toHaveCount(2);
  const button = form.getByRole("button", { name: /^Schedule/ });
  await expect(button).toBeDisabled();
  await when.press("Enter");
  await expect(form.getByRole("radio").first()).toBeFocused();
  await page.keyboard.press("Space");
  await expect(form.locator(".time-feedback")).toContainText("Sun 26 Oct 2031, 00:30 UTC");
  await expect(button).toBeEnabled();
  await when.fill("2031-03-30 02:30");
  await expect(form).toContainText("This time does not exist");
  await expect(form.getByRole("radio")).toHaveCount(0);
  await expect(button).toHaveText(/^Schedule/);
  await when.press("Enter");
  await expect(form.getByRole("button", { name: "01:59" })).toBeFocused();
  await form.getByRole("button", { name: "03:00" }).click();
  await expect(form.getByRole("button", { name: "Schedule for Sun 30 Mar 2031, 03:00 Berlin" })).toBeEnabled();
});

test("cities are searched in both languages, and the time is shown in all zones", async ({ page, server, api }) => {
  const { form, when, zone } = await open(page, server, api);
  await when.fill("2031-06-09 09:00");
  await zone.fill("shang");
  await expect(form.getByRole("option").first()).toContainText("Shanghai 上海");
  await zone.press("ArrowDown");
  await zone.press("Enter");
  await expect(zone).toHaveValue("Shanghai");
  await expect(form.locator(".time-feedback")).toContainText("Mon 9 Jun 2031, 09:00 Shanghai");
  await expect(form.locator(".time-feedback")).toContainText("Mon 9 Jun 2031, 01:00 UTC");
  await zone.fill("柏林");
  await form.getByRole("option", { name: "Berlin 柏林" }).first().click();
  await expect(zone).toHaveValue("Berlin");
  await expect(form.getByRole("button", { name: "Schedule for Mon 9 Jun 2031, 09:00 Berlin" })).toBeEnabled();
  // The suggested times follow the zone; one button returns to the user's.
  await form.getByRole("button", { name: "Tomorrow 09:00" }).click();
  await expect(form.getByRole("button", { name: /^Schedule for .* 09:00 Berlin$/ })).toBeEnabled();
  await form.getByRole("button", { name: "Mine: UTC" }).click();
  await expect(zone).toHaveValue("UTC");
  await zone.fill("Mars/Base");
  await expect(form.locator(".time-feedback")).toContainText("The time zone is unknown");
  await expect(form.getByRole("button", { name: /^Schedule/ })).toBeDisabled();
});

test("the search is left with Escape and by another field", async ({ page, server, api }) => {
  const { form, when, zone } = await open(page, server, api);
  await zone.fill("tok");
  await expect(form.getByRole("listbox")).toBeVisible();
  await zone.press("Escape");
  await expect(form.getByRole("listbox")).toHaveCount(0);
  await zone.fill("toky");
  await when.click();
  await expect(zone).toHaveValue("Tokyo");
});

test("the calendar fills the field, and the time stays", async ({ page, server, api }) => {
  const { form, when } = await open(page, server, api);
  await when.fill("2031-06-09 09:05");
  await when.blur();
  await expect(form.getByRole("button", { name: "Open the calendar" })).toBeVisible();
  // The calendar belongs to the browser; it changes the native field like this.
  await page.locator("#publish-date").evaluate((field: HTMLInputElement) => {
    field.value = "2031-06-20";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await expect(when).toHaveValue("Fri 20 Jun 2031, 09:05");
});

test("the reschedule form has the same field, and Escape closes it", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("Later"), 86_400);
  await page.goto(`${server.url}/tasks/${task.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const move = page.locator(".task-actions details");
  await move.locator("summary").click();
  await page.locator(`#when-${task.id}-when`).fill("2031-06-09 09:00");
  await expect(move.getByRole("button", { name: "Reschedule to Mon 9 Jun 2031, 09:00 UTC" })).toBeEnabled();
  await page.keyboard.press("Escape");
  await expect(move).not.toHaveAttribute("open", "");
  await expect(move.locator("summary")).toBeFocused();
});
