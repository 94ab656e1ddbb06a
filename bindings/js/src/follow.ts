// evenstep/follow: the clocks that follow a song or the display.

export { PlaybackClock, type PlaybackOptions, type PlaybackReport } from "./playback-clock.js";
export { RefreshClock } from "./refresh-clock.js";
