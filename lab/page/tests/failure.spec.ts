// Here the browser itself reports errors on the console, so these tests are not strict about them.

import { expect, test } from "@playwright/test";
import { Figure, open } from "./page";

test("a failed download gets a sentence that says so", async ({ page }) => {
  await page.route("**/core_bg*.wasm", (route) => route.abort());
  await page.goto("");
  await expect(page.locator("#notice")).toContainText("could not be loaded");
  await expect(page.getByRole("heading", { name: "1. Five loops" })).toBeVisible();
});

test("a physics engine that cannot be loaded takes only its own figure with it", async ({ page }) => {
  await page.route("**/physics_bg*.wasm", (route) => route.abort());
  await page.goto("");
  await page.locator("figure[data-figure=blocks]").scrollIntoViewIfNeeded();
  await expect(page.locator("#notice")).toContainText("Falling blocks");
  await expect(page.locator("figure[data-figure=loops] canvas").first()).toBeVisible();
});

test("two machines that cannot be loaded take only their own figure with them", async ({ page }) => {
  await page.route("**/peers_bg*.wasm", (route) => route.abort());
  await page.goto("");
  await page.locator("figure[data-figure=peers]").scrollIntoViewIfNeeded();
  await expect(page.locator("#notice")).toContainText("Two machines");
  await expect(page.locator("figure[data-figure=seen] canvas").first()).toBeVisible();
});

test("a figure that fails stops alone, says why, and plays again when it is restarted", async ({ page }) => {
  const loops = await open(page, "loops");
  await loops.until("frames of this display", (text) => Number(text) > 20);
  const canvas = loops.root.locator("canvas").first();
  await canvas.evaluate((canvas: HTMLCanvasElement) => {
    canvas.getContext("2d")!.fillRect = () => {
      throw new Error("out of ink");
    };
  });
  await loops.play(100);
  await expect(loops.root.locator(".trouble")).toContainText("out of ink");
  await expect(loops.button("Play")).toBeVisible();
  const accumulator = new Figure(page, "accumulator");
  await accumulator.show();
  const steps = await accumulator.number("steps so far");
  await accumulator.until("steps so far", (text) => Number(text) > steps + 3);
  await canvas.evaluate((canvas: HTMLCanvasElement) => Reflect.deleteProperty(canvas.getContext("2d")!, "fillRect"));
  await loops.show();
  await loops.button("Restart").click();
  await loops.until("frames of this display", (text) => Number(text) > 20);
  await expect(loops.root.locator(".trouble")).toBeEmpty();
});
