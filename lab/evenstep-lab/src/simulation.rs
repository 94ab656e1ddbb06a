//! Runs scenes on frames, and measures their steps and drawn frames. Nothing here prints or writes.

pub(crate) mod animation_error;
pub(crate) mod choices;
pub(crate) mod displays;
pub(crate) mod drawing;
pub(crate) mod frames;
pub(crate) mod options;
pub(crate) mod run;
pub(crate) mod stepped_scene;
