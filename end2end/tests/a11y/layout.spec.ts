// Layout: with texts 40 % longer and from right to left, every page fits the window, no text is cut off, and no target is
// covered or too small.
import { type Page } from "@playwright/test";
import { MeetingApi } from "../meetings";
import { calendarRoutes, deskRoutes, meetingRoutes, publicRoutes, RICH_BODY } from "../routes";
import { expect, logIn, test } from "../server";
import { lengthen, misfits } from "./layout";

const WIDTHS = [1280, 390, 320];

/** What may be cut off or overlap, with the reason. */
const EXCEPTIONS = [
  // The button that opens the calendar of a date lies in the field, whose padding keeps the text away from it.
  /time-typed\S* > input .* and .*calendar-button .* overlap/,
  // The choice of something new lies over the days, at its cell.
  /and p\.row\.new-choices > a\.button.* overlap/,
];

// Each test visits many pages in six layouts.
test.describe.configure({ timeout: 360_000 });

/** Checks a page from right to left, then with longer texts. */
async function visit(page: Page, url: string, path: string) {
  await page.setViewportSize({ width: WIDTHS[0], height: 900 });
  await page.goto(url + path);
  if (await page.locator("html[data-mode], .nav").count()) await expect(page.locator("html")).toHaveAttribute("data-live", "");
  for (const look of ["right to left", "longer"] as const) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.evaluate((dir) => document.documentElement.setAttribute("dir", dir), look === "longer" ? "ltr" : "rtl");
      if (look === "longer") await page.evaluate(lengthen);
      const found = (await page.evaluate(misfits)).filter((one) => !EXCEPTIONS.some((known) => known.test(one)));
      expect.soft(found, `${path}, ${look}, ${width} px`).toEqual([]);
      const shots = process.env.LAYOUT_SHOTS;
      if (shots) await page.screenshot({ path: `${shots}/${path.replace(/\W+/g, "_")}-${look.replaceAll(" ", "-")}-${width}.png` });
    }
  }
}

test("public pages fit from right to left and with longer texts", async ({ page, server, api }) => {
  const article = await api.article("Out for everyone", RICH_BODY);
  await api.publishIn(article, 1);
  await expect.poll(async () => (await fetch(`${server.url}/site/${article.slug}`)).status).toBe(200);
  for (const path of publicRoutes(article.slug)) await visit(page, server.url, path);
});

test("an article from right to left has its code from left to right", async ({ page, server, api }) => {
  const body = "مرحبا `f(a)` بالعالم\n\n> سلام\n\n- واحد\n\n| أ | ب |\n|---|---|\n| ج | د |\n\n```\nlet a = 1;\n```\n";
  const article = await api.article("مقال عن البحر", body);
  await api.publishIn(article, 1);
  await expect.poll(async () => (await fetch(`${server.url}/site/${encodeURIComponent(article.slug)}`)).status).toBe(200);
  await page.goto(`${server.url}/site/${encodeURIComponent(article.slug)}`);
  const direction = (selector: string) => page.locator(`article ${selector}`).first().evaluate((one) => getComputedStyle(one).direction);
  for (const selector of ["p", "blockquote", "ul", "table"]) expect(await direction(selector), selector).toBe("rtl");
  for (const selector of ["pre", "p code"]) expect(await direction(selector), selector).toBe("ltr");
  const borders = await page.locator("article blockquote").evaluate((one) => {
    const { borderRightStyle, borderLeftStyle } = getComputedStyle(one);
    return [borderRightStyle, borderLeftStyle];
  });
  expect(borders).toEqual(["solid", "none"]);
});

test("pages of the desk fit from right to left and with longer texts", async ({ page, server, api, request }) => {
  // The task with the longest state in the lists.
  const meetings = MeetingApi.of(request, server, "admin");
  await meetings.meeting("Checked in", await meetings.room("A room with check-in", { check_in: { grace_minutes: 10 } }), "08:00", "09:00");
  const waiting = await api.article("Read aloud", "# One\n\ntext");
  const task = await api.publishIn(waiting, 3600);
  await api.article("A draft");
  await logIn(page, server, "admin");
  for (const path of deskRoutes(waiting.id, task.id)) await visit(page, server.url, path);
});

test("the calendar fits from right to left and with longer texts", async ({ page, server, api }) => {
  const task = await api.publishIn(await api.article("In the calendar"), 7200);
  await api.article("A draft for the tray");
  await logIn(page, server, "admin");
  for (const path of calendarRoutes(task.id)) await visit(page, server.url, path);
});

test("pages of rooms and meetings fit from right to left and with longer texts", async ({ page, server, request }) => {
  await logIn(page, server, "admin");
  const room = await MeetingApi.of(request, server, "admin").room("Low room", { opening_hours: [{ from: "07:00", to: "20:00" }] });
  const meeting = await MeetingApi.of(request, server, "admin").meeting("Low water", room, "10:00", "11:00", { attendees: [{ email: "ann@example.org", name: "Ann" }] });
  for (const path of meetingRoutes(room.id, [meeting.id], meeting.starts_at.slice(0, 10))) await visit(page, server.url, path);
});

test("from right to left, the navigation is at the right edge", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
  const nav = (await page.locator(".nav").boundingBox())!;
  const main = (await page.locator("main").boundingBox())!;
  expect(Math.round(nav.x + nav.width)).toBe(1280);
  expect(main.x + main.width).toBeLessThanOrEqual(nav.x + 1);
  expect(await page.locator("main h1").first().evaluate((title) => getComputedStyle(title).textAlign)).toBe("start");
});

test("a long name of the desk pushes the navigation down, and the account is always in sight", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${server.url}/settings/desk`);
  await page.locator('[name="title"]').first().fill("The Harbour Gazette and Evening Chronicle");
  await page.locator('[name="title"]').first().press("Enter");
  await expect(page.locator(".result")).toBeVisible();
  for (const path of ["/", "/articles", "/settings/desk"]) {
    await page.goto(server.url + path);
    const brand = (await page.locator(".nav .brand").boundingBox())!;
    const first = (await page.locator(".nav ul a").first().boundingBox())!;
    const isCut = await page.locator(".nav .brand").evaluate((title) => title.scrollHeight > title.clientHeight + 8);
    expect(isCut, path).toBe(false);
    expect(first.y, path).toBeGreaterThanOrEqual(brand.y + brand.height);
    for (const name of ['.nav [data-icon="settings"]', ".nav .nav-user"]) {
      const box = (await page.locator(name).first().boundingBox())!;
      expect(box.y + box.height, `${name} at ${path}`).toBeLessThanOrEqual(800);
    }
  }
});

test("no two entries of the navigation, and no two buttons of the tool bar, share an icon", async ({ page, server }) => {
  await logIn(page, server, "admin");
  const icons = (selector: string, pseudo?: string) =>
    page.locator(selector).evaluateAll((all, part) => all.map((one) => getComputedStyle(one, part).maskImage), pseudo);
  const nav = await icons(".nav > ul > li > .item[data-icon]", "::before");
  expect(nav.length).toBe(9);
  expect(new Set(nav).size).toBe(nav.length);
  await page.goto(`${server.url}/articles/new`);
  await page.getByRole("button", { name: "Bold" }).waitFor();
  const bar = await icons(".toolbar .icon");
  expect(bar).toHaveLength(13);
  expect(new Set(bar).size).toBe(13);
});
