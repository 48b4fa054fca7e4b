//! Lays the nested stacks of `Scenes.tree` out with Taffy, as `yoga_driver.cpp` does with Yoga: the same works, the same leaves
//! measured by a function, the same clock. Prints seconds of the thread's processor time, or bytes.
//!
//!     taffy_driver NAME COUNT ROUNDS    NAME: build, edit, resize, batch, memory, or frames, which prints those after a batch
//!     taffy_driver SCENE-NAME ROUNDS    SCENE: list or dashboard, as in `AppScene`; NAME: build, edit, resize, batch, memory, or
//!                                       frames, which prints those after so many edits, a batch, and a change of the width
//!     taffy_driver capture FILE WORK ROUNDS LEAF    one of Yoga's captured trees: FILE is as `captures/taffy.py` writes it, the
//!                                       others are those of `captures/driver.cpp`, without `recorded`
//!
//! `TaffyTree` does not say which nodes a layout changed, so that its host has to read all of them after each edit. The traits
//! below it do say which nodes were laid out again, so the tree here is one of them: nodes in one vector, as in Taffy's example
//! `custom_tree_vec`. What was laid out and came out the same is left out of the frames that are read, which Yoga's
//! `YGNodeGetHasNewLayout` cannot do. `TaffyTree` with a walk over all nodes is there too, for comparison: TAFFY_TREE=1.

use std::env;
use std::process::exit;

use taffy::prelude::*;

mod capture;
mod meter;
mod own_tree;
mod replay;
mod tree;
mod whole_tree;

use capture::Capture;
use meter::{resident_bytes, seconds};
use own_tree::OwnTree;
use tree::{Content, Tree, ROOT};
use whole_tree::WholeTree;

const FAN_OUT: usize = 5;
const GAP: f32 = 8.0;

fn style(is_row: bool) -> Style {
    Style {
        display: Display::Flex,
        flex_direction: if is_row { FlexDirection::Row } else { FlexDirection::Column },
        align_items: Some(AlignItems::STRETCH),
        // As Yoga has them.
        flex_shrink: 0.0,
        min_size: Size { width: length(0.0), height: length(0.0) },
        padding: Rect::length(GAP),
        gap: Size::length(GAP),
        ..Style::default()
    }
}

struct Scene<T> {
    tree: T,
    /// Those in a row whose width is edited, as in our scene.
    leaves: Vec<usize>,
    /// Those of a list or a dashboard that a batch edits, and how high their contents are before.
    batched: Vec<(usize, f32)>,
    count: usize,
    width: f32,
}

fn make<T: Tree + Default>(count: usize, fills_equally: bool) -> Scene<T> {
    let (mut width, mut height) = (120.0, 60.0);
    let (mut is_row, mut widest) = (true, 1);
    while widest < count {
        *(if is_row { &mut width } else { &mut height }) *= FAN_OUT as f32;
        is_row = !is_row;
        widest *= FAN_OUT;
    }
    let mut tree = T::default();
    let mut queue = vec![(tree.add(None, Style { size: Size { width: length(width), height: length(height) }, ..style(true) }), true)];
    let (mut next, mut made) = (0, 1);
    while made < count {
        let (parent, is_row) = queue[next];
        next += 1;
        for _ in 0..FAN_OUT.min(count - made) {
            let basis = if fills_equally { length(0.0) } else { auto() };
            let child = Style { flex_grow: 1.0, flex_basis: basis, ..style(!is_row) };
            queue.push((tree.add(Some(parent), child), !is_row));
            made += 1;
        }
    }
    let mut leaves = Vec::new();
    if !fills_equally {
        for (index, &(leaf, is_row)) in queue.iter().enumerate().skip(next) {
            tree.set_leaf(leaf, Content { width: (20 + index * 7 % 70) as f32, height: (10 + index * 3 % 20) as f32 });
            if index % 5 == 0 && !is_row {
                leaves.push(leaf);
            }
        }
    }
    Scene { tree, leaves, batched: Vec::new(), count: queue.len(), width }
}

/// A row or a column, as the nested stacks are.
fn stack(is_row: bool, padding: f32, gap: f32) -> Style {
    Style { padding: Rect::length(padding), gap: Size::length(gap), ..style(is_row) }
}

/// Takes what the others leave, as all do that are to be equal.
fn growing(style: Style) -> Style {
    Style { flex_grow: 1.0, flex_basis: length(0.0), ..style }
}

fn sized(width: Dimension, height: Dimension, style: Style) -> Style {
    Style { size: Size { width, height }, ..style }
}

impl<T: Tree + Default> Scene<T> {
    fn with_root(width: f32, height: f32) -> Self {
        let mut scene = Scene { tree: T::default(), leaves: Vec::new(), batched: Vec::new(), count: 0, width };
        scene.add(None, sized(length(width), length(height), stack(false, 0.0, 0.0)));
        scene
    }

