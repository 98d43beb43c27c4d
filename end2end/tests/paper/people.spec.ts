// Scripts are off: who works here, and the settings of everybody.
import { type Page } from "@playwright/test";
import { Api, expect, logIn, people, test } from "../desk";

const row = (page: Page, name: string) => page.locator(".person-row", { hasText: name });

/** Takes up a one-time link in a browser of its own. */
async function accept(page: Page, link: string, password: string) {
  const other = await page.context().browser()!.newContext({ javaScriptEnabled: false });
  const guest = await other.newPage();
  await guest.goto(link);
  await guest.locator('[name="password"]').fill(password);
  await guest.locator('button[type="submit"]').click();
  await expect(guest.locator(".rail .who")).not.toBeEmpty();
  expect((await guest.goto(link))?.status()).toBe(410);
  return guest;
}

test("somebody is invited, given a role, sent a new password, and shut out with what waits in their name kept or cancelled", async ({ page, desk, api, request }) => {
  const name = `Nina ${Date.now()}`;
  const email = `nina${Date.now()}@example.org`;
  await logIn(page, desk, "admin");
  await page.goto(`${desk.url}/settings/people`);
  const form = page.locator("section.invite");
  await form.locator('[name="name"]').fill(name);
  await form.locator('[name="email"]').fill(people.admin.email);
  await form.locator("select").selectOption("reviewer");
  await form.getByRole("button").click();
  await expect(form.getByRole("alert")).toContainText("is taken");
  await expect(form.locator('[name="name"]')).toHaveValue(name);
  await expect(form.locator("select")).toHaveValue("reviewer");
  await form.locator('[name="email"]').fill(email);
  await form.getByRole("button").click();
  await accept(page, await page.locator(".fresh .secret").innerText(), "correct horse nina");

  await page.goto(`${desk.url}/settings/people`);
  await row(page, name).locator("select").selectOption("creator");
  await row(page, name).locator('form[action="/fn/change_role"] button').click();
  await expect(row(page, name).locator("select")).toHaveValue("creator");
  await row(page, name).locator('form[action="/fn/reset"] button').click();
  const nina = await accept(page, await page.locator(".fresh .secret").innerText(), "correct horse nina two");

  const token = desk.run(["token", "create", "--user", email]).trim();
  const of = new Api(request, desk, token);
  const [kept, dropped] = [await of.article(`Kept of ${name}`), await of.article(`Dropped of ${name}`)];
  const waits = await of.publishIn(kept, 86_400);
  const answer = (label: string) => page.locator(".offer").getByRole("button", { name: label });
  const shut = async () => {
    await page.goto(`${desk.url}/settings/people`);
    await row(page, name).locator('form[action="/fn/disable"] button').click();
  };
  await shut();
  await expect(page.locator(".leftovers")).toContainText(`Kept of ${name}`);
  await answer("these become yours and go out as planned").click();
  await expect(row(page, name)).toHaveClass(/is-disabled/);
  await expect(page.getByText("The account is shut.")).toBeVisible();
  await nina.goto(`${desk.url}/articles`);
  await expect(nina).toHaveURL(/\/login/);
  expect((await api.get(`/tasks/${waits.id}`)).state).toBe("scheduled");

  await row(page, name).locator('form[action="/fn/enable"] button').click();
  await expect(row(page, name)).not.toHaveClass(/is-disabled/);
  const again = new Api(request, desk, desk.run(["token", "create", "--user", email]).trim());
  const cancelled = await again.publishIn(dropped, 86_400);
  await shut();
  // What was kept is the admin's since then.
  await expect(page.locator(".leftovers li")).toHaveCount(1);
  await answer("Disable and cancel these").click();
  await expect(row(page, name)).toHaveClass(/is-disabled/);
  await page.goto(`${desk.url}/articles/${dropped.id}`);
  await expect(page.locator(".waiting")).toHaveCount(0);
  expect((await api.get(`/tasks/${waits.id}`)).state).toBe("scheduled");
  await page.goto(`${desk.url}/tasks/${cancelled.id}`);
  await expect(page.locator(".alert")).toContainText("The owner's account was shut.");
  await nina.context().close();
});

test("a refused role keeps what was chosen", async ({ page, desk }) => {
  await logIn(page, desk, "admin");
  await page.goto(`${desk.url}/settings/people`);
  const ada = row(page, people.admin.email);
  await ada.locator("select").selectOption("creator");
  await ada.locator('form[action="/fn/change_role"] button').click();
  await expect(ada.getByRole("alert")).toContainText("This is the last admin.");
  await expect(ada.locator("select")).toHaveValue("creator");
});

test("one's own settings and those of the desk are kept, and a refused form keeps what was typed", async ({ page, desk }) => {
  await logIn(page, desk, "admin");
  await page.goto(`${desk.url}/settings/profile`);
  const about = page.locator('form[action="/fn/change_profile"]');
  await about.locator('[name="zone"]').fill("Mars/Base");
  await about.locator('[value="dark"]').check();
  await about.getByRole("button").click();
  await expect(about.getByRole("alert")).toContainText("is not a time zone");
  await expect(about.locator('[value="dark"]')).toBeChecked();
  await expect(about.locator('[name="zone"]')).toHaveValue("Mars/Base");
  await about.locator('[name="zone"]').fill("UTC");
  await about.getByRole("button").click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await about.locator('[value="auto"]').check();
  await about.getByRole("button").click();
  await page.goto(`${desk.url}/settings/desk`);
  await page.locator('.settings [name="title"]').fill("The paper desk");
  await page.locator(".settings button").click();
  await expect(page.locator(".brand")).toHaveText("The paper desk");
});

test("an admin stops everything and lets it go on", async ({ page, desk }) => {
  await logIn(page, desk, "admin");
  await page.goto(`${desk.url}/engine`);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.locator(".banners")).toContainText("Publishing is paused.");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.locator(".banners")).not.toContainText("Publishing is paused.");
});
