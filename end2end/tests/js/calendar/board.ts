// What the tests of the calendar share: opening it, its items and days, and drags.
import { type Locator, type Page } from "@playwright/test";
import { Api, expect, type Server } from "../../server";

export async function open(page: Page, server: Server, query: string) {
  await page.goto(`${server.url}/calendar?zone=UTC&${query}`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  // The part of the page is hydrated.
  await expect(page.locator(".calendar-main")).toBeVisible();
}

export const publishAt = async (api: Api, title: string, local: string) => {
  const article = await api.article(title);
  return api.post("/tasks", { kind: "article.publish", target_id: article.id, local, zone: "UTC" });
};
export const dueAt = async (api: Api, task: { id: string }) => (await api.get(`/tasks/${task.id}`)).due_at as string;
export const item = (page: Page, title: string) => page.locator(".calendar-item", { hasText: title });
export const day = (page: Page, date: string) => page.locator(`[data-date="${date}"]`);
export const nextDay = (date: string, days = 1) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** A Wednesday at least `days` ahead, so that the days around it are in one week. */
export function wednesday(days: number) {
  const first = Date.now() + days * 86_400_000;
  const shift = (3 - new Date(first).getUTCDay() + 7) % 7;
  return new Date(first + shift * 86_400_000).toISOString().slice(0, 10);
}

export async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
}

/** Where an element is. A change may be replacing it at this moment. */
export async function boxOf(page: Page, selector: string, nth = 0) {
  let box: Awaited<ReturnType<Locator["boundingBox"]>> = null;
  await expect(async () => {
    box = await page.locator(selector).nth(nth).boundingBox();
    expect(box).not.toBeNull();
  }).toPass();
  return box!;
}

export async function centre(page: Page, selector: string, nth = 0) {
  const box = await boxOf(page, selector, nth);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A meeting without a room. */
export const talk = (title: string, date: string, from: string, to: string) => ({ title, local_start: `${date}T${from}`, local_end: `${date}T${to}`, zone: "UTC" });

/** A point in an hour of the time grid: quarters from its top. */
export async function hourAt(page: Page, date: string, time: string, quarter = 0) {
  const box = await boxOf(page, `[data-hour="${date}T${time}"]`);
  return { x: box.x + box.width / 2, y: box.y + (box.height / 4) * (quarter + 0.5) };
}