    fn add(&mut self, parent: Option<usize>, style: Style) -> usize {
        self.count += 1;
        self.tree.add(parent, style)
    }

    fn add_leaf(&mut self, parent: usize, style: Style, width: usize, height: usize) -> usize {
        let leaf = self.add(Some(parent), style);
        self.tree.set_leaf(leaf, Content { width: width as f32, height: height as f32 });
        leaf
    }

    fn add_batched(&mut self, parent: usize, style: Style, width: usize, height: usize) -> usize {
        let leaf = self.add_leaf(parent, style, width, height);
        self.batched.push((leaf, height as f32));
        leaf
    }

    /// 100 random leaves of a scene, each with a content up to 15 points higher than it was first.
    fn edit_batch(&mut self, state: &mut u64) {
        for _ in 0..100 {
            *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (leaf, height) = self.batched[(*state >> 33) as usize % self.batched.len()];
            self.tree.set_content_height(leaf, height + (*state >> 40 & 15) as f32);
        }
    }
}

fn make_list<T: Tree + Default>() -> Scene<T> {
    const COUNT: usize = 1000;
    let mut scene = Scene::with_root(400.0, 100_000.0);
    let plain = || stack(true, 0.0, 0.0);
    for index in 0..COUNT {
        let row = scene.add(Some(ROOT), Style { align_items: Some(AlignItems::CENTER), ..stack(true, 8.0, 8.0) });
        scene.add(Some(row), sized(length(32.0), length(32.0), plain()));
        scene.add_batched(row, growing(plain()), 100 + index * 37 % 80, if index % 3 == 0 { 32 } else { 16 });
        let label = scene.add_batched(row, plain(), 30 + index * 7 % 50, 14 + index % 4 * 8);
        if index == COUNT / 2 {
            scene.leaves.push(label);
        }
    }
    scene
}

fn make_dashboard<T: Tree + Default>() -> Scene<T> {
    const ROWS: usize = 6;
    const COLUMNS: usize = 4;
    let mut scene = Scene::with_root(1280.0, 900.0);
    let plain = || stack(true, 0.0, 0.0);
    let header = scene.add(Some(ROOT), sized(auto(), length(56.0), stack(true, 12.0, 8.0)));
    scene.add(Some(header), sized(length(32.0), auto(), plain()));
    scene.add_leaf(header, growing(plain()), 180, 20);
    scene.add_leaf(header, plain(), 70, 24);
    let body = scene.add(Some(ROOT), growing(plain()));
    let sidebar = scene.add(Some(body), sized(length(220.0), auto(), stack(false, 12.0, 8.0)));
    for index in 0..8 {
        scene.add_batched(sidebar, plain(), 80 + index * 9 % 60, 18 + index % 4 * 4);
    }
    let content = scene.add(Some(body), growing(stack(false, 16.0, 16.0)));
    for row in 0..ROWS {
        let line = scene.add(Some(content), growing(stack(true, 0.0, 16.0)));
        for column in 0..COLUMNS {
            let index = row * COLUMNS + column;
            let card = scene.add(Some(line), growing(stack(false, 12.0, 8.0)));
            let title = scene.add_batched(card, plain(), 60 + index * 7 % 60, 14 + index % 3 * 2);
            scene.add_leaf(card, growing(plain()), 40 + index * 11 % 90, 24);
            scene.add(Some(card), sized(auto(), length(6.0), plain()));
            if index == ROWS * COLUMNS / 2 {
                scene.leaves.push(title);
            }
        }
    }
    let footer = scene.add(Some(ROOT), sized(auto(), length(32.0), stack(true, 8.0, 0.0)));
    scene.add_leaf(footer, plain(), 200, 14);
    scene
}

fn run<T: Tree + Default>(name: &str, views: usize, rounds: usize) -> i32 {
    let mut sum = 0.0;
    // What the process binds at the first use of each function is not the layout's.
    let mut warm = make::<T>(50, false);
    warm.tree.lay_out();
    let before = resident_bytes();
    let start = seconds();
    let mut scene = make::<T>(views, name == "resize");
    scene.tree.lay_out();
    let mut changed = scene.tree.read_changes(&mut sum);
    let built = seconds() - start;
    if changed != views || sum <= 0.0 {
        eprintln!("taffy_driver: {changed} of {views} nodes have a frame");
        return 1;
    }
    match name {
        "build" => {
            println!("{built}");
            return 0;
        }
        "memory" => {
            println!("{}", (resident_bytes() - before) / views as f64);
            return 0;
        }
        _ => {}
    }
    let mut state = 42u64;
    changed = 0;
    let start = seconds();
    for round in 0..rounds {
        match name {
            "edit" => {
                let leaf = scene.leaves[scene.leaves.len() / 2];
                scene.tree.set_content_width(leaf, (40 + round % 23) as f32);
            }
            "resize" => scene.tree.set_root_width(scene.width + (1 + round % 23) as f32),
            _ => {
                for _ in 0..100 {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let leaf = scene.leaves[(state >> 33) as usize % scene.leaves.len()];
                    scene.tree.set_content_width(leaf, (30 + (state >> 40 & 63)) as f32);
                }
            }
        }
        scene.tree.lay_out();
        changed += scene.tree.read_changes(&mut sum);
    }
    let spent = seconds() - start;
    if name == "frames" {
        print_frames(&scene);
    } else {
        println!("{}", spent / rounds as f64);
    }
    if env::var_os("VERBOSE").is_some() {
        eprintln!("{} frames a round", changed / rounds);
    }
    if changed > rounds {
        0
    } else {
        1
    }
}

