// A fixed delta in each frame.
let x = 0; // m
requestAnimationFrame(function frame() {
  x += 2 * 0.02; // step: 20 ms, however long the frame was
  document.title = x.toFixed(3); // draw
  requestAnimationFrame(frame);
});
