import { expect, test } from "./page";

test("planck: a push by the frame depends on the display, and one in each step does not", async ({ page }) => {
  await page.goto("examples/planck.html");
  const rows = await page.locator("#forces tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].slice(1).map((cell) => Number(cell.textContent))));
  const [byFrame, held, inSteps] = rows as [number[], number[], number[]];
  // 30 Hz: one of two steps. Without a step in a frame, pushes add up.
  expect(byFrame[0]).toBeCloseTo(1, 1);
  expect(byFrame[1]).toBeCloseTo(2, 1);
  expect(byFrame[2]).toBeGreaterThan(4);
  for (const speed of [...held, ...inSteps]) expect(speed).toBeCloseTo(2, 1);
});
