// Without JavaScript: the review is switched on, texts are submitted, sent back and approved, word lists are edited and
// tested, and a person without an account decides by a link.
import { Api, expect, logIn, test } from "../server";

// Other tests of this worker publish without a review.
test.afterEach(async ({ server, request }) => {
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  const answer = await request.patch(`${server.url}/api/v1/settings/review`, { headers, data: { workflow: "none", checklist: { summary: "off", marks: "off" } } });
  expect(answer.status()).toBe(200);
});

test("a text is submitted, sent back with a reason, submitted again and approved", async ({ page, server, request }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/review`);
  const settings = page.locator('form[action="/fn/save_review_settings"]');
  await settings.locator('[name="workflow"][value="one_reviewer"]').check();
  await settings.locator('[name="after_submit"]').fill("0");
  await settings.locator('button[type="submit"]').click();
  // A refused form keeps its input.
  await expect(page.locator(".problem")).toHaveCount(1);
  await expect(settings.locator('[name="workflow"][value="one_reviewer"]')).toBeChecked();
  await settings.locator('[name="after_submit"]').fill("120");
  await settings.locator('button[type="submit"]').click();
  await expect(page.locator(".result")).toContainText("Saved.");

  const article = await new Api(request, server, server.token("creator")).post("/articles", { title: "Harbour dues", body: "The dues rise." });
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
  await page.getByRole("button", { name: "Submit for review" }).click();
  await expect(page.locator(".review-panel")).toContainText("Submitted");

  await logIn(page, server, "admin");
  await page.goto(`${server.url}/review`);
  const row = page.locator(".review-row", { hasText: "Harbour dues" });
  await expect(row).toContainText("Deadline");
  await row.getByRole("link", { name: "Harbour dues" }).click();
  await expect(page.locator(".prose")).toContainText("The dues rise.");
  await page.getByText("Send back…").click();
  const back = page.locator('form[action="/fn/send_text_back"]');
  await back.locator('button[type="submit"]').click();
  await expect(back.locator(".alert")).toBeVisible();
  await back.locator('[name="reason"]').fill("By how much?");
  await back.locator('button[type="submit"]').click();
  await expect(page.locator(".review-reason")).toContainText("By how much?");
  await expect(page.locator('form[action="/fn/approve_text"]')).toHaveCount(0);

  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
  await expect(page.locator(".review-panel")).toContainText("By how much?");
  await page.getByRole("button", { name: "Submit again" }).click();

  await logIn(page, server, "admin");
  await page.goto(`${server.url}/review/${article.id}`);
  await page.getByRole("button", { name: "Approve and next" }).click();
  await expect(page.locator(".result")).toContainText("Approved.");
  await page.goto(`${server.url}/review/${article.id}`);
  await expect(page.locator(".review-page")).toContainText("Approved by Ada.");
});

test("two reviewers approve, and a required item of the checklist must be there", async ({ page, server, request }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/review`);
  const settings = page.locator('form[action="/fn/save_review_settings"]');
  await settings.locator('[name="workflow"][value="two_reviewers"]').check();
  await settings.locator('[name="after_submit"]').fill("60");
  await settings.locator('[name="count"]').selectOption("working_hours");
  await settings.locator('[name="checklist[summary]"]').selectOption("require");
  await settings.locator('[name="weekdays[0]"]').check();
  await settings.locator('button[type="submit"]').click();
  // Working hours are missing; what was chosen is kept.
  await expect(page.locator(".field-problem", { hasText: /\S/ })).toHaveCount(1);
  await expect(settings.locator('[name="checklist[summary]"]')).toHaveValue("require");
  await expect(settings.locator('[name="weekdays[0]"]')).toBeChecked();
  await settings.locator('[name="opens"]').fill("09:00");
  await settings.locator('[name="closes"]').fill("17:00");
  await settings.locator('button[type="submit"]').click();
  await expect(page.locator(".result")).toContainText("Saved.");
  await expect(settings.locator('[name="opens"]')).toHaveValue("09:00");

  const creator = new Api(request, server, server.token("creator"));
  const article = await creator.post("/articles", { title: "Two views", body: "A text." });
  await creator.post(`/articles/${article.id}/submit`, { seen_revision: 1 });
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
  await expect(page.locator(".check-panel")).toContainText("required to schedule");
  await page.getByRole("button", { name: "Publish now" }).click();
  await expect(page.locator("body")).toContainText("the text needs a summary");

  await logIn(page, server, "admin");
  await page.goto(`${server.url}/review/${article.id}`);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.goto(`${server.url}/review/${article.id}`);
  await expect(page.locator(".review-page")).toContainText("Another reviewer must approve it too.");
  await expect(page.locator('form[action="/fn/approve_text"]')).toHaveCount(0);
});

