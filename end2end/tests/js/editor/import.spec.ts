// An export of WordPress is checked, imported and undone on the page of the settings.
import { expect, logIn, test } from "../../server";

const item = (id: number, title: string) =>
  `<item><title>${title}</title><wp:post_id>${id}</wp:post_id><wp:post_type>post</wp:post_type><wp:status>draft</wp:status>` +
  `<content:encoded><![CDATA[Some text]]></content:encoded></item>`;

const EXPORT =
  `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version>` +
  `<wp:base_blog_url>https://old.invalid</wp:base_blog_url>${item(1, "From the old site")}${item(2, "Another one")}</channel></rss>`;

test("an export is checked, imported and undone", async ({ page, server }) => {
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/settings/import`);
  await page.locator("#import-file").setInputFiles({ name: "old.xml", mimeType: "text/xml", buffer: Buffer.from(EXPORT) });
  await page.getByRole("button", { name: "Check first" }).click();
  const panel = page.locator(".import-panel").first();
  await expect(panel).toContainText("Nothing was changed yet.");
  await panel.getByRole("button", { name: "Import now" }).click();
  await expect(panel).toContainText("The import has ended:");
  await panel.getByText("Undo the import", { exact: true }).click();
  await panel.getByRole("button", { name: "Yes, undo the import" }).click();
  await expect(panel).toContainText("Moved to the trash: 2.");
});
