import Phaser from "phaser";
import { FixedTimestep, Smoothed } from "evenstep";

const step = (x, dt) => (x.current += 60 * dt);
let scene;

// In the page of the book:
class Game extends Phaser.Scene {
  create() {
    this.ball = this.add.circle(0, 100, 10, 0xffffff);
    this.x = new Smoothed(0);
    this.timestep = new FixedTimestep(60);
  }

  update() {
    const frame = this.timestep.beginFrame(performance.now());
    for (const { dt } of frame) {
      this.x.beginStep();
      step(this.x, dt);
    }
    this.ball.x = this.x.at(frame.alpha);
  }
}
// Until here.

class Tested extends Game {
  create() {
    super.create();
    scene = this;
  }
}
new Phaser.Game({ type: Phaser.CANVAS, width: 320, height: 200, scene: Tested, banner: false, audio: { noAudio: true } });
window.measured = () => scene?.timestep && { ticks: scene.timestep.tick, state: scene.x.current, drawn: scene.ball.x };
