// Without JavaScript: invalid input is refused with a message and kept.
import { expect, logIn, test } from "../server";

test("a missing title, a long title and a large body are refused and kept", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/new`);
  const save = page.getByRole("button", { name: "Save", exact: true });
  await page.locator("#body").fill("Kept\n\nas it was typed");
  const large = "Sixty characters a line, so that the browser is quick about it.\n".repeat(9_000);
  await save.click();
  await expect(page.locator(".save-error")).toContainText("add a title");
  await expect(page.locator("#body")).toHaveValue("Kept\n\nas it was typed");
  await page.locator("#title").fill("x".repeat(301));
  await save.click();
  await expect(page.locator(".save-error")).toContainText("300");
  await expect(page.locator("#title")).toHaveValue("x".repeat(301));
  await page.locator("#title").fill("Now it fits");
  await save.click();
  await expect(page).toHaveURL(/[?&]r=[0-9a-f]{24}/);
  // Posted directly: a browser takes a minute to render fields of this size.
  const fields = Object.fromEntries(
    await Promise.all(["id", "seen_revision"].map(async (name) => [name, await page.locator(`#editor-form [name="${name}"]`).inputValue()])),
  );
  const headers = { accept: "text/html", origin: server.url };
  const from = new URL(page.url()).pathname;
  for (const [typed, said] of [
    [{ title: "Now it does not", body: large }, "the limit is 500 kB"],
    [{ title: "x".repeat(100_000), body: "short" }, "the limit is 300"],
  ] as const) {
    const answer = await page.request.post(`${server.url}/fn/save_article`, { form: { ...fields, ...typed, from }, headers });
    expect(answer.status()).toBe(422);
    const shown = await answer.text();
    expect(shown).toContain(said);
    expect(shown).toContain(typed.title);
    expect(shown).toContain(typed.body);
  }
});

test("an unknown URL has status 404, and a page for admins 403", async ({ page, server }) => {
  await logIn(page, server, "creator");
  expect((await page.goto(`${server.url}/nowhere`))?.status()).toBe(404);
  expect((await page.goto(`${server.url}/tasks/01900000-0000-7000-8000-000000000000`))?.status()).toBe(404);
  expect((await page.goto(`${server.url}/settings/people`))?.status()).toBe(403);
  await expect(page.locator("main")).toContainText("admin");
});
