// Passkeys, with the virtual authenticator of Chromium. They need a name: the desk is opened as localhost.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, users, test, type Server } from "../../server";

const local = (server: Server) => server.url.replace("127.0.0.1", "localhost");

/** Adds a device that checks its user to the browser. */
async function addDevice(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function logInWithPassword(page: Page, url: string) {
  await page.goto(`${url}/login`);
  await page.locator('input[name="email"]').fill(users.creator.email);
  await page.locator('input[name="password"]').fill(users.creator.password);
  await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  await expect(page).toHaveURL(`${url}/`);
}

async function expectAccessible(page: Page, part: string) {
  const found = await new AxeBuilder({ page }).setLegacyMode(true).include(part).analyze();
  expect(found.violations).toEqual([]);
}

test("a passkey is added, logs in and is removed", async ({ page, server, context }) => {
  const url = local(server);
  await page.setViewportSize({ width: 390, height: 844 });
  await logInWithPassword(page, url);
  await addDevice(page);
  await page.goto(`${url}/settings/profile`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "");
  const panel = page.locator("#passkeys");
  await panel.locator('[name="new[name]"]').fill("Phone");
  await expectAccessible(page, "#passkeys");
  await panel.getByRole("button", { name: "Add a passkey" }).click();
  await expect(panel.getByText("Phone")).toBeVisible();
  await expect(panel.getByText("Never used")).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(overflow, "nothing is wider than the page").toBe(false);

  await context.clearCookies();
  await page.goto(`${url}/login?next=/articles`);
  // Chromium may answer the offer in the field of the address by itself; then the button is gone.
  await page.getByRole("button", { name: "Log in with a passkey" }).click({ timeout: 5_000 }).catch(() => {});
  await expect(page).toHaveURL(`${url}/articles`);

  await page.goto(`${url}/settings/profile`);
  await expect(panel.getByText("Last used")).toBeVisible();
  await panel.getByRole("button", { name: "Remove the passkey “Phone”" }).click();
  await expect(page.getByText("The passkey is removed")).toBeVisible();
  await expect(panel.getByText("You have no passkey yet.")).toBeVisible();
});

test("a request that is cancelled is reported, and the password logs in", async ({ page, server }) => {
  const url = local(server);
  await page.addInitScript(() => {
    navigator.credentials.get = () => Promise.reject(new DOMException("cancelled", "NotAllowedError"));
  });
  await page.goto(`${url}/login`);
  await expectAccessible(page, "main");
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await expect(page.getByText("The passkey was not used")).toBeVisible();
  await logInWithPassword(page, url);
});

test("an IP address has no passkeys and leads to localhost", async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  await expect(page.getByRole("link", { name: "Open this desk as localhost" })).toHaveAttribute("href", `${local(server)}/login`);
});
