//! Blow 10 000 blocks over the wall. The arrow keys, the mouse or a gamepad's stick aim; the space bar, a mouse button or the lower
//! button of a gamepad blows. Enter begins again, Tab hides the panel, Escape ends.
//!
//! `cargo run --release -p evenstep-examples --bin falling_blocks`

use std::time::Duration;

use evenstep::filter::{DeltaFilter as _, DisplayClock};
use evenstep::input::{Button, Controls, InputBuffer};
use evenstep::poses::Poses2;
use evenstep::{FixedTimestep, Frame, FrameStats, Rate};
use evenstep_examples::{Game, Input, Panel, Screen, Shader, run};
use evenstep_wgpu::{Instances as _, PoseBuffer, WGSL2};
use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use heap::{HEIGHT, Heap, WIDTH};

mod heap;

/// Draws each body at its place between two steps. The last two are the wall and the aim.
const SHADER: &str = "
@group(0) @binding(0) var<uniform> alpha: f32;
@group(0) @binding(1) var<uniform> scale: vec2<f32>;

struct Corner {
    @builtin(position) place: vec4<f32>,
    @location(0) point: vec2<f32>,
    @location(1) @interpolate(flat) body: u32,
}

@vertex
fn vertex(
    @builtin(vertex_index) corner: u32, @builtin(instance_index) body: u32,
    @location(0) previous: vec4<f32>, @location(1) current: vec4<f32>,
) -> Corner {
    let point = vec2<f32>(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    var half = vec2<f32>(0.06, 0.06);
    if body == BLOCKS { half = vec2<f32>(0.25, 5.5); }
    if body > BLOCKS { half = vec2<f32>(2.5, 2.5); }
    let pose = evenstep_blend2(previous, current, alpha);
    let place = evenstep_place2(pose, point * half) - vec2<f32>(16.0, 9.0);
    return Corner(vec4<f32>(place * scale, 0.0, 1.0), point, body);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    if corner.body == BLOCKS { return vec4<f32>(0.42, 0.44, 0.48, 1.0); }
    if corner.body > BLOCKS {
        let edge = length(corner.point);
        return vec4<f32>(1.0, 0.98, 0.9, 0.8 * step(0.95, edge) * step(edge, 1.0) + 0.8 * step(edge, 0.04));
    }
    let warm = f32(corner.body) / f32(BLOCKS);
    let shade = 0.85 + 0.15 * fract(f32(corner.body) * 0.618);
    return vec4<f32>(shade * mix(vec3<f32>(0.98, 0.57, 0.24), vec3<f32>(0.35, 0.55, 1.0), warm), 1.0);
}
";

struct FallingBlocks {
    last: Duration,
    display: DisplayClock,
    timestep: FixedTimestep,
    input: InputBuffer<Input>,
    controls: Controls<Button>,
    heap: Heap,
    stats: FrameStats<240>,
    panel: Panel,
    shows_panel: bool,
    bodies: PoseBuffer<Poses2>,
    pipeline: wgpu::RenderPipeline,
    scale: wgpu::Buffer,
    binding: wgpu::BindGroup,
}

impl Game for FallingBlocks {
    const TITLE: &'static str = "Falling blocks";
    const TAKES_MOUSE: bool = true;

    fn new(screen: &Screen) -> Self {
        let heap = Heap::new();
        let bodies = PoseBuffer::new(screen.device(), heap.poses());
        let attributes = Poses2::attributes(0);
        let blocks = format!("const BLOCKS: u32 = {}u;", heap::BLOCKS);
        let pipeline = screen.pipeline(&Shader {
            source: &[WGSL2, &blocks, SHADER].concat(),
            instances: &[Some(PoseBuffer::<Poses2>::layout(&attributes))],
            has_depth: false,
        });
        let scale = screen.uniform(8);
        let resources = [bodies.alpha().as_entire_binding(), scale.as_entire_binding()];
        Self {
            last: Duration::ZERO,
            display: DisplayClock::new(),
            timestep: FixedTimestep::new(Rate::hz(60)),
            input: InputBuffer::new(1024),
            controls: Controls::new(),
            stats: FrameStats::new(),
            panel: Panel::new(screen),
            shows_panel: true,
            binding: screen.bind(&pipeline, &resources),
            heap,
            bodies,
            pipeline,
            scale,
        }
    }

    fn input(&mut self, at: Duration, event: Input) {
        // What finds no room among a thousand events of a frame is left out.
        let _ = self.input.push(at, event);
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
        for step in frame.steps() {
            self.controls.take(&mut self.input, &step);
            self.step(step.dt as f32);
        }
        self.stats.record(delta, &frame);
        if frame.steps().len() > 0 {
            let over = self.heap.over_the_wall();
            screen
                .window()
                .set_title(&format!("{over} of {} blocks over the wall", heap::BLOCKS));
            self.bodies.upload(screen.device(), screen.queue(), self.heap.poses());
            let display = self.display.refresh_hz();
            self.panel.update(screen, &self.stats, self.timestep.rate(), display);
        }
        self.bodies.set_alpha(screen.queue(), frame.alpha());
        self.draw(screen);
        frame
    }
}

impl FallingBlocks {
    fn step(&mut self, dt: f32) {
        let controls = &self.controls;
        let is_held = |key| controls.is_held(&Button::Key(key));
        let was_pressed = |key| controls.was_pressed(&Button::Key(key));
        let axis = |less, more| f32::from(i8::from(is_held(more)) - i8::from(is_held(less)));
        let keys = [
            axis(KeyCode::ArrowLeft, KeyCode::ArrowRight),
            axis(KeyCode::ArrowDown, KeyCode::ArrowUp),
        ];
        let [right, down] = controls.motion().map(|pixels| pixels as f32);
        let mouse = [right, -down];
        let by = [0, 1].map(|axis| 12.0 * dt * keys[axis] + 0.02 * mouse[axis]);
        if was_pressed(KeyCode::Enter) {
            self.heap.restart();
        }
        if was_pressed(KeyCode::Tab) {
            self.shows_panel = !self.shows_panel;
        }
        let blows = was_pressed(KeyCode::Space) || controls.was_pressed(&Button::Mouse(MouseButton::Left));
        self.heap.step(dt, by, blows);
    }

    fn draw(&self, screen: &mut Screen) {
        // All of the world is in the window, whatever its shape.
        let across = (2.0 / WIDTH).min(2.0 / HEIGHT * screen.aspect());
        screen.write(&self.scale, &[across, across / screen.aspect()]);
        let (size, count) = (screen.size(), self.heap.poses().len() as u32);
        screen.draw([0.07, 0.08, 0.10], |pass| {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.binding, &[]);
            pass.set_vertex_buffer(0, self.bodies.instances().slice(..));
            pass.draw(0..4, 0..count);
            if self.shows_panel {
                self.panel.draw(pass, size);
            }
        });
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run::<FallingBlocks>()
}
