import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, open, test } from "./page";

test("the display is measured, and its trace is one that the command takes", async ({ page }, info) => {
  const display = await open(page, "display");
  await display.until("refresh rate", (text) => Number.parseFloat(text) > 5);
  await page.waitForTimeout(1500);
  const download = page.waitForEvent("download");
  await display.button("Save trace").click();
  const file = info.outputPath("frame-times.csv");
  await (await download).saveAs(file);
  expect(readFileSync(file, "utf8").split("\n").length).toBeGreaterThan(30);
  const command = ["run", "hockey", "--frames", file, "--hash-at", "30"];
  expect(execFileSync("../target/debug/evenstep", command, { encoding: "utf8" })).toMatch(/^hash 30 [0-9a-f]{16}$/m);
});

test("a tab that was hidden comes back: the time away is known, and nothing jumps", async ({ page }) => {
  const display = await open(page, "display");
  await display.until("refresh rate", (text) => Number.parseFloat(text) > 5);
  // A headless browser never hides a tab: the page is told so, and gets no frames meanwhile.
  await page.evaluate(() => {
    const tell = (hidden: boolean) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    };
    tell(true);
    const until = performance.now() + 3000;
    while (performance.now() < until);
    tell(false);
  });
  await display.until("away", (text) => Number.parseFloat(text) >= 2.9 && text.includes("1 time"));
  expect(await display.number("lost while seen")).toBeLessThan(1000);
  expect(await display.number("largest jump of drawn time")).toBeLessThan(300);
});
