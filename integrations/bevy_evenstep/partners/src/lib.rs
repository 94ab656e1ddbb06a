//! Plugins by others beside `bevy_evenstep`: see the tests.
