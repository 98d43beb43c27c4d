// Accessibility: axe finds no violation on any page, in both themes and in forced colours, with all questions and menus open, and with a
// refused form.
import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";
import { MeetingApi } from "../meetings";
import { calendarRoutes, deskRoutes, meetingRoutes, publicRoutes, RICH_BODY } from "../routes";
import { Api, expect, logIn, start, stop, test } from "../server";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules that depend on the theme. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** How a page is shown, and the rules that may differ from the first. */
const LOOKS = [
  { name: "light", colorScheme: "light", forcedColors: "none", rules: [] },
  { name: "dark", colorScheme: "dark", forcedColors: "none", rules: COLOURS },
  { name: "forced colours", colorScheme: "dark", forcedColors: "active", rules: COLOURS },
] as const;

/** Checks the current page in all looks, then once more with every question, form and menu open. */
async function check(page: Page, name: string) {
  for (const { name: look, rules, ...media } of LOOKS) {
    await page.emulateMedia(media);
    await analyze(page, `${name} ${look}`, rules);
  }
  await page.emulateMedia(LOOKS[0]);
  if (await openAll(page)) await analyze(page, `${name} opened`, []);
}

/** Legacy mode, because no page has frames. */
async function analyze(page: Page, name: string, rules: readonly string[]) {
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (rules.length ? axe.withRules([...rules]) : axe.withTags(TAGS)).analyze();
  const found = violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`);
  expect.soft(found, name).toEqual([]);
}

/** Opens everything that is folded; returns how much there was. */
function openAll(page: Page): Promise<number> {
  return page.evaluate(() => {
    // *New* lies over the page, so that what it covers would be too small a target. It is checked alone below.
    const folded = [...document.querySelectorAll("details:not([open], .new-menu)")].filter((one) => one.getClientRects().length > 0);
    for (const one of folded) one.setAttribute("open", "");
    return folded.length;
  });
}

async function visit(page: Page, url: string, path: string) {
  await page.goto(url + path);
  await check(page, path);
}

// Each test visits many pages in several sizes and themes. None needs what another left behind, so that two run at a time.
test.describe.configure({ timeout: 600_000, mode: "parallel" });

test("axe finds nothing on public pages", async ({ page, server, api }) => {
  const article = await api.article("Out for everyone", RICH_BODY);
  await api.publishIn(article, 1);
  await expect.poll(async () => (await fetch(`${server.url}/site/${article.slug}`)).status).toBe(200);
  for (const path of publicRoutes(article.slug)) await visit(page, server.url, path);
  const fresh = await start({ users: false });
  await visit(page, "", fresh.output().match(/http\S+\/setup\S+/)![0]);
  await stop(fresh);
});

test("axe finds nothing in the styleguide", async ({ page, server }) => {
  await visit(page, server.url, "/styleguide");
  await visit(page, server.url, "/styleguide?language=zh&live=0");
});

test("axe finds nothing in the head with its menu open", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.locator(".new-menu > summary").click();
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).include(".frame-head").withTags(TAGS).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
});

for (const settings of [false, true]) {
  test(`axe finds nothing on the pages of ${settings ? "the settings" : "the desk"}`, async ({ page, server, api }) => {
    const waiting = await api.article("Read aloud", "# One\n\ntext");
    const task = await api.publishIn(waiting, 3600);
    await api.article("A draft");
    await logIn(page, server, "admin");
    const routes = deskRoutes(waiting.id, task.id).filter((path) => path.startsWith("/settings") === settings);
    for (const path of routes) await visit(page, server.url, path);
  });
}

test("axe finds nothing on empty pages, on forbidden pages, and with a refused form", async ({ page, server, request }) => {
  const empty = await start({ users: true });
  await logIn(page, empty, "creator");
  for (const path of ["/", "/articles", "/tasks", "/settings/tokens", "/settings/people", "/settings/groups", "/settings/sign-in", "/engine"]) await visit(page, empty.url, path);
  const article = await new Api(request, empty, empty.token("creator")).article("Which night");
  await page.goto(`${empty.url}/articles/${article.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator("#publish-when").fill("31 Oct 2027 2:30");
  await page.locator("#publish-zone").fill("Europe/Berlin");
  await expect(page.getByRole("radio")).toHaveCount(2);
  await check(page, "an ambiguous time");
  await stop(empty);
  await page.goto(`${server.url}/login`);
  await page.locator('input[name="email"]').fill("unknown@example.org");
  await page.locator('input[name="password"]').fill("not the password");
  await page.locator('form[action="/fn/log_in"] button').click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await check(page, "a refused login");
});

test("axe finds nothing in the calendar and on the page of posting slots", async ({ page, server, api }) => {
  const task = await api.publishIn(await api.article("In the calendar"), 7200);
  await logIn(page, server, "admin");
  for (const path of calendarRoutes(task.id)) await visit(page, server.url, path);
});

test("axe finds nothing on the pages of rooms and meetings", async ({ page, server, request }) => {
  await logIn(page, server, "admin");
  for (const path of ["/meetings", "/rooms", "/settings/rooms"]) await visit(page, server.url, path);
  const admin = MeetingApi.of(request, server, "admin");
  const room = await admin.room("Quay", { opening_hours: [{ from: "07:00", to: "20:00" }] });
  const council = await admin.room("Council", { approval: "required" });
  const meeting = await admin.meeting("Tides", room, "10:00", "11:00", { attendees: [{ email: "ann@example.org", name: "Ann" }] });
  const requested = await MeetingApi.of(request, server, "creator").meeting("Budget", council, "10:00", "11:00");
  const day = meeting.starts_at.slice(0, 10);
  for (const path of meetingRoutes(room.id, [meeting.id, requested.id], day)) await visit(page, server.url, path);
  await page.goto(`${server.url}/meetings/${requested.id}`);
  await page.getByText("Move or resize").click();
  await check(page, "open forms of a meeting");
  await page.goto(`${server.url}/meetings/new?start=10:00&end=09:00`);
  await page.locator('[name="meeting[title]"]').fill("Backwards");
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await expect(page.locator(".availability")).toContainText("must be after the start");
  await check(page, "a refused meeting");
});

test("a disabled select has the contrast of text in both themes", async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  // Axe leaves out what is disabled.
  const contrast = () =>
    page.evaluate(() => {
      const field = Object.assign(document.createElement("div"), { className: "field", innerHTML: "<select disabled><option>Berlin</option></select>" });
      document.body.append(field);
      const style = getComputedStyle(field.firstElementChild!);
      const light = (colour: string) => {
        const parts = colour.match(/[\d.]+/g)!.slice(0, 3).map((part) => Number(part) / 255);
        const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const [text, ground] = [light(style.color), light(style.backgroundColor)];
      const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      const found = { opacity: style.opacity, isEnough: ratio >= 4.5 };
      field.remove();
      return found;
    });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await contrast(), colorScheme).toEqual({ opacity: "1", isEnough: true });
  }
});
