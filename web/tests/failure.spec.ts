// Here the browser itself reports errors on the console, so these tests are not strict about them.

import { expect, test } from "@playwright/test";

test("a failed download gets a sentence that says so", async ({ page }) => {
  await page.route("**/core_bg*.wasm", (route) => route.abort());
  await page.goto("");
  await expect(page.locator("#notice")).toContainText("could not be loaded");
  await expect(page.getByRole("heading", { name: "1. The problem" })).toBeVisible();
});

test("a physics engine that cannot be loaded takes only its own figure with it", async ({ page }) => {
  await page.route("**/physics_bg*.wasm", (route) => route.abort());
  await page.goto("");
  await page.locator("figure[data-figure=blocks]").scrollIntoViewIfNeeded();
  await expect(page.locator("#notice")).toContainText("Falling blocks");
  await expect(page.locator("figure[data-figure=spring] canvas").first()).toBeVisible();
});