fn print_frames<T: Tree>(scene: &Scene<T>) {
    for node in 0..scene.count {
        let layout = scene.tree.frame(node);
        println!("{:.3} {:.3} {:.3} {:.3}", layout.location.x, layout.location.y, layout.size.width, layout.size.height);
    }
}

/// What `AppScene` measures: seconds a round, or bytes a node.
fn run_scene<T: Tree + Default>(is_list: bool, work: &str, rounds: usize) -> i32 {
    let mut sum = 0.0;
    let mut warm = make::<T>(50, false);
    warm.tree.lay_out();
    let builds = if work == "build" { rounds } else { 1 };
    // None is freed while the next is measured.
    let mut scenes: Vec<Scene<T>> = Vec::with_capacity(builds);
    let before = resident_bytes();
    let start = seconds();
    for _ in 0..builds {
        let mut scene: Scene<T> = if is_list { make_list() } else { make_dashboard() };
        scene.tree.lay_out();
        if scene.tree.read_changes(&mut sum) != scene.count {
            return 1;
        }
        scenes.push(scene);
    }
    let built = seconds() - start;
    let scene = &mut scenes[0];
    match work {
        "build" => {
            println!("{}", built / builds as f64);
            return 0;
        }
        "memory" => {
            println!("{}", (resident_bytes() - before) / scene.count as f64);
            return 0;
        }
        _ => {}
    }
    let (mut changed, mut state) = (0, 42u64);
    let start = seconds();
    for round in 0..rounds {
        if work == "resize" {
            scene.tree.set_root_width(scene.width + (1 + round % 23) as f32);
        } else if work == "batch" {
            scene.edit_batch(&mut state);
        } else {
            scene.tree.set_content_height(scene.leaves[0], (if is_list { 40 } else { 20 } + round % 23) as f32);
        }
        scene.tree.lay_out();
        changed += scene.tree.read_changes(&mut sum);
    }
    let spent = seconds() - start;
    if work == "frames" {
        scene.edit_batch(&mut state);
        scene.tree.set_root_width(scene.width + 7.0);
        scene.tree.lay_out();
        print_frames(scene);
    } else {
        println!("{}", spent / rounds as f64);
    }
    if env::var_os("VERBOSE").is_some() {
        eprintln!("{} frames a round", changed / rounds);
    }
    if changed > rounds && sum > 0.0 {
        0
    } else {
        1
    }
}

fn main() {
    let words: Vec<String> = env::args().collect();
    let numbers: Vec<usize> = words.iter().skip(2).filter_map(|word| word.parse().ok()).collect();
    let is_whole = env::var_os("TAFFY_TREE").is_some();
    if words.len() == 3 && numbers.len() == 1 {
        if let Some((scene @ ("list" | "dashboard"), work)) = words[1].split_once('-') {
            let run_scene = if is_whole { run_scene::<WholeTree> } else { run_scene::<OwnTree> };
            exit(run_scene(scene == "list", work, numbers[0]));
        }
    }
    if words.len() == 6 && words[1] == "capture" && numbers.len() == 2 {
        let replayed = if is_whole { replay::run::<WholeTree> } else { replay::run::<OwnTree> };
        match Capture::read(&words[2]) {
            Ok(capture) => exit(replayed(&capture, &words[3], numbers[0], numbers[1])),
            Err(error) => {
                eprintln!("taffy_driver: {error}");
                exit(1);
            }
        }
    }
    if words.len() != 4 || numbers.len() != 2 {
        eprintln!("usage: taffy_driver build|edit|resize|batch|memory|frames COUNT ROUNDS");
        eprintln!("       taffy_driver list|dashboard-build|edit|resize|batch|memory|frames ROUNDS");
        eprintln!("       taffy_driver capture FILE build|edit|resize|batch|memory|first-frames|WORK-frames ROUNDS LEAF");
        exit(64);
    }
    let work = if is_whole { run::<WholeTree> } else { run::<OwnTree> };
    exit(work(&words[1], numbers[0], numbers[1]));
}
