// Without JavaScript: the lists are filtered, searched, sorted and paged with links and forms, and rows are changed with buttons.
import { expect, logIn, test } from "../server";

test("tasks are filtered, sorted, moved and cancelled with links and buttons", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const soon = await api.publishIn(await api.article("Plain soon"), 86_400);
  const late = await api.publishIn(await api.article("Plain late"), 2 * 86_400);
  await page.goto(`${server.url}/tasks`);
  await page.locator("#q").fill("plain");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(page).toHaveURL(/q=plain/);
  await expect(page.locator("tr.list-row a.title")).toHaveText(["Plain soon", "Plain late"]);
  await page.getByRole("link", { name: "When" }).click();
  await expect(page.locator("tr.list-row a.title")).toHaveText(["Plain late", "Plain soon"]);

  const row = page.locator(`#task-${late.id}`);
  await row.getByRole("link", { name: "Reschedule “Plain late”" }).click();
  const form = page.locator(".form-row form");
  await form.locator('[name="time"]').fill("10:30");
  await form.locator("button.main").click();
  await expect(page).toHaveURL(/q=plain.*r=[0-9a-f]{24}$/);
  await expect(page.locator(".form-row")).toHaveCount(0);
  await expect(row).toContainText(/10:30 (Berlin|UTC)/);
  await page.locator(`#task-${soon.id}`).getByRole("button", { name: "Unschedule – Plain soon" }).click();
  await expect(page.locator(`#task-${soon.id}`)).toHaveCount(0);
  await page.getByRole("link", { name: /^Cancelled/ }).click();
  await expect(page.locator(`#task-${soon.id}`)).toBeVisible();
  await expect(page.locator(`#task-${soon.id} .relative`)).toHaveCount(0);
});

test("a list goes to a date, and says when nothing follows it", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const task = await api.publishIn(await api.article("On its day"), 86_400);
  await page.goto(`${server.url}/tasks`);
  await page.locator("#day").fill(task.due_at.slice(0, 10));
  await page.getByRole("button", { name: "Go" }).click();
  await expect(page).toHaveURL(/day=/);
  await page.locator("#day").fill("2199-01-01");
  await page.getByRole("button", { name: "Go" }).click();
  await expect(page.getByText("Nothing from this date on.")).toBeVisible();
  await page.getByRole("link", { name: "Previous page" }).click();
  await expect(page.locator(`#task-${task.id}`)).toBeVisible();
});

test("help is found with a form, and the link in the frame leads to the page of its topic", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/calendar`);
  await page.locator("a[data-help]").first().click();
  await expect(page).toHaveURL(`${server.url}/help/calendar`);
  await expect(page.locator("main h1")).toHaveText("Help: Calendar");
  await page.getByRole("link", { name: "All help" }).click();
  await page.locator("#help-q").fill("slot");
  await page.locator("main").getByRole("button", { name: "Find" }).click();
  await expect(page).toHaveURL(`${server.url}/help?q=slot`);
  await expect(page.locator("#word-posting-slot dt")).toHaveText("Posting slot");
  await expect(page.locator("#word-channel")).toHaveCount(0);
  await page.goto(`${server.url}/help?q=zzqq`);
  await expect(page.locator(".empty")).toContainText("Nothing in help contains this.");
  await page.goto(`${server.url}/help/nothing`);
  await expect(page.locator("main")).toContainText("There is no help under this address.");
  await expect(page.locator('main a[href="/help/calendar"]')).toBeVisible();
});

test("a result is shown once: not after a reload, not on the way back, not in another tab", async ({ page, server, api, context }) => {
  await logIn(page, server, "creator");
  for (const title of ["Tab one", "Tab two"]) await api.publishIn(await api.article(title), 86_400);
  const other = await context.newPage();
  for (const [one, title] of [[page, "Tab one"], [other, "Tab two"]] as const) {
    await one.goto(`${server.url}/tasks?q=Tab`);
    await one.getByRole("button", { name: `Unschedule – ${title}` }).click();
    await expect(one.locator(".result")).toContainText(`“${title}” is unscheduled.`);
    await expect(one).toHaveURL(/\/tasks\?q=Tab&r=[0-9a-f]{24}$/);
  }
  await page.reload();
  await expect(page.locator("main h1")).toBeVisible();
  await expect(page.locator(".result")).toHaveCount(0);
  await other.goto(`${server.url}/articles`);
  await other.goBack();
  await expect(other).toHaveURL(/\/tasks\?q=Tab/);
  await expect(other.locator(".result")).toHaveCount(0);
});
