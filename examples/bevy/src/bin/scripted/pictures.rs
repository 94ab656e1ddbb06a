//! Screenshots of the window.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};

/// Writes screenshots to a folder.
#[derive(Resource, Clone)]
pub(crate) struct Pictures {
    folder: PathBuf,
    expected: Arc<AtomicU32>,
}

impl Pictures {
    pub(crate) fn new(folder: &str) -> Self {
        Self {
            folder: folder.into(),
            expected: Arc::default(),
        }
    }

    /// Takes a screenshot of this frame in the first window.
    pub(crate) fn take(&self, commands: &mut Commands, name: &str) {
        let (file, expected) = (self.folder.join(name).with_extension("png"), Arc::clone(&self.expected));
        expected.fetch_add(1, Ordering::Relaxed);
        commands
            .spawn(Screenshot::primary_window())
            .observe(move |captured: On<ScreenshotCaptured>| {
                save(&captured.image, &file);
                expected.fetch_sub(1, Ordering::Relaxed);
            });
    }

    /// Whether all screenshots are written.
    pub(crate) fn are_taken(&self) -> bool {
        self.expected.load(Ordering::Relaxed) == 0
    }
}

fn save(image: &Image, file: &Path) {
    let picture = image
        .clone()
        .try_into_dynamic()
        .expect("a screen has a format of pictures");
    picture.to_rgb8().save(file).expect("the folder can be written");
}
