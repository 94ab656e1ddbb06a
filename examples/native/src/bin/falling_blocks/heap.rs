//! Blocks that fall, pile up in columns and are blown away. Lengths in metres, times in seconds.

use evenstep::poses::{Pose2, Poses2, Rot2};

pub(crate) const BLOCKS: usize = 10_000;
pub(crate) const WIDTH: f32 = 32.0;
pub(crate) const HEIGHT: f32 = 18.0;

/// A column is so wide, and a block on it so high.
const CELL: f32 = 0.125;
const COLUMNS: usize = (WIDTH / CELL) as usize;
const WALL: std::ops::Range<usize> = COLUMNS / 2 - 2..COLUMNS / 2 + 2;
const WALL_HEIGHT: f32 = 11.0;
const GRAVITY: f32 = 12.0;
/// How far a blast reaches.
const REACH: f32 = 2.5;

struct Block {
    pose: Pose2,
    velocity: [f32; 2],
    spin: f32,
    is_resting: bool,
}

pub(crate) struct Heap {
    blocks: Vec<Block>,
    /// The blocks that rest in each column, the lowest first.
    columns: Vec<Vec<usize>>,
    aim: [f32; 2],
    /// The blocks, the wall and the aim.
    poses: Poses2,
}

fn upright(position: [f32; 2]) -> Pose2 {
    Pose2::new(position, Rot2::IDENTITY)
}

fn column(x: f32) -> usize {
    ((x / CELL) as usize).min(COLUMNS - 1)
}

impl Heap {
    pub(crate) fn new() -> Self {
        let mut heap = Self {
            blocks: Vec::new(),
            columns: Vec::new(),
            aim: [0.0; 2],
            poses: Poses2::new(),
        };
        heap.restart();
        heap
    }

    /// All blocks are in the air, on the left.
    pub(crate) fn restart(&mut self) {
        let left = WALL.start - 1;
        self.columns = vec![Vec::new(); COLUMNS];
        self.aim = [WIDTH / 4.0, 4.0];
        self.blocks = (0..BLOCKS).map(|body| block(body, left)).collect();
        let wall = upright([WIDTH / 2.0, WALL_HEIGHT / 2.0]);
        let blocks = self.blocks.iter().map(|block| block.pose);
        let poses = blocks.chain([wall, upright(self.aim)]);
        for (body, pose) in poses.enumerate() {
            if body < self.poses.len() {
                self.poses.teleport(body, pose);
            } else {
                self.poses.push(pose);
            }
        }
    }

    pub(crate) const fn poses(&self) -> &Poses2 {
        &self.poses
    }

    pub(crate) fn over_the_wall(&self) -> usize {
        let is_over = |block: &&Block| block.pose.position[0] > WIDTH / 2.0;
        self.blocks.iter().filter(is_over).count()
    }

    /// Moves the aim, blows where it is, and lets fall what does not rest.
    pub(crate) fn step(&mut self, dt: f32, by: [f32; 2], blows: bool) {
        self.poses.begin_step();
        let edges = [WIDTH, HEIGHT];
        self.aim = [0, 1].map(|axis| (self.aim[axis] + by[axis]).clamp(0.0, edges[axis]));
        self.poses.set(BLOCKS + 1, upright(self.aim));
        if blows {
            self.blow();
        }
        for body in 0..BLOCKS {
            if !self.blocks[body].is_resting {
                self.fall(body, dt);
                self.poses.set(body, self.blocks[body].pose);
            }
        }
    }

    /// Where the next block of a column comes to lie.
    fn top(&self, column: usize) -> f32 {
        let ground = if WALL.contains(&column) { WALL_HEIGHT } else { 0.0 };
        ground + self.columns[column].len() as f32 * CELL
    }

    fn fall(&mut self, body: usize, dt: f32) {
        let block = &mut self.blocks[body];
        let [x, y] = block.pose.position;
        block.velocity[1] -= GRAVITY * dt;
        let [vx, vy] = block.velocity;
        let (mut at, lower) = (x + vx * dt, y + vy * dt);
        let is_at_edge = !(0.0..WIDTH).contains(&at);
        if is_at_edge || self.top(column(at)) > y {
            // Thrown back by an edge, or by what stands higher.
            self.blocks[body].velocity[0] = -0.4 * vx;
            at = x;
        }
        let here = column(at);
        let top = self.top(here) + CELL / 2.0;
        let block = &mut self.blocks[body];
        if lower > top {
            let turned = block.pose.rotation.turned(block.spin * dt);
            block.pose = Pose2::new([at, lower], turned);
            return;
        }
        block.pose.position = [at, top];
        match self.lower_neighbour(here, body) {
            Some(way) => self.blocks[body].velocity = [2.5 * way, 1.0],
            None => self.rest(body, here),
        }
    }

    /// To which side a column is higher than its neighbour by more than a block.
    fn lower_neighbour(&self, here: usize, body: usize) -> Option<f32> {
        let is_lower = |other: usize| other < COLUMNS && self.top(other) + 1.5 * CELL < self.top(here);
        let first = if body.is_multiple_of(2) { 1.0 } else { -1.0 };
        [first, -first]
            .into_iter()
            .find(|way| is_lower(here.wrapping_add_signed(*way as isize)))
    }

    fn rest(&mut self, body: usize, column: usize) {
        let place = [(column as f32 + 0.5) * CELL, self.top(column) + CELL / 2.0];
        self.blocks[body].pose = upright(place);
        self.blocks[body].is_resting = true;
        self.columns[column].push(body);
    }

    fn blow(&mut self) {
        let aim = self.aim;
        let away = |block: &Block| [0, 1].map(|axis| block.pose.position[axis] - aim[axis]);
        let distance = |block: &Block| away(block)[0].hypot(away(block)[1]);
        for column in &mut self.columns {
            let hit = column.iter().position(|body| distance(&self.blocks[*body]) < REACH);
            // What lies on a block that is hit falls.
            for body in column.drain(hit.unwrap_or(column.len())..) {
                self.blocks[body].is_resting = false;
                self.blocks[body].velocity = [0.0; 2];
            }
        }
        for block in self.blocks.iter_mut().filter(|block| !block.is_resting) {
            let (from, far) = (away(block), distance(block));
            if far < REACH {
                let strength = 8.0 + 18.0 * (1.0 - far / REACH);
                let [right, up] = from.map(|part| part / far.max(0.01) * strength);
                block.velocity = [right, up + 6.0];
            }
        }
    }
}

/// A block in the air above the first columns. None is turned as its neighbour.
fn block(body: usize, columns: usize) -> Block {
    let (across, row) = (body % columns, body / columns);
    let disorder = (body as f32 * 0.618_034).fract();
    let position = [
        (across as f32 + disorder) * CELL,
        1.0 + 0.45 * row as f32 + 0.4 * disorder,
    ];
    Block {
        pose: Pose2::new(position, Rot2::from_radians(6.0 * disorder)),
        velocity: [0.0; 2],
        spin: 8.0 * (disorder - 0.5),
        is_resting: false,
    }
}
