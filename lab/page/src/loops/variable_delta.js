// A step as long as the frame.
let [x, last] = [0, performance.now()];
requestAnimationFrame(function frame() {
  const delta = performance.now() - last; // clock
  last += delta;
  x += 2 * (delta / 1000); // step: as long as the frame
  document.title = x.toFixed(3); // draw
  requestAnimationFrame(frame);
});
