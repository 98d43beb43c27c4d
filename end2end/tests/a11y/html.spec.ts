// Valid HTML: what the server sends for every kind of page is what the HTML standard allows.
import { type APIRequestContext } from "@playwright/test";
import { HtmlValidate, type ConfigData } from "html-validate";
import { MeetingApi } from "../meetings";
import { calendarRoutes, deskRoutes, meetingRoutes, publicRoutes, RICH_BODY } from "../routes";
import { Api, expect, logIn, test } from "../server";

/** The rules of the standard. Those switched off are about style, or about what axe checks in the finished page. */
const CONFIG: ConfigData = {
  root: true,
  extends: ["html-validate:standard", "html-validate:document"],
  rules: {
    // Styles come from the server itself, which names files after their contents.
    "require-sri": ["error", { target: "crossorigin" }],
  },
};
const validator = new HtmlValidate(CONFIG);

test.describe.configure({ timeout: 360_000 });

/** Checks one page; `status` as expected. Leptos marks places for hydration with `<!>`, which browsers read as an empty comment. */
async function check(request: APIRequestContext, url: string, path: string, status = [200]) {
  const answer = await request.get(url + path, { headers: { accept: "text/html" } });
  expect.soft(status, path).toContain(answer.status());
  const report = await validator.validateString((await answer.text()).replaceAll("<!>", ""));
  const found = report.results.flatMap(({ messages }) => messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} ${selector ?? ""}`));
  expect.soft([...new Set(found)].slice(0, 20), path).toEqual([]);
}

test("public pages are valid HTML in all three layouts", async ({ request, server, api }) => {
  const picture = "![A picture](https://a.example/x.png)\n\n### Three\n\n### Four\n\n> quoted";
  const details = { summary: "About the coast", tags: ["Sea & land"], cover: "https://a.example/cover.png" };
  const article = await api.post("/articles", { title: "Everything in it", body: `${RICH_BODY}\n\n${picture}`, details });
  const plain = await api.article("A plain one");
  const about = await api.post("/articles", { title: "About", body: "A page.", details: { template: "page" } });
  for (const one of [article, plain, about]) await api.publishIn(one, 1);
  for (const one of [article, plain, about]) await expect.poll(async () => (await fetch(`${server.url}/site/${one.slug}`)).status).toBe(200);
  const month = new Date().toISOString().slice(0, 7);
  const lists = ["/site/tag/sea%20%26%20land", "/site/author/Cora", `/site/archive/${month}`, "/site/archive/all", "/site?q=coast", "/site?q=none"];
  const admin = new Api(request, server, server.token("admin"));
  for (const layout of ["journal", "notes", "magazine"]) {
    const before = await admin.get("/settings/site");
    const look = { layout, description: "News", footer: "© The desk", links: [{ name: "Mail", url: "mailto:desk@a.example" }], seen_version: before.version };
    const saved = await request.patch(`${server.url}/api/v1/settings/site`, { data: look, headers: { authorization: `Bearer ${admin.token}` } });
    expect(saved.status(), await saved.text()).toBe(200);
    for (const path of ["/site", ...lists, `/site/${article.slug}`, `/site/${plain.slug}`, `/site/${about.slug}`]) await check(request, server.url, path);
    await check(request, server.url, "/site/nowhere", [404]);
  }
  for (const path of publicRoutes(plain.slug)) await check(request, server.url, path, [200, 403, 404, 410]);
});

test("pages of the desk are valid HTML", async ({ page, request, server, api }) => {
  const waiting = await api.article("Read aloud", RICH_BODY);
  const task = await api.publishIn(waiting, 3600);
  await api.article("A draft");
  const room = await MeetingApi.of(request, server, "admin").room("Jetty", { opening_hours: [{ from: "07:00", to: "20:00" }] });
  const meeting = await MeetingApi.of(request, server, "admin").meeting("Low water", room, "10:00", "11:00", { attendees: [{ email: "ann@example.org", name: "Ann" }] });
  await logIn(page, server, "admin");
  const routes = [...deskRoutes(waiting.id, task.id), ...calendarRoutes(task.id), ...meetingRoutes(room.id, [meeting.id], meeting.starts_at.slice(0, 10))];
  for (const path of routes) await check(page.request, server.url, path, [200, 404]);
});