test("a word list is added, edited and tested", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/words`);
  const add = page.locator('form[action="/fn/add_word_list"]');
  await add.locator('[name="name"]').fill("Harbour words");
  await add.locator('[name="terms"]').fill("/(/");
  await add.locator('button[type="submit"]').click();
  await expect(page.locator(".problem")).toContainText("term 1");
  await expect(add.locator('[name="terms"]')).toHaveValue("/(/");
  await add.locator('[name="terms"]').fill("smuggler\n口交 ! 路口交通");
  await add.locator('button[type="submit"]').click();
  const row = page.locator(".word-lists > li", { hasText: "Harbour words" });
  await expect(row).toContainText("2 terms");

  await page.locator('[name="test"]').fill("A smug\u200bgler at 路口交通");
  await page.getByRole("button", { name: "Test" }).click();
  await expect(page.locator(".marked-text mark")).toHaveCount(1);
  await expect(page.locator("#result")).toContainText("It is not published.");

  await page.locator(".word-lists").getByRole("link", { name: "Edit: Harbour words" }).click();
  const terms = page.locator('form[action="/fn/set_word_terms"]');
  await expect(terms.locator('[name="terms"]')).toHaveValue("smuggler\n口交 ! 路口交通\n");
  await terms.locator('[name="terms"]').fill("pirate");
  await terms.locator('button[type="submit"]').click();
  await expect(page.locator(".result")).toContainText("Saved.");
  // The history names what was changed, and restores it.
  const states = page.locator(".word-history > li");
  await expect(states.first()).toContainText("Added: pirate");
  await expect(states.first().getByRole("button")).toHaveCount(0);
  await states.last().getByRole("button", { name: "Restore" }).click();
  await expect(page.locator(".result")).toContainText("The earlier state is restored.");
  await expect(terms.locator('[name="terms"]')).toHaveValue("smuggler\n口交 ! 路口交通\n");
  await page.getByText("Delete this list").click();
  await page.locator('form[action="/fn/delete_word_list"] button').click();
  await expect(page.locator(".result")).toContainText("List deleted.");
});

test("a hit is replaced by a new revision", async ({ page, server, request }) => {
  const admin = new Api(request, server, server.token("admin"));
  const list = await admin.post("/word-lists", { name: "Soften", language: "any", action: "replace", terms: [{ term: "darn", replacement: "very" }] });
  const article = await new Api(request, server, server.token("creator")).post("/articles", { title: "Gale", body: "A darn gale." });
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
  await page.getByRole("button", { name: "Replace with “very”" }).click();
  await expect(page.locator(".result")).toContainText("The word is replaced");
  await expect(page.locator("#body")).toHaveValue("A very gale.");
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  await request.delete(`${server.url}/api/v1/word-lists/${list.id}`, { headers });
});

test("an author asks a reviewer, who sees the text first", async ({ page, server, request }) => {
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  await request.patch(`${server.url}/api/v1/settings/review`, { headers, data: { workflow: "one_reviewer" } });
  const creator = new Api(request, server, server.token("creator"));
  // It was submitted before, so without the question it comes first.
  const before = await creator.post("/articles", { title: "Of all reviewers", body: "A text." });
  await creator.post(`/articles/${before.id}/submit`, { seen_revision: 1 });
  const article = await creator.post("/articles", { title: "Asked about", body: "A text." });
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
  await page.getByText("Ask reviewers…").click();
  await page.locator(".ask-reviewers").getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Submit for review" }).click();
  await expect(page.locator(".review-panel")).toContainText("Other reviewers may decide too.");

  await logIn(page, server, "admin");
  await page.goto(`${server.url}/review`);
  const rows = page.locator(".review-row");
  await expect(rows.first()).toContainText("Asked about");
  await expect(rows.first()).toContainText("You were asked.");
  await expect(rows.filter({ hasText: "Of all reviewers" })).toHaveCount(1);
  await page.getByRole("link", { name: "Asked of me" }).click();
  await expect(page).toHaveURL(/asked=me/);
  await expect(rows.filter({ hasText: "Asked about" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "Of all reviewers" })).toHaveCount(0);
});

test("several ticked articles are submitted at once", async ({ page, server, request }) => {
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  await request.patch(`${server.url}/api/v1/settings/review`, { headers, data: { workflow: "one_reviewer" } });
  const creator = new Api(request, server, server.token("creator"));
  const ids: string[] = [];
  for (const title of ["Ticked one", "Ticked two"]) ids.push((await creator.post("/articles", { title, body: "A text." })).id);
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/bulk?list=articles&ids=${ids.join(",")}&change=submit`);
  await expect(page.locator("body")).toContainText("the reviewers are notified");
  await page.getByRole("button", { name: "Change 2 articles" }).click();
  await expect(page.locator(".result")).toContainText("2 items were changed.");
  for (const id of ids) expect((await creator.get(`/articles/${id}`)).review.state).toBe("submitted");
});

