// Attention groups by cause: a receiver that answers 500 is one card, which stays until its messages arrive.
import { createServer, type Server as Receiver } from "node:http";
import type { AddressInfo } from "node:net";
import { Api, expect, logIn, start, stop, test, type Server } from "../server";

/** A receiver that answers 500 until `heal` is called, and counts the requests. */
async function receiver() {
  let [isBroken, count] = [true, 0];
  const server: Receiver = createServer((request, answer) => {
    count += 1;
    request.resume().on("end", () => answer.writeHead(isBroken ? 500 : 204).end(isBroken ? "boom: internal failure" : ""));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, count: () => count, heal: () => (isBroken = false), stop: () => server.close() };
}

async function publish(api: Api, count: number) {
  for (let number = 0; number < count; number++) await api.publishIn(await api.article(`Number ${number}`), 0.5);
}

test("a broken receiver is one card at once, and stays until its messages arrive", async ({ page, request }) => {
  const [server, hook] = [await start({ users: true, args: ["--webhook-allow-private", "--webhook-allow-http"] }), await receiver()];
  const admin = new Api(request, server, server.token("admin"));
  const creator = new Api(request, server, server.token("creator"));
  await admin.post("/channels", { name: "Website hook", url: hook.url, retry_schedule: "1h, 1h" });
  await logIn(page, server, "admin");
  await page.goto(server.url);
  await expect(page.locator(".nothing-needed")).toContainText("Nothing needs attention.");
  await expect(page.locator(".nothing-needed")).toContainText(/Checked .+: 0 scheduled\./);
  await publish(creator, 6);
  const card = page.locator(".cause");
  await expect(card.getByRole("heading")).toHaveText("Website hook answers 500 “boom: internal failure”");
  await expect(card).toHaveCount(1);
  await expect(card.locator(".facts-line")).toContainText("6 messages");
  await expect(page.locator(".nav .count")).toHaveText(["6"]);
  await card.getByText("Show 6").click();
  await expect(card.locator(".delivery-row")).toHaveCount(6);
  // The receiver still refuses: the card stays.
  const sent = hook.count();
  await card.getByRole("button", { name: "Retry now" }).click();
  await expect(page.getByRole("status").filter({ hasText: "6 items were retried." })).toBeVisible();
  await expect(card.locator(".facts-line")).toContainText(/[1-6] being retried/);
  // One attempt shows whether the receiver has recovered; it must not come after that.
  await expect.poll(hook.count).toBeGreaterThan(sent);
  hook.heal();
  await card.getByRole("button", { name: "Retry now" }).click();
  await expect(page.locator(".nothing-needed")).toContainText("1 channel delivering.");
  await expect(page.locator(".nav .count")).toHaveCount(0);
  hook.stop();
  await stop(server);
});

test("a creator's badge for what only admins can act on is grey", async ({ page, request }) => {
  const [server, hook] = [await start({ users: true, args: ["--webhook-allow-private", "--webhook-allow-http"] }), await receiver()];
  const admin = new Api(request, server, server.token("admin"));
  await admin.post("/channels", { name: "Website hook", url: hook.url, retry_schedule: "1h" });
  await publish(new Api(request, server, server.token("creator")), 3);
  await logIn(page, server, "creator");
  const count = page.locator('.nav a[href="/"].item .count');
  await expect(count).toHaveText(["3"]);
  await expect(count).toHaveClass(/watched/);
  await page.goto(server.url);
  await expect(page.locator(".cause")).toContainText("An admin can retry or dismiss them.");
  await expect(page.locator(".cause")).not.toContainText("boom");
  await expect(page.locator(".cause form")).toHaveCount(0);
  hook.stop();
  await stop(server);
});

test("the failing messages are dismissed after a confirmation, and their log is folded", async ({ page, request }) => {
  const [server, hook]: [Server, Awaited<ReturnType<typeof receiver>>] = [
    await start({ users: true, args: ["--webhook-allow-private", "--webhook-allow-http"] }),
    await receiver(),
  ];
  const admin = new Api(request, server, server.token("admin"));
  const channel = await admin.post("/channels", { name: "Website hook", url: hook.url, retry_schedule: "1h" });
  await publish(new Api(request, server, server.token("creator")), 4);
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/channels/${channel.id}`);
  await expect(page.locator(".fold-row summary").first()).toContainText("server error 500 “boom: internal failure”");
  await expect(page.locator(".keys-hint")).toHaveText("Keys: J and K or arrows: next and previous row");
  await page.getByRole("link", { name: "Settings", exact: true }).last().click();
  await expect(page).toHaveURL(/tab=settings/);
  await expect(page.locator('[name="channel[retry_schedule]"]')).toHaveValue("1h");
  await expect(page.locator(".delivery-log")).toHaveCount(0);
  await page.goto(server.url);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  await page.locator(".cause").getByText("Dismiss 4…").click();
  await page.getByRole("button", { name: "Dismiss 4" }).click();
  await expect(page.getByRole("status").filter({ hasText: "4 items were dismissed." })).toBeVisible();
  await expect(page.locator(".nothing-needed")).toContainText("Nothing needs attention.");
  await page.keyboard.press("z");
  await expect(page.locator(".result")).toContainText("Undone: 4 need attention again.");
  await expect(page.locator(".cause")).toHaveCount(1);
  // No delivery has succeeded: the channel is still failing.
  await page.goto(`${server.url}/settings/channels`);
  await expect(page.locator(".channel-list")).toContainText("Failing");
  hook.stop();
  await stop(server);
});
