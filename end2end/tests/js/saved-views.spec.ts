// Saved views of a list, and one change of several articles.
import { expect, logIn, test } from "../server";

test("filters are saved under a name, renamed, deleted and restored", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles?state=draft&mine=1`);
  await page.getByText("Save these filters").click();
  await page.locator("#view-name").fill("My drafts");
  await page.locator('form[action="/fn/save_view"] button').click();
  await expect(page.locator(".result")).toContainText("The view is saved.");
  await page.goto(`${server.url}/articles`);
  const link = page.locator(".saved-views").getByRole("link", { name: "My drafts" });
  await link.click();
  await expect(page).toHaveURL(/state=draft&mine=1/);
  await expect(link).toHaveAttribute("aria-current", "page");
  await page.locator(".saved-views summary").click();
  await page.locator("#view-new-name").fill("Drafts of mine");
  await page.locator('form[action="/fn/rename_view"] button').click();
  await expect(page.locator(".saved-views").getByRole("link", { name: "Drafts of mine" })).toBeVisible();
  await page.locator(".saved-views summary").click();
  await page.getByRole("button", { name: "Delete view" }).click();
  await expect(page.locator(".result")).toContainText("The view is deleted.");
  await expect(page.locator(".saved-views").getByRole("link")).toHaveCount(0);
  await page.locator(".result").getByRole("button", { name: "Undo delete" }).click();
  await expect(page.locator(".saved-views").getByRole("link", { name: "Drafts of mine" })).toBeVisible();
});

test("a result leaves nothing in the address, and neither a reload nor the way back shows it again", async ({ page, server }) => {
  // Results stay longer.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles?state=draft`);
  await page.getByText("Save these filters").click();
  await page.locator("#view-name").fill("Shown once");
  await page.locator('form[action="/fn/save_view"] button').click();
  await expect(page.locator(".result")).toContainText("The view is saved.");
  await expect(page).toHaveURL(`${server.url}/articles?state=draft`);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await expect(page.locator(".result")).toHaveCount(0);
  await page.goto(`${server.url}/calendar`);
  await page.goBack();
  await expect(page.locator(".saved-views").getByRole("link", { name: "Shown once" })).toBeVisible();
  await expect(page.locator(".result")).toHaveCount(0);
  await page.locator(".saved-views summary").click();
  await page.getByRole("button", { name: "Delete view" }).click();
  await expect(page.locator(".result")).toContainText("The view is deleted.");
});

test("scheduled articles are selected in their list and moved together", async ({ page, server, api }) => {
  const tasks = [];
  for (const name of ["Selected one", "Selected two"]) tasks.push(await api.publishIn(await api.article(name), 86_400));
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles?state=scheduled&q=Selected`);
  for (const task of tasks) await page.locator(`input[name="ids"][value="${task.target_id}"]`).check();
  await expect(page.locator(".bulk-panel summary")).toHaveText("2 selected");
  await expect(page.locator(".bulk-panel")).toHaveClass(/is-raised/);
  await page.locator('[name="amount"]').fill("2");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.locator("main")).toContainText("2 of 2 articles will be changed.");
  await page.getByRole("button", { name: "Change 2 articles" }).click();
  await expect(page).toHaveURL(/\/articles\?/);
  await expect(page.locator(".result")).toContainText("2 items were rescheduled.");
  await page.locator(".result").getByRole("button", { name: "Undo all" }).click();
  await expect(page.locator(".result")).toContainText("2 items are as before.");
  for (const task of tasks) expect((await api.get(`/tasks/${task.id}`)).due_at).toBe(task.due_at);
});
