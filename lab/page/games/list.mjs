// Third-party games and demos, by package.

/** A program of planck's folder of examples, with its own testbed. */
const planck = (name, extra = {}) => ({
  name: `planck ${name}`,
  main: `import "../../node_modules/planck/example/${name}.ts";`,
  alias: { planck: "planck/dist/planck-with-testbed.mjs" },
  body: `<canvas id="stage" style="position: fixed; inset: 0; width: 100%; height: 100%"></canvas>`,
  ...extra,
});

/** A page from a package. */
const page = (path, extra = {}) => ({ name: path.replace(/\.html$|\/index\.html$/, "").replace(/\/(demos|examples|docs)\b/g, ""), path, ...extra });

const CLOCK = "data-clock";

export const games = [
  page("paper/examples/Games/Paperoids.html"),
  page("paper/examples/Animated/Space.html"),
  page("paper/examples/Animated/Lines.html"),
  page("paper/examples/Animated/AnimatedStar.html"),
  page("paper/examples/Animated/CandyCrash.html"),
  page("paper/examples/Paperjs.org/BouncingBalls.html"),
  page("paper/examples/Paperjs.org/Tadpoles.html"),
  page("particles.js/demo/index.html"),
  page("canvas-nest.js/index.html"),
  page("sketch-js/examples/particles.html"),
  page("starback/docs/examples/snowfall/index.html"),
  page("starback/docs/examples/starfall/index.html"),
  page("p2/demos/car.html", { options: CLOCK }),
  page("p2/demos/buoyancy.html", { options: CLOCK }),
  page("p2/demos/segway.html", { options: CLOCK }),
  page("p2/demos/ragdoll.html", { options: CLOCK }),
  page("p2/demos/tearable.html", { options: CLOCK }),
  page("cannon/demos/raycastVehicle.html", { options: CLOCK }),
  planck("Breakout", { options: CLOCK }),
  planck("Asteroid", { options: CLOCK }),
  planck("Pinball", { options: CLOCK }),
  {
    name: "react-chrome-dino",
    main: `import React from "react"; import ReactDOM from "react-dom"; import Dino from "react-chrome-dino"; ReactDOM.render(React.createElement(Dino.default ?? Dino), document.getElementById("root"));`,
    body: `<div id="root"></div>`,
    options: CLOCK,
    keys: [[10, "keydown", 32, "Space"], [14, "keyup", 32, "Space"]],
  },
];
