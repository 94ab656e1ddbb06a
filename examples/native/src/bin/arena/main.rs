//! An arena in space: look around with the mouse or the right stick, walk with WASD, the arrow keys or the left stick, jump with the
//! space bar, shoot with a mouse button or a shoulder button. C or the left button of a gamepad changes between your eyes and a camera
//! on a platform, Tab shows the panel, Escape ends.
//!
//! `cargo run --release -p evenstep-examples --bin arena`

use std::time::Duration;

use evenstep::filter::{DeltaFilter as _, DisplayClock};
use evenstep::follow::Look;
use evenstep::input::{Button, Controls, InputBuffer, InputEvent};
use evenstep::poses::Poses3;
use evenstep::{FixedTimestep, Frame, FrameStats, Rate};
use evenstep_examples::{Game, Input, Panel, Screen, Shader, run};
use evenstep_wgpu::{Instances as _, PoseBuffer, WGSL3};
use glam::Vec3;
use glam::camera::rh::{proj::directx::perspective, view};
use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use rules::{Arena, Wish};
use scene::{BODIES, PLAYER, direction, looks};

mod rules;
mod scene;

/// Radians that a pixel of the mouse turns the view.
const SENSITIVITY: f64 = 0.002;

struct Shooter {
    last: Duration,
    display: DisplayClock,
    timestep: FixedTimestep,
    input: InputBuffer<Input>,
    controls: Controls<Button>,
    look: Look,
    arena: Arena,
    is_on_platform: bool,
    stats: FrameStats<240>,
    panel: Panel,
    shows_panel: bool,
    bodies: PoseBuffer<Poses3>,
    pipeline: wgpu::RenderPipeline,
    view: wgpu::Buffer,
    binding: wgpu::BindGroup,
}

impl Game for Shooter {
    const TITLE: &'static str = "Arena";
    const TAKES_MOUSE: bool = true;

    fn new(screen: &Screen) -> Self {
        let arena = Arena::new();
        let bodies = PoseBuffer::new(screen.device(), &arena.poses);
        let attributes = Poses3::attributes(0);
        let counts = format!("const BODIES: u32 = {BODIES}u; const PLAYER: u32 = {PLAYER}u;");
        let pipeline = screen.pipeline(&Shader {
            source: &[WGSL3, &counts, include_str!("arena.wgsl")].concat(),
            instances: &[Some(PoseBuffer::<Poses3>::layout(&attributes))],
            has_depth: true,
        });
        let looks: Vec<f32> = looks()
            .into_iter()
            .flat_map(|(half, colour)| [half, colour])
            .flat_map(|[x, y, z]| [x, y, z, 0.0])
            .collect();
        let looks_buffer = screen.uniform(4 * looks.len() as u64);
        screen.write(&looks_buffer, &looks);
        let view = screen.uniform(96);
        let resources = [&view, bodies.alpha(), &looks_buffer].map(|buffer| buffer.as_entire_binding());
        Self {
            last: Duration::ZERO,
            display: DisplayClock::new(),
            timestep: FixedTimestep::new(Rate::hz(60)),
            input: InputBuffer::new(1024),
            controls: Controls::new(),
            look: Look::new().with_pitch_limit(1.5),
            is_on_platform: false,
            stats: FrameStats::new(),
            panel: Panel::new(screen),
            shows_panel: false,
            binding: screen.bind(&pipeline, &resources),
            arena,
            bodies,
            pipeline,
            view,
        }
    }

    fn input(&mut self, at: Duration, event: Input) {
        if let InputEvent::Motion([right, down]) = event {
            self.look.turn(at, SENSITIVITY * right, -SENSITIVITY * down);
        } else {
            // What finds no room among a thousand events of a frame is left out.
            let _ = self.input.push(at, event);
        }
    }

    fn set_hidden(&mut self, is_hidden: bool) {
        if is_hidden {
            self.timestep.suspend();
        } else {
            self.timestep.resume();
        }
    }

    fn frame(&mut self, now: Duration, screen: &mut Screen) -> Frame {
        let delta = now - self.last;
        self.last = now;
        let frame = self.timestep.advance(self.display.apply(delta));
        self.input.begin_frame(now, &self.display, &frame);
        self.look.begin_frame(now, &self.display, &frame);
        for step in frame.steps() {
            self.controls.take(&mut self.input, &step);
            let wish = self.wish();
            self.arena.step(&step, wish, self.look.step(&step));
        }
        self.stats.record(delta, &frame);
        if frame.steps().len() > 0 {
            let Arena { hits, fired, .. } = self.arena;
            screen
                .window()
                .set_title(&format!("Arena: {hits} hits of {fired} shots"));
            self.bodies.upload(screen.device(), screen.queue(), &self.arena.poses);
            self.panel
                .update(screen, &self.stats, self.timestep.rate(), self.display.refresh_hz());
        }
        self.bodies.set_alpha(screen.queue(), frame.alpha());
        self.draw(frame.alpha(), screen);
        frame
    }
}

impl Shooter {
    fn wish(&mut self) -> Wish {
        let controls = &self.controls;
        let is_held = |keys: [KeyCode; 2]| keys.iter().any(|key| controls.is_held(&Button::Key(*key)));
        let was_pressed = |key| controls.was_pressed(&Button::Key(key));
        let axis = |less, more| f32::from(i8::from(is_held(more)) - i8::from(is_held(less)));
        self.is_on_platform ^= was_pressed(KeyCode::KeyC);
        self.shows_panel ^= was_pressed(KeyCode::Tab);
        Wish {
            walk: [
                axis(
                    [KeyCode::KeyA, KeyCode::ArrowLeft],
                    [KeyCode::KeyD, KeyCode::ArrowRight],
                ),
                axis([KeyCode::KeyS, KeyCode::ArrowDown], [KeyCode::KeyW, KeyCode::ArrowUp]),
            ],
            jumps: was_pressed(KeyCode::Space),
            shoots: controls.was_pressed(&Button::Mouse(MouseButton::Left)),
        }
    }

    /// Everything is where it is at the frame's alpha: bodies, what the player stands on, and both cameras.
    fn draw(&self, alpha: f64, screen: &mut Screen) {
        let (feet, eyes) = (self.arena.feet(alpha), self.arena.eyes(alpha));
        let view = if self.is_on_platform {
            view::look_at_mat4(self.arena.camera(alpha), eyes, Vec3::Y)
        } else {
            // Every motion of the mouse is in the picture, also those that no step has seen yet.
            view::look_to_mat4(eyes, direction(self.look.angles()), Vec3::Y)
        };
        let lens = perspective(1.1, 1.0 / screen.aspect(), 0.05, 100.0);
        let ([x, y, z], turn) = (feet.position, feet.rotation);
        let player = [x, y + 0.9, z, 0.0, turn.x, turn.y, turn.z, turn.w];
        screen.write(&self.view, &[&(lens * view).to_cols_array()[..], &player].concat());
        // One does not see oneself from one's own eyes.
        let (size, count) = (screen.size(), if self.is_on_platform { BODIES } else { PLAYER } as u32);
        screen.draw([0.55, 0.68, 0.82], |pass| {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.binding, &[]);
            pass.set_vertex_buffer(0, self.bodies.instances().slice(..));
            pass.draw(0..14, 0..count);
            if self.shows_panel {
                self.panel.draw(pass, size);
            }
        });
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run::<Shooter>()
}
