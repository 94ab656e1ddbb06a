// Steps with a limit, and a shorter one for the rest of the frame.
let [x, last] = [0, performance.now()];
requestAnimationFrame(function frame() {
  let delta = performance.now() - last; // clock
  last += delta;
  while (delta > 0) {
    const dt = Math.min(delta, 20);
    x += 2 * (dt / 1000); // step: 20 ms, or the rest
    delta -= dt;
  }
  document.title = x.toFixed(3); // draw
  requestAnimationFrame(frame);
});
