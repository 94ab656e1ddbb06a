import { FixedTimestep, Smoothed } from "evenstep";
import { Box, World } from "planck";
import { MARGIN, caption, dashedCircle } from "../canvas";
import { Figure } from "../figure";
import { refreshRates } from "../settings";
import { colours } from "../theme";

/** Steps a second. */
const RATE = 60;

/** What the body of 1 kg is pushed with, in newtons; for how many steps; and how long a run takes, in milliseconds. */
const [PUSH, PUSHED, RUN] = [2, 60, 2400];

/** The visible metres. */
const LENGTH = 5;

/** The ways to push: a name, a colour, whether it is done in each step, and whether the engine clears its forces after each step. */
const WAYS = [
  ["once a frame, cleared after a step", "raw", false, true],
  ["once a frame, cleared after the frame", "smooth", false, false],
  ["in each step", "smooth", true, true],
] as const;

/** A body in a world of planck, pushed in one of the ways. */
class Pushed {
  private readonly world = new World({ x: 0, y: 0 });
  private readonly body = this.world.createDynamicBody();
  private readonly timestep = new FixedTimestep(RATE);
  private readonly x = new Smoothed(0);
  private alpha = 0;
  steps = 0;
  /** The steps in which a force acted. */
  pushed = 0;

  constructor(
    private readonly inEachStep: boolean,
    private readonly cleared: boolean,
  ) {
    this.world.setAutoClearForces(cleared);
    this.body.createFixture(new Box(0.5, 0.5), { density: 1 });
    this.timestep.beginFrame(0);
  }

  /** A frame of the game. */
  frame(now: number): void {
    const frame = this.timestep.beginFrame(now);
    if (!this.inEachStep) this.push();
    for (const { dt } of frame) {
      if (this.inEachStep) this.push();
      const before = this.speed;
      this.world.step(dt);
      this.x.step(() => this.body.getPosition().x);
      this.steps++;
      if (this.speed > before) this.pushed++;
    }
    if (!this.cleared) this.world.clearForces();
    this.alpha = frame.alpha;
  }

  private push(): void {
    if (this.steps < PUSHED) this.body.applyForceToCenter({ x: PUSH, y: 0 });
  }

  /** In metres a second. */
  get speed(): number {
    return this.body.getLinearVelocity().x;
  }

  /** Where it is drawn, in metres. */
  get drawn(): number {
    return this.x.at(this.alpha);
  }

  /** The simulated seconds that are drawn. */
  get time(): number {
    return Math.max(0, this.steps - 1 + this.alpha) / RATE;
  }
}

/** The three bodies on one display. */
class Run {
  readonly bodies = WAYS.map(([, , inEachStep, cleared]) => new Pushed(inEachStep, cleared));
  private elapsed = 0;
  private frames = 0;

  /** A display with a rate in hertz; 0 is the real one. */
  constructor(private readonly display: number) {}

  advance(milliseconds: number): void {
    this.elapsed += milliseconds;
    if (this.display === 0) return this.frame(this.elapsed);
    for (let now; (now = ((this.frames + 1) * 1000) / this.display) <= this.elapsed; this.frames++) this.frame(now);
  }

  private frame(now: number): void {
    for (const body of this.bodies) body.frame(now);
  }

  get isOver(): boolean {
    return this.elapsed > RUN;
  }

  free(): void {}
}

export class Forces extends Figure<Run> {
  constructor(root: HTMLElement) {
    super(root, [refreshRates(30)]);
    for (const [name] of WAYS) this.canvas(`A body that is pushed ${name}`, 0.09, 76);
  }

  protected create(): Run {
    return new Run(this.getNumber("display"));
  }

  protected advance(delta: number): void {
    if (this.simulation.isOver) this.build();
    this.simulation.advance(delta);
  }

  protected show(): void {
    WAYS.forEach(([name, colour], way) => {
      const { speed, pushed, steps } = this.simulation.bodies[way]!;
      this.number(name, `${speed.toFixed(2)} m/s, ${pushed} of ${Math.min(steps, PUSHED)} steps`, colour);
    });
  }

  protected draw(pen: CanvasRenderingContext2D, width: number, height: number, way: number): void {
    const [name, colour] = WAYS[way]!;
    const { drawn, time } = this.simulation.bodies[way]!;
    const [floor, size] = [height - 6, 24];
    const across = (x: number) => MARGIN + size / 2 + (x / LENGTH) * (width - 2 * MARGIN - size);
    caption(pen, name, 14);
    pen.fillStyle = colours.line;
    pen.fillRect(0, floor, width, 2);
    for (let metre = 0; metre <= LENGTH; metre++) pen.fillRect(across(metre) - 0.5, floor - 5, 1, 5);
    const end = PUSHED / RATE;
    const pushedFor = Math.min(time, end);
    // As Box2D steps: by the speed at the end of a step.
    const right = (PUSH * pushedFor * (pushedFor + 1 / RATE)) / 2 + PUSH * end * (time - pushedFor);
    const middle = floor - size / 2;
    pen.fillStyle = colours[colour];
    pen.fillRect(across(drawn) - size / 2, middle - size / 2, size, size);
    dashedCircle(pen, [across(right), middle], size * 0.72, colours.truth, 1.5);
  }
}
