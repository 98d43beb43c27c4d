import { defineConfig } from "@playwright/test";

// Debian's Chromium; nothing is downloaded. The switches keep it from talking to anybody but the desk.
const launchOptions = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: { launchOptions, screenshot: "only-on-failure", trace: "off" },
  projects: [
    // Everything but live updates works with scripts off.
    {
      name: "paper",
      testMatch: "paper/*.spec.ts",
      use: { javaScriptEnabled: false, viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "Europe/Berlin" },
    },
    {
      name: "live",
      testMatch: "live/*.spec.ts",
      use: { viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "Europe/Berlin", colorScheme: "light" },
    },
    {
      name: "phone",
      testMatch: "phone/*.spec.ts",
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: "zh-CN", timezoneId: "Asia/Shanghai", colorScheme: "dark" },
    },
    {
      name: "access",
      testMatch: "access/*.spec.ts",
      use: { viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "Europe/Berlin" },
    },
  ],
});
