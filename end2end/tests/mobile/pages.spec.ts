// 390 px, dark, Chinese: no page is wider than the screen, and the main task works by touch.
import { MeetingApi } from "../meetings";
import { expect, logIn, test } from "../server";

test("no page scrolls sideways", async ({ page, server, api, request }) => {
  const article = await api.article("一篇很长的标题，用来看看窄屏上会不会溢出", "正文\n\n| 甲 | 乙 |\n|---|---|\n| 一 | 二 |");
  const task = await api.publishIn(article, 3600);
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/profile`);
  await page.locator("#language").selectOption("zh");
  await page.locator('form[action="/fn/change_profile"] button').click();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh");
  const paths = ["/", "/articles", "/articles/new", "/articles/import", `/articles/${article.id}`, `/articles/${article.id}/revisions`, "/tasks"];
  paths.push(`/tasks/${task.id}`, "/activity", "/engine", "/settings/profile", "/settings/notifications", "/settings/desk", "/settings/people", "/settings/sign-in", "/settings/channels", "/settings/channels?add=mail", "/settings/channels?add=sms", "/settings/channels?add=amqp", "/settings/channels?add=wordpress", "/settings/channels?add=ghost", "/settings/queue", "/settings/tokens", "/help", "/help/calendar", "/site");
  const room = await MeetingApi.of(request, server, "admin").room("很长的会议室名称，三楼东侧靠窗");
  const meeting = await MeetingApi.of(request, server, "creator").meeting("一次名称很长的会议，看看窄屏上会不会溢出", room, "10:00", "11:00");
  paths.push("/meetings", "/meetings/new", `/meetings/${meeting.id}`, "/rooms", `/rooms/${room.id}`, "/settings/rooms");
  for (const path of paths) {
    await page.goto(server.url + path);
    await expect(page.locator("h1").first()).toBeVisible();
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(wider, path).toBeLessThanOrEqual(0);
  }
});

test("no article of the site is wider than the window", async ({ page, server, api }) => {
  const cells = (text: string) => `|${` ${text} |`.repeat(12)}`;
  const bodies = [
    "```\n" + "a line of code that goes on ".repeat(40) + "\n```",
    `${cells("column")}\n|${"---|".repeat(12)}\n${cells("1234567890")}`,
    "w".repeat(400),
    `https://a.example/${"path/".repeat(80)}`,
    "> - 1. > - `" + "code ".repeat(80) + "`",
    `![](https://a.example/${"wide".repeat(50)}.png) ` + "很长的中文".repeat(100),
    "<pre>" + "raw ".repeat(300) + "</pre>",
  ];
  const articles = [];
  for (const [place, body] of bodies.entries()) {
    const article = await api.article(`Wide ${place} ${"t".repeat(80)}`, body);
    await api.publishIn(article, 1);
    articles.push(article);
  }
  for (const article of articles) {
    await expect.poll(async () => (await fetch(`${server.url}/site/${article.slug}`)).status).toBe(200);
  }
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of ["/site", ...articles.map((article) => `/site/${article.slug}`)]) {
      await page.goto(server.url + path);
      const [inner, scroll] = await page.evaluate(() => [window.innerWidth, document.documentElement.scrollWidth]);
      expect.soft([scroll, inner], `${path} at ${width}`).toEqual([width, width]);
    }
  }
  await page.setViewportSize({ width: 320, height: 844 });
  await page.goto(`${server.url}/site/${articles[1].slug}`);
  const table = page.locator(".table-scroll");
  await table.focus();
  expect(await table.evaluate((box) => box.scrollWidth > box.clientWidth && document.activeElement === box)).toBe(true);
  expect(await page.locator("td").first().evaluate((cell) => cell.getBoundingClientRect().height < 60)).toBe(true);
});

test("an article is written, scheduled and rescheduled by touch", async ({ page, server }) => {
  await logIn(page, server, "creator");
  await page.goto(`${server.url}/settings/profile`);
  await page.locator("#language").selectOption("zh");
  await page.locator('form[action="/fn/change_profile"] button').tap();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh");
  await page.goto(`${server.url}/articles/new`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator("#title").fill("早上的河");
  await page.locator("#body").fill("船在黎明时**出发**。");
  await expect(page.locator(".save-state")).toHaveText(/^已于 .* 保存$/);
  await page.getByRole("button", { name: "预览" }).tap();
  await expect(page.locator(".editor-preview strong")).toHaveText("出发");
  await page.getByRole("button", { name: /^安排在/ }).tap();
  const waiting = page.locator(".scheduled-card");
  await expect(waiting).toContainText("将发布");
  await waiting.locator("summary").tap();
  await page.locator("#move-when").fill("11:30");
  await waiting.getByRole("button", { name: /^改到/ }).tap();
  await expect(waiting.locator(".time-preview").first()).toContainText("11:30");
});

test("one tap in the bar of the editor shows the schedule, and a tap beside a menu closes it", async ({ page, server, api }) => {
  await logIn(page, server, "creator");
  const article = await api.article("One tap", "A line.\n\n".repeat(20));
  await page.goto(`${server.url}/articles/${article.id}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator(".to-schedule").tap();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
  await page.goto(`${server.url}/articles`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const more = page.locator("details.more");
  await more.locator("summary").tap();
  await expect(more).toHaveAttribute("open", "");
  await page.touchscreen.tap(20, 100);
  await expect(more).not.toHaveAttribute("open", "");
});