test("a person without an account decides by a link", async ({ page, server, request, browser }) => {
  const admin = new Api(request, server, server.token("admin"));
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  await request.patch(`${server.url}/api/v1/settings/review`, { headers, data: { workflow: "one_reviewer" } });
  const creator = new Api(request, server, server.token("creator"));
  const article = await creator.post("/articles", { title: "Tide tables", body: "High water at noon." });
  await creator.post(`/articles/${article.id}/submit`, { seen_revision: 1 });

  await logIn(page, server, "admin");
  await page.goto(`${server.url}/review/${article.id}`);
  await page.getByText("Review by link…").click();
  await page.locator('form[action="/fn/create_review_link"] [name="name"]').fill("Dr. Li");
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.locator(".new-secret code").innerText();

  const stranger = await browser.newContext({ javaScriptEnabled: false });
  const other = await stranger.newPage();
  await other.goto(link);
  await expect(other.locator(".prose")).toContainText("High water at noon.");
  await other.getByRole("button", { name: "Approve" }).click();
  await expect(other.locator(".notice")).toContainText("Your decision was recorded.");
  await other.goto(link);
  await expect(other.locator(".prose")).toHaveCount(0);
  await stranger.close();
  const found = await admin.get(`/articles/${article.id}`);
  expect(found.review.state).toBe("approved");
  expect(found.review.reviewer).toBe("Dr. Li");
});

test("the approved version is scheduled beside newer edits, which need an approval", async ({ page, server, request }) => {
  const admin = new Api(request, server, server.token("admin"));
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  await request.patch(`${server.url}/api/v1/settings/review`, { headers, data: { workflow: "one_reviewer" } });
  const creator = new Api(request, server, server.token("creator"));
  const article = await creator.post("/articles", { title: "Ferry times", body: "The ferry leaves at nine." });
  const submitted = await creator.post(`/articles/${article.id}/submit`, { seen_revision: 1 });
  const { revision, hash } = submitted.review;
  await admin.post(`/articles/${article.id}/approve`, { seen_revision: revision, revision_hash: hash });
  const author = { Authorization: `Bearer ${server.token("creator")}` };
  const edit = { body: "The ferry leaves at ten.", seen_revision: 1 };
  await request.patch(`${server.url}/api/v1/articles/${article.id}`, { headers: author, data: edit });

  await logIn(page, server, "creator");
  await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
  const form = page.locator("#schedule-publish");
  await expect(form).toContainText("The approved version of");
  await expect(form).toContainText("With 1 newer edit, which needs approval");
  await expect(form.locator('[name="revision"][value="approved"]')).toBeChecked();
  await form.getByRole("button", { name: "Schedule", exact: true }).click();
  await expect(page.locator(".result").first()).toContainText("The approved version of “Ferry times” is scheduled");
  await expect(page.locator(".scheduled-card h3")).toHaveText("Will be published");

  await page.getByRole("button", { name: "Unschedule" }).click();
  await page.goto(`${server.url}/articles/${article.id}?view=schedule`);
  await form.locator('[name="revision"][value="current"]').check();
  await form.getByRole("button", { name: "Schedule", exact: true }).click();
  await expect(page.locator(".scheduled-card h3")).toHaveText("Will be published once approved");
  await expect(page.locator(".scheduled-card")).toContainText("A reviewer must approve this version first.");
});

test("switching the workflow off says how many articles wait, and what becomes of them", async ({ page, server, request }) => {
  const headers = { Authorization: `Bearer ${server.token("admin")}` };
  const settings = `${server.url}/api/v1/settings/review`;
  await request.patch(settings, { headers, data: { workflow: "one_reviewer", waiting: "draft" } });
  const creator = new Api(request, server, server.token("creator"));
  const article = await creator.post("/articles", { title: "Quay works", body: "The quay is closed." });
  await creator.post(`/articles/${article.id}/submit`, { seen_revision: 1 });

  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/review`);
  const form = page.locator('form[action="/fn/save_review_settings"]');
  await expect(form.locator(".review-waiting")).toContainText("1 article waits for an approval");
  await expect(form.locator('[name="waiting"][value="keep"]')).toBeChecked();
  await form.locator('[name="workflow"][value="none"]').check();
  await form.locator('button[type="submit"]').click();
  await expect(page.locator(".result").first()).toContainText("1 article still waits for an approval.");
  await page.goto(`${server.url}/review`);
  await expect(page.locator(".review-row", { hasText: "Quay works" })).toHaveCount(1);

  await page.goto(`${server.url}/settings/review`);
  await form.locator('[name="waiting"][value="draft"]').check();
  await form.locator('button[type="submit"]').click();
  await expect(page.locator(".result").first()).toContainText("1 article is a draft again.");
  await page.goto(`${server.url}/review`);
  await expect(page.locator(".review-row", { hasText: "Quay works" })).toHaveCount(0);
});
