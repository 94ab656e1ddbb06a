import { FixedTimestep } from "evenstep";
import { Poses2 } from "evenstep/poses";
import { TOWER, bullet } from "../../../../bindings/js/tests/adapters/bullet.mjs";
import { Figure, element } from "../figure";
import { colours } from "../theme";

type Cubes = number[][];

/** A world of Bullet. */
interface World {
  step(dt: number): void;
  cubes(): Cubes;
  free(): void;
}

/** Steps a second; the steps until the copies are made, and until a run ends; and how long the end is shown, in milliseconds. */
const [RATE, COPIED, END, SHOWN] = [60, 60, 120, 1500];

/** The visible metres: from the left, and from the floor. */
const [LEFT, WIDTH, HEIGHT] = [-1.5, 8, 9];

/** What is kept of each cube: a name, a colour, and the state of which a copy is made. */
const COPIES: [name: string, colour: "raw" | "smooth", keep: (cubes: Cubes) => Cubes][] = [
  ["position and rotation", "raw", (cubes) => cubes.map((cube) => [...cube.slice(0, 7), 0, 0, 0, 0, 0, 0])],
  ["position, rotation and velocities", "smooth", (cubes) => cubes],
];

/** A tower in a world of Bullet, and where its cubes are drawn, seen from the side. */
class Tower {
  readonly poses = new Poses2();

  constructor(readonly world: World) {
    for (const cube of world.cubes()) this.poses.add(...place(cube));
  }

  step(dt: number): void {
    this.world.step(dt);
    this.world.cubes().forEach((cube, row) => this.poses.set(row, ...place(cube)));
    this.poses.commit();
  }
}

function place(cube: number[]): [x: number, y: number, angle: number] {
  const [x, y, , , , z, w] = cube as [number, number, number, number, number, number, number];
  return [x, y, 2 * Math.atan2(z, w)];
}

/** A tower that falls, and half-way a copy of it for each state that is kept. Without an engine nothing falls. */
class Fall {
  private readonly timestep = new FixedTimestep(RATE);
  private elapsed = 0;
  /** The first, then its copies. */
  private readonly towers: Tower[] = [];
  private alpha = 1;
  steps = 0;

  constructor(private readonly engine?: (cubes: Cubes) => World) {
    if (engine) this.towers.push(new Tower(engine(TOWER)));
    this.timestep.beginFrame(0);
  }

  advance(milliseconds: number): void {
    this.elapsed += milliseconds;
    const frame = this.timestep.beginFrame(this.elapsed);
    for (const { dt } of frame) {
      if (this.steps === END) break;
      for (const tower of this.towers) tower.step(dt);
      if (++this.steps === COPIED) this.copy();
    }
    this.alpha = this.steps === END ? 1 : frame.alpha;
  }

  private copy(): void {
    const cubes = this.towers[0]!.world.cubes();
    for (const [, , keep] of COPIES) this.towers.push(new Tower(this.engine!(keep(cubes))));
  }

  /** Where the cubes of a tower are drawn: x, y, cosine and sine of each. Undefined if there is no such tower yet. */
  drawn(tower: number): Float32Array | undefined {
    return this.towers[tower]?.poses.draw(this.alpha);
  }

  /** How far the farthest cube of a tower is from that of the first, in metres. */
  apart(tower: number): number | undefined {
    const [first, cubes] = [this.towers[0], this.towers[tower]].map((tower) => tower?.world.cubes());
    return cubes && Math.max(...cubes.map((cube, row) => Math.hypot(...[0, 1, 2].map((axis) => cube[axis]! - first![row]![axis]!))));
  }

  get isOver(): boolean {
    return this.elapsed > (END / RATE) * 1000 + SHOWN;
  }

  free(): void {
    for (const { world } of this.towers) world.free();
  }
}

/** Loads Bullet. */
async function load(): Promise<(cubes: Cubes) => World> {
  const [{ default: Ammo }, { default: module }] = await Promise.all([import("ammojs-typed/wasm"), import("ammojs-typed/ammo.wasm.wasm?url")]);
  // It leaves its name in `this`.
  return bullet(await Ammo.call({}, { locateFile: () => module }));
}

export class State extends Figure<Fall> {
  private engine: ((cubes: Cubes) => World) | undefined;
  private loading: Promise<void> | undefined;
  private readonly message = element("p", "message", "Play loads Bullet: 0.3 MB.");

  constructor(root: HTMLElement) {
    super(root, []);
    this.columns(COPIES.map(([name]) => `kept: ${name}`)).forEach((parent, copy) => {
      this.canvas(`A falling tower, and a copy of which was kept: ${COPIES[copy]![0]}`, HEIGHT / WIDTH, 240, parent);
    });
    this.message.setAttribute("role", "status");
    this.stage.append(this.message);
    super.setPlaying(false);
  }

  protected override setPlaying(playing: boolean): void {
    if (this.engine || !playing) return super.setPlaying(playing);
    this.message.textContent = "Bullet is loading.";
    this.loading ??= load().then(
      (engine) => {
        this.engine = engine;
        this.message.textContent = "";
        this.build();
        super.setPlaying(true);
      },
      (error) => {
        this.loading = undefined;
        this.message.textContent = "";
        this.fail(error);
      },
    );
  }

  protected create(): Fall {
    return new Fall(this.engine);
  }

  protected advance(delta: number): void {
    if (this.simulation.isOver) this.build();
    this.simulation.advance(delta);
  }

  protected show(): void {
    this.number("steps", String(this.simulation.steps), "step");
    COPIES.forEach(([name, colour], copy) => {
      const apart = this.simulation.apart(copy + 1);
      this.number(`${name}: farthest cube apart`, apart === undefined ? "–" : `${apart.toFixed(3)} m`, colour);
    });
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number, copy: number): void {
    const scale = Math.min(width / WIDTH, height / HEIGHT);
    const floor = height - 0.4 * scale;
    const first = this.simulation.drawn(0) ?? TOWER.flatMap((cube) => [cube[0]!, cube[1]!, 1, 0]);
    pen.fillStyle = colours.line;
    pen.fillRect(0, floor, width, height - floor);
    const cubes = (numbers: ArrayLike<number>, paint: () => void) => {
      for (let at = 0; at < numbers.length; at += 4) {
        const [x, y, cosine, sine] = [0, 1, 2, 3].map((part) => numbers[at + part]!) as [number, number, number, number];
        pen.save();
        pen.transform(cosine, -sine, sine, cosine, (x - LEFT) * scale, floor - y * scale);
        paint();
        pen.restore();
      }
    };
    const half = scale / 2 - 0.75;
    pen.lineWidth = 1.5;
    cubes(first, () => {
      pen.fillStyle = colours.line;
      pen.strokeStyle = colours.truth;
      pen.fillRect(-half, -half, 2 * half, 2 * half);
      pen.strokeRect(-half, -half, 2 * half, 2 * half);
    });
    pen.strokeStyle = colours[COPIES[copy]![1]];
    pen.lineWidth = 3;
    cubes(this.simulation.drawn(copy + 1) ?? [], () => pen.strokeRect(-half, -half, 2 * half, 2 * half));
  }
}
