// Here the browser itself reports errors on the console, so these tests are not strict about them.

import { expect, test } from "@playwright/test";
import { Figure, open } from "./page";

for (const [module, figure, other] of [["core", "loops", "blocks"], ["physics", "blocks", "loops"], ["peers", "peers", "loops"]] as const) {
  test(`where the module ${module} cannot be loaded, its figures say so, and the others run`, async ({ page }) => {
    await page.route(`**/${module}_bg*.wasm`, (route) => route.abort());
    await page.goto("");
    const failed = page.locator(`figure[data-figure=${figure}]`);
    await failed.scrollIntoViewIfNeeded();
    await expect(failed.getByRole("alert")).toContainText("This figure could not be loaded");
    await new Figure(page, other).show();
  });
}

test("in a browser without WebAssembly the figures say so", async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "WebAssembly"));
  await page.goto("");
  await expect(page.locator("figure[data-figure=loops]").getByRole("alert")).toHaveText(/because this browser runs no WebAssembly\.$/);
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
  await accumulator.until("steps so far", (text) => Number(text) > 0);
  const steps = await accumulator.number("steps so far");
  await accumulator.until("steps so far", (text) => Number(text) > steps + 3);
  await canvas.evaluate((canvas: HTMLCanvasElement) => Reflect.deleteProperty(canvas.getContext("2d")!, "fillRect"));
  await loops.show();
  await loops.button("Restart").click();
  await loops.until("frames of this display", (text) => Number(text) > 20);
  await expect(loops.root.locator(".trouble")).toBeEmpty();
});
