//! The module of `evenstep/display`: what follows the display.

mod filters;
mod pace;
mod present;
