// Several items are selected and moved together.
import { expect, logIn, test } from "../../server";
import { centre, day, drag, dueAt, item, nextDay, open, publishAt, wednesday } from "./board";

test("several are selected and dragged together, with one undo", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const date = wednesday(62);
  const one = await publishAt(api, "One of two", `${date}T09:00`);
  const two = await publishAt(api, "Two of two", `${nextDay(date)}T11:00`);
  await open(page, server, `date=${date}`);
  await page.getByRole("button", { name: "Select several" }).click();
  await item(page, "One of two").click();
  await item(page, "Two of two").click();
  await expect(page.locator(".selection-bar")).toContainText("2 selected");
  await expect(item(page, "Two of two")).toHaveClass(/is-selected/);
  const grip = `.calendar-item[data-item="${one.id}"] > a`;
  await drag(page, await centre(page, grip), await centre(page, `[data-date="${nextDay(date, -1)}"]`));
  await page.mouse.up();
  await expect(page.locator(".result")).toContainText("2 items were rescheduled.");
  expect(await dueAt(api, one)).toBe(`${nextDay(date, -1)}T09:00:00.000Z`);
  expect(await dueAt(api, two)).toBe(`${date}T11:00:00.000Z`);
  await page.keyboard.press("z");
  await expect(page.locator(".result")).toContainText("2 items are as before.");
  expect(await dueAt(api, two)).toBe(`${nextDay(date)}T11:00:00.000Z`);
  // By keys: the space bar selects, M moves both, Escape ends it.
  await expect(day(page, date).locator(".calendar-item")).toContainText("One of two");
  await expect(day(page, nextDay(date)).locator(".calendar-item")).toContainText("Two of two");
  for (const title of ["One of two", "Two of two"]) {
    // The undo may still build the days again.
    await expect(async () => {
      const isSelected = /is-selected/.test((await item(page, title).getAttribute("class")) ?? "");
      if (!isSelected) await item(page, title).locator("a").first().press(" ");
      await expect(item(page, title)).toHaveClass(/is-selected/, { timeout: 1_000 });
    }).toPass();
  }
  // Another change on this day builds it again; the focus stays on the item.
  await publishAt(api, "Third on the day", `${nextDay(date)}T12:00`);
  await expect(day(page, nextDay(date)).locator(".calendar-item")).toHaveCount(2);
  await expect(item(page, "Two of two").locator("a").first()).toBeFocused();
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.locator(".result")).toContainText("2 items were rescheduled.");
  expect(await dueAt(api, one)).toBe(`${nextDay(date)}T09:00:00.000Z`);
});
