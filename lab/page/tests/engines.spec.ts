import { mkdirSync } from "node:fs";
import { expect, test } from "./page";

const PICTURES = "../../target/page/pictures";

test("planck: equal steps end in one state on four displays, and the loop without evenstep does not", async ({ page }) => {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto("examples/planck.html");
  const loop = (name: string) => page.locator(`[data-loop=${name}]`);
  const hashes = async (name: string) => new Set(await loop(name).locator("code").allTextContents());
  await expect(loop("equal").locator("code")).toHaveCount(4);
  await play(page, 1000);
  await picture(page, "planck-half-way");
  await play(page, 1500);
  await expect(loop("equal").locator(".verdict")).toContainText("one result, to the last bit");
  await expect(loop("usual").locator(".verdict")).toContainText(/[234] different results/);
  const [equal, usual] = [await hashes("equal"), await hashes("usual")];
  expect(equal.size).toBe(1);
  expect(usual.size).toBeGreaterThan(1);
  for (const hash of [...equal, ...usual]) expect(hash).toMatch(/^[0-9a-f]{16}$/);
  await expect(loop("equal").locator(".title span")).toHaveText(Array(4).fill("120 steps"));
  const pictures = await loop("equal").locator("canvas").evaluateAll((all) => all.map((one) => (one as HTMLCanvasElement).toDataURL()));
  expect(new Set(pictures).size).toBe(1);
  await picture(page, "planck");
});

/** Lets time pass, in frames of 50 ms. */
async function play(page: import("@playwright/test").Page, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 50) await page.clock.fastForward(50);
}

async function picture(page: import("@playwright/test").Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

test("with reduced motion an example waits for its button, and plays again at another press", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto("examples/planck.html");
  await play(page, 500);
  await expect(page.locator("[data-loop]")).toHaveCount(0);
  const ends: string[] = [];
  for (let run = 0; run < 2; run++) {
    await page.getByRole("button", { name: "Play" }).click();
    await play(page, 2500);
    await expect(page.locator("[data-loop=equal] .verdict")).toContainText("one result");
    ends.push((await page.locator("[data-loop=equal] code").first().textContent())!);
  }
  expect(ends[0]).toBe(ends[1]);
});
