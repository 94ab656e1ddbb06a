import { type Figure, expect, open, test } from "./page";

test("with prediction your puck reacts at once, and without it half a round trip later", async ({ page }) => {
  const peers = await open(page, "peers", "peers.delay=200&peers.loss=0");
  await peers.until("rollbacks a second", (text) => Number(text) > 0);
  expect(await peers.number("your puck answers after")).toBe(0);
  await peers.until("longest rollback", (text) => Number.parseFloat(text) > 4);
  await peers.root.getByLabel("The other's keys").selectOption("off");
  await peers.until("your puck answers after", (text) => Number.parseFloat(text) >= 100);
  await peers.play(1500);
  expect(await peers.number("your puck answers after")).toBeLessThan(140);
  expect(await peers.number("ticks ahead of the other's keys")).toBe(0);
  expect(await peers.text("longest rollback")).toBe("0 ticks");
  expect(new URL(page.url()).searchParams.get("peers.predict")).toBe("off");
});

test("both machines agree however much is lost and however late it is", async ({ page }) => {
  for (const query of ["peers.loss=40&peers.delay=400", "peers.loss=10&peers.delay=100&peers.predict=off"]) {
    const peers = await open(page, "peers", query);
    await peers.until("both machines agree", (text) => text === "no" || Number.parseFloat(text.replace(/\D*/, "")) > 200);
    expect(await peers.text("both machines agree")).toMatch(/^up to tick \d+$/);
  }
});

test("a machine waits if prediction cannot bridge the delay", async ({ page }) => {
  const peers = await open(page, "peers", "peers.delay=600&peers.loss=0");
  await peers.until("stood still for", (text) => Number.parseFloat(text) > 0.5);
});

test("arrow keys and a finger bring your puck into a corner, on both machines", async ({ page }) => {
  const peers = await open(page, "peers", "peers.loss=0&peers.delay=50");
  const board = peers.root.getByRole("application");
  await board.focus();
  for (const key of ["ArrowLeft", "ArrowDown"]) await page.keyboard.down(key);
  await untilAt(peers, 0, 1);
  for (const key of ["ArrowLeft", "ArrowDown"]) await page.keyboard.up(key);
  const box = (await board.boundingBox())!;
  await page.mouse.move(box.x + box.width - 3, box.y + 3);
  await page.mouse.down();
  await untilAt(peers, 1, 0);
  await page.mouse.up();
});

/** Lets time pass until your puck is in a corner in both pictures: 0 or 1 from the left, and from above. */
async function untilAt(peers: Figure, x: number, y: number): Promise<void> {
  const isThere = () =>
    peers.root.locator("canvas").evaluateAll((boards, [x, y]) => {
      const isBlue = (board: HTMLCanvasElement) => {
        const { width, height } = board;
        // The middle of a puck, of 0.25 m on 4 m, that touches both walls.
        const radius = (0.25 / 4) * width;
        const at = (side: number, size: number) => Math.round(radius + side * (size - 2 * radius));
        const [red, , blue] = board.getContext("2d")!.getImageData(at(x!, width), at(y!, height), 1, 1).data;
        return blue! > 150 && red! < 100;
      };
      return boards.every((board) => isBlue(board as HTMLCanvasElement));
    }, [x, y]);
  for (let frame = 0; frame < 600 && !(await isThere()); frame++) await peers.page.clock.fastForward(50);
  expect(await isThere()).toBe(true);
}
