import { defineConfig } from "@playwright/test";

// Uses Debian's Chromium; nothing is downloaded. The flags prevent connections to any server but the one under test.
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
  // Files in parallel, the tests of a file one after the other.
  workers: 2,
  // A test that passes only when it is run once more is reported as unsteady.
  retries: 1,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: { launchOptions, screenshot: "only-on-failure", trace: "off" },
  projects: [
    // Everything except live updates works without JavaScript.
    {
      name: "no-js",
      testMatch: "no-js/*.spec.ts",
      use: { javaScriptEnabled: false, viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "Europe/Berlin" },
    },
    {
      name: "js",
      testMatch: "js/**/*.spec.ts",
      use: { viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "Europe/Berlin", colorScheme: "light" },
    },
    {
      name: "mobile",
      testMatch: "mobile/*.spec.ts",
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: "zh-CN", timezoneId: "Asia/Shanghai", colorScheme: "dark" },
    },
    {
      name: "a11y",
      testMatch: "a11y/*.spec.ts",
      use: { viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "Europe/Berlin" },
    },
  ],
});
