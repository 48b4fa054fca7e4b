//! Lays a captured tree out with the works of `captures/driver.cpp`, where they are described.

use std::env;

use taffy::prelude::*;

use crate::capture::Capture;
use crate::meter::{give_free_memory_back, resident_bytes, seconds};
use crate::tree::{Tree, ROOT};

fn make<T: Tree + Default>(capture: &Capture) -> T {
    let mut tree = T::default();
    for node in &capture.nodes {
        let index = tree.add(node.parent, node.style.clone());
        if let Some(content) = node.content {
            tree.set_content(index, content);
        }
    }
    tree
}

fn lay_out<T: Tree>(tree: &mut T, capture: &Capture, wider: f32) {
    let Size { width, height } = capture.size;
    tree.lay_out_in(Size { width: (width + wider).into(), height: height.into() });
}

/// All captures have a root whose least and largest width are the same.
fn set_root_width<T: Tree>(tree: &mut T, width: f32) {
    tree.restyle(ROOT, |style| {
        style.min_size.width = length(width);
        style.max_size.width = length(width);
    });
}

fn set_height<T: Tree>(tree: &mut T, capture: &Capture, leaf: usize, higher: f32) {
    let height = capture.nodes[leaf].content.map_or(0.0, |content| content.height);
    tree.set_content_height(leaf, height + higher);
}

fn print_frames<T: Tree>(tree: &T, capture: &Capture) {
    for node in 0..capture.nodes.len() {
        let Layout { location, size, .. } = tree.frame(node);
        println!("{:.6} {:.6} {:.6} {:.6}", location.x, location.y, size.width, size.height);
    }
}

pub fn run<T: Tree + Default>(capture: &Capture, work: &str, rounds: usize, edited: usize) -> i32 {
    let leaves: Vec<usize> = (0..capture.nodes.len()).filter(|&node| capture.nodes[node].content.is_some()).collect();
    let count = capture.nodes.len();
    let mut sum = 0.0;
    // What the process binds at the first use of each function is not the layout's.
    let mut warm = make::<T>(capture);
    lay_out(&mut warm, capture, 0.0);
    let builds = if matches!(work, "build" | "memory") { rounds } else { 1 };
    // None is freed while the next is measured.
    let mut trees: Vec<T> = Vec::with_capacity(builds);
    // What reading the file took and gave back is not there to be used again.
    give_free_memory_back();
    let before = resident_bytes();
    let start = seconds();
    for _ in 0..builds {
        let mut tree = make::<T>(capture);
        lay_out(&mut tree, capture, 0.0);
        let changed = tree.read_changes(&mut sum);
        if changed != count {
            eprintln!("taffy_driver: {changed} of {count} nodes have a frame");
            return 1;
        }
        trees.push(tree);
    }
    let built = seconds() - start;
    let tree = &mut trees[0];
    match work {
        "first-frames" => {
            print_frames(tree, capture);
            return 0;
        }
        "build" => {
            println!("{}", built / builds as f64);
            return 0;
        }
        "memory" => {
            println!("{}", (resident_bytes() - before) / (count * builds) as f64);
            return 0;
        }
        _ => {}
    }
    let mut state = 42u64;
    let mut changed = 0;
    let start = seconds();
    for round in 0..rounds {
        let mut wider = 0.0;
        let step = (1 + round % 23) as f32;
        if work.starts_with("resize") {
            wider = step;
            set_root_width(tree, capture.size.width + wider);
        } else if work.starts_with("edit") {
            set_height(tree, capture, edited, step);
        } else {
            for _ in 0..100 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let leaf = leaves[(state >> 33) as usize % leaves.len()];
                set_height(tree, capture, leaf, (state >> 40 & 15) as f32);
            }
        }
        lay_out(tree, capture, wider);
        changed += tree.read_changes(&mut sum);
    }
    let spent = seconds() - start;
    if work.ends_with("-frames") {
        print_frames(tree, capture);
    } else {
        println!("{}", spent / rounds as f64);
    }
    if env::var_os("VERBOSE").is_some() {
        eprintln!("{} frames a round", changed / rounds);
    }
    // The edited leaf at least.
    if changed >= rounds {
        0
    } else {
        1
    }
}
