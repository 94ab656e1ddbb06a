// evenstep/display: filters that follow the display.

export { type Filter, Filters } from "./filters.js";
