// Without JavaScript: quick add with words that have several readings, and one change of many tasks.
import { laterDay } from "../meetings";
import { expect, logIn, test } from "../server";

test("a title and words make a scheduled article", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/quick`);
  await page.locator('[name="title"]').fill("From a phone");
  await page.locator('[name="when"]').fill("6/9 9:00");
  await page.locator("button.main").click();
  await expect(page.locator("fieldset.choices input[type=radio]")).toHaveCount(2);
  await expect(page.locator('[name="title"]')).toHaveValue("From a phone");
  await expect(page.locator('[name="when"]')).toHaveValue("6/9 9:00");
  await page.locator("fieldset.choices input").last().check();
  await page.locator("button.main").click();
  await expect(page).toHaveURL(/\/articles\/[0-9a-f-]+\?view=schedule&r=[0-9a-f]{24}$/);
  await expect(page.getByRole("button", { name: /Undo/ }).first()).toBeVisible();
});

test("words that are not understood are named and kept", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/quick`);
  await page.locator('[name="title"]').fill("Soon");
  await page.locator('[name="when"]').fill("tomorrow 9ish");
  await page.locator("button.main").click();
  await expect(page.locator("#when-echo")).toContainText("“ish”");
  await expect(page.locator('[name="when"]')).toHaveValue("tomorrow 9ish");
});

test("tasks are moved together after a preview, and moved back", async ({ page, server, api }) => {
  const tasks = [];
  for (const name of ["Bulk one", "Bulk two"]) tasks.push(await api.publishIn(await api.article(name), 86_400));
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/tasks?q=Bulk`);
  for (const task of tasks) await page.locator(`input[name="ids"][value="${task.id}"]`).check();
  await page.getByText("Change several").click();
  await page.locator('[name="amount"]').fill("2");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.locator("main")).toContainText("2 of 2 tasks will be changed.");
  await expect(page.locator("tr.list-row")).toHaveCount(2);
  await page.getByRole("button", { name: "Change 2 tasks" }).click();
  await expect(page.locator(".result")).toContainText("2 items were rescheduled.");
  await page.locator(".result").getByRole("button", { name: "Undo all" }).click();
  await expect(page.locator(".result")).toContainText("2 items are as before.");
});

test("only the fields of the chosen change are shown", async ({ page, server, api }) => {
  await api.article("One of several");
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles`);
  await page.getByText("Change several").click();
  const shown = () => page.locator("#bulk .field label:visible").allInnerTexts();
  const fields: [string, string[]][] = [
    ["shift", ["Change", "By", "Unit"]],
    ["move_to_day", ["Change", "To the day"]],
    ["assign", ["Change", "Person"]],
    ["remove_tag", ["Change", "Tag"]],
    ["submit", ["Change"]],
    ["approve", ["Change"]],
  ];
  for (const [change, labels] of fields) {
    await page.locator("#bulk-change").selectOption(change);
    expect(await shown()).toEqual(labels);
  }
});

test("a pasted plan is checked, imported and undone", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles`);
  await page.getByRole("link", { name: "Import a plan" }).click();
  await expect(page).toHaveURL(/\/articles\/import$/);
  const table = "title,time,tags\nSpring plan,2090-03-20 09:00,\"garden, news\"\nOld plan,2020-01-01 09:00,\nDraft plan,,\n";
  await page.locator('[name="text"]').fill(table);
  await page.locator("button.main").click();
  await expect(page.locator("tr.is-refused")).toContainText("This time has passed.");
  await expect(page.locator('[name="text"]')).toHaveValue(table);
  await page.getByRole("button", { name: "Import the others: 2" }).click();
  await expect(page.locator('p.notice[role="status"]')).toContainText("Scheduled: 1. Drafts: 1. Not imported: 1.");
  await page.getByRole("button", { name: /Undo/ }).click();
  await expect(page.locator(".result")).toContainText("1 item is as before.");
});

test("a search for articles of a release keeps what is ticked, and one form schedules it", async ({ page, server, api }) => {
  for (const title of ["Harbour lead", "Harbour map", "Bridge interview"]) await api.article(title);
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/releases/new`);
  const form = page.locator(".release-form");
  for (const word of ["Harbour", "Bridge"]) {
    await form.locator('[name="q"]').fill(word);
    await form.getByRole("button", { name: "Find" }).click();
    for (const box of await form.locator(".choice", { hasText: word }).locator("input").all()) await box.check();
  }
  await form.locator('[name="q"]').fill("nothing like this");
  await form.getByRole("button", { name: "Find" }).click();
  await expect(form.locator(".article-choices input:checked")).toHaveCount(3);
  await expect(form.getByRole("status").first()).toHaveText("3 selected");
  await form.locator('[name="name"]').fill("Harbour package");
  await form.locator('[name="date"]').fill(laterDay());
  await form.locator('[name="time"]').fill("09:00");
  await form.locator("button.main").click();
  await expect(page.locator("h1")).toHaveText("Harbour package");
  await expect(page.locator("main")).toContainText("While it is scheduled");
});
