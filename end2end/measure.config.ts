// Measurements in the browser; the tests do not run them: `npx playwright test --config measure.config.ts`, with a release binary.
import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

export default defineConfig({
  ...tests,
  testDir: "measure",
  projects: [{ name: "measure", use: { viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "Europe/Berlin" } }],
});
