// Third-party games and demos, by package.

const CLOCK = "data-clock";

/** A program of planck's folder of examples, for its own testbed. */
const planck = (program) => ({ name: `planck ${program}`, program, options: CLOCK });

/** A page from a package. */
const page = (path, options) => ({ name: path.replace(/\.html$|\/index\.html$/, "").replace(/\/(demos|examples|docs)\b/g, ""), path, options });

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
  page("p2/demos/car.html", CLOCK),
  page("p2/demos/buoyancy.html", CLOCK),
  page("p2/demos/segway.html", CLOCK),
  page("p2/demos/ragdoll.html", CLOCK),
  page("p2/demos/tearable.html", CLOCK),
  page("cannon/demos/raycastVehicle.html", CLOCK),
  planck("Breakout"),
  planck("Asteroid"),
  planck("Pinball"),
];
