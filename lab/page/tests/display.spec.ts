import { readFileSync } from "node:fs";
import { expect, open, test } from "./page";

test("the display is measured, and its frame times are saved", async ({ page }, info) => {
  const display = await open(page, "display");
  await display.play(3000);
  expect(await display.text("refresh rate")).toBe("62.5 Hz");
  const download = page.waitForEvent("download");
  await display.button("Save trace").click();
  const file = info.outputPath("frame-times.csv");
  await (await download).saveAs(file);
  expect(readFileSync(file, "utf8").split("\n").length).toBeGreaterThan(30);
});

test("a tab that was hidden comes back: the time away is known, and nothing jumps", async ({ page }) => {
  const display = await open(page, "display");
  await display.play(1000);
  // A headless browser never hides a tab: the page gets the event and no frames meanwhile.
  const tell = (hidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await tell(true);
  await page.clock.fastForward(3000);
  await tell(false);
  await display.play(1000);
  expect(await display.text("away")).toBe("3.0 s in 1 time");
  expect(await display.number("lost while visible")).toBe(0);
  expect(await display.number("largest jump of drawn time")).toBeLessThan(17);
});

test("time that the display clock has filtered is drawn evenly, and none is lost", async ({ page }) => {
  const display = await open(page, "display", "display.filter=clock");
  await display.play(5000);
  expect(await display.text("refresh rate")).toBe("62.5 Hz");
  expect(await display.number("animation error")).toBeLessThan(0.5);
  expect(await display.number("lost while visible")).toBe(0);
});

/** A recording of frames at 55 Hz on a display at 60 Hz. */
function beating(frames: number): Buffer {
  const rows = ["Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents,MsUntilDisplayed"];
  for (let frame = 0; frame < frames; frame++) {
    const [at, refresh] = [(frame * 1000) / 55, 1000 / 60];
    const until = Math.ceil(at / refresh + 1e-6) * refresh - at;
    rows.push(`game.exe,7,0x1,${(at / 1000).toFixed(6)},${(1000 / 55).toFixed(4)},${until.toFixed(4)}`);
  }
  return Buffer.from(rows.join("\n"));
}

test("a recording is measured in the browser, and its stutter named", async ({ page }) => {
  const display = await open(page, "display");
  const analysis = display.root.locator(".analysis");
  const choose = (name: string, buffer: Buffer) =>
    display.root.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer });
  await choose("game.csv", beating(2000));
  await expect(analysis).toContainText("uneven display intervals: frames at 55.00 Hz on a display at 60.00 Hz: 5.00 uneven frames a second");
  await expect(analysis).toContainText("2000 frames in 36.4 s");
  await expect(analysis).toContainText("interpolate, filter");
  await expect(analysis).toContainText("FixedTimestep::new(Rate::hz(60))");
  await choose("diary.txt", Buffer.from("Dear diary"));
  await expect(analysis).toContainText("is no frame-time trace");
});

test("a dropped recording is measured while the page goes on, and can be cancelled", async ({ page }) => {
  const display = await open(page, "display");
  const drop = (megabytes: number) =>
    display.root.evaluate((figure, megabytes) => {
      const row = "game.exe,7,0x1,1.5,16.6667,20.5\n";
      const header = "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents,MsUntilDisplayed\n";
      const block = new Blob([row.repeat(Math.floor(1e6 / row.length))]);
      const data = new DataTransfer();
      data.items.add(new File([header, ...new Array<Blob>(megabytes).fill(block)], "large.csv"));
      figure.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, megabytes);
  // The worker gets its module only after the click.
  let deliver!: () => void;
  const clicked = new Promise<void>((resolve) => (deliver = resolve));
  let asked = 0;
  await page.route("**/analysis_bg*.wasm", async (route) => {
    asked++;
    await clicked;
    await route.continue();
  });
  await drop(3);
  await expect.poll(() => asked).toBe(1);
  await display.until("frames", (text) => Number(text) > 0);
  const before = await display.number("frames");
  await display.until("frames", (text) => Number(text) > before + 5);
  await display.button("Cancel").click();
  await expect(display.root.locator(".analysis")).toContainText("was not measured");
  deliver();
  await drop(3);
  await expect(display.root.locator(".analysis")).toContainText("frame time 16.67 ms");
});

test("the display is measured, and settings are recommended for it", async ({ page }) => {
  const display = await open(page, "display");
  await display.until("frames", (text) => Number(text) > 60);
  await display.button("Measure this display").click();
  const analysis = display.root.locator(".analysis");
  await expect(analysis).toContainText("Recommended: interpolate");
});
