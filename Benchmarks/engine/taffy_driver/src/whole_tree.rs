//! Taffy's own tree, all of whose nodes are read after a layout, as it does not tell which of them changed.

use taffy::compute_leaf_layout;
use taffy::prelude::*;

use crate::tree::{total, Content, Tree, ROOT};

pub struct WholeTree {
    tree: TaffyTree<Content>,
    ids: Vec<NodeId>,
    read: Vec<[f32; 4]>,
}

impl Default for WholeTree {
    fn default() -> Self {
        let mut tree = TaffyTree::new();
        tree.disable_rounding();
        WholeTree { tree, ids: Vec::new(), read: Vec::new() }
    }
}

impl Tree for WholeTree {
    fn add(&mut self, parent: Option<usize>, style: Style) -> usize {
        let id = self.tree.new_leaf(style).unwrap();
        if let Some(parent) = parent {
            self.tree.add_child(self.ids[parent], id).unwrap();
        }
        self.ids.push(id);
        // Other than any frame, so that the first is a change, though it may be zero.
        self.read.push([f32::NAN; 4]);
        self.ids.len() - 1
    }

    fn set_content(&mut self, node: usize, content: Content) {
        self.tree.set_node_context(self.ids[node], Some(content)).unwrap();
    }

    fn restyle(&mut self, node: usize, change: impl FnOnce(&mut Style)) {
        let id = self.ids[node];
        let mut style = self.tree.style(id).unwrap().clone();
        change(&mut style);
        self.tree.set_style(id, style).unwrap();
    }

    fn set_content_width(&mut self, node: usize, width: f32) {
        let id = self.ids[node];
        self.tree.get_node_context_mut(id).unwrap().width = width;
        self.tree.mark_dirty(id).unwrap();
    }

    fn set_content_height(&mut self, node: usize, height: f32) {
        let id = self.ids[node];
        self.tree.get_node_context_mut(id).unwrap().height = height;
        self.tree.mark_dirty(id).unwrap();
    }

    fn lay_out_in(&mut self, available: Size<AvailableSpace>) {
        self.tree
            .compute_layout_with_measure(self.ids[ROOT], available, |inputs, _, content, style| {
                compute_leaf_layout(
                    inputs,
                    style,
                    |_, _| 0.0,
                    |known, available| match content {
                        Some(content) => content.measured(known, available),
                        None => Size::ZERO,
                    },
                )
            })
            .unwrap();
    }

    fn read_changes(&mut self, sum: &mut f32) -> usize {
        let mut count = 0;
        for (id, read) in self.ids.iter().zip(&mut self.read) {
            let layout = self.tree.layout(*id).unwrap();
            let frame = [layout.location.x, layout.location.y, layout.size.width, layout.size.height];
            if frame != *read {
                *read = frame;
                *sum += total(layout);
                count += 1;
            }
        }
        count
    }

    fn frame(&self, node: usize) -> Layout {
        *self.tree.layout(self.ids[node]).unwrap()
    }
}
