import { readdirSync } from "node:fs";
import { expect, test } from "./page";

const BOOK = "../../target/page/site/book";
const pages = readdirSync(BOOK).filter((name) => name.endsWith(".html") && name !== "toc.html");

for (let part = 0; part < 4; part++) {
  // Every page also fails on a request to another host, and on an error on the console.
  test(`pages of the book open without a request to another host, part ${part + 1} of 4`, async ({ page }) => {
    expect(pages.length).toBeGreaterThan(35);
    for (const name of pages.filter((_, index) => index % 4 === part)) {
      await page.goto(`book/${name}`, { waitUntil: "networkidle" });
      await expect(page.locator("main")).toBeAttached();
    }
  });
}

test("the book is searched", async ({ page }) => {
  await page.goto("book/introduction.html");
  await page.keyboard.press("s");
  await page.locator("#mdbook-searchbar").pressSequentially("spiral");
  const results = page.locator("#mdbook-searchresults li");
  await expect(results.first()).toContainText(/spiral/i);
});
