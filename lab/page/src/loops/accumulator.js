// Equal steps from an accumulator; the newest state is drawn.
let [x, last, accumulator] = [0, performance.now(), 0];
requestAnimationFrame(function frame() {
  const delta = performance.now() - last; // clock
  last += delta;
  accumulator += delta;
  for (; accumulator >= 20; accumulator -= 20) {
    x += 2 * 0.02; // step: always 20 ms
  }
  document.title = x.toFixed(3); // draw: the newest state
  requestAnimationFrame(frame);
});
