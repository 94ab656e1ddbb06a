// evenstep/display: filters, pacing and the refreshes of a display.

export { type Filter, Filters } from "./filters.js";
export { type FramePlan, Pacer, type PacerOptions, type PacerReport } from "./pace.js";
export { type Feedback, type Refresh, RefreshGrid } from "./present.js";
