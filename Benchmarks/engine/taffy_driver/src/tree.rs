//! What the benchmark asks of a tree, whichever it is, and of a content.

use taffy::prelude::*;

pub const ROOT: usize = 0;

#[derive(Clone, Copy)]
pub struct Content {
    pub width: f32,
    pub height: f32,
}

impl Content {
    pub fn measured(self, known: Size<Option<f32>>, available: Size<AvailableSpace>) -> Size<f32> {
        let limited = |size: f32, known: Option<f32>, available: AvailableSpace| match (known, available) {
            (Some(exact), _) => exact,
            (None, AvailableSpace::Definite(limit)) => size.min(limit),
            (None, _) => size,
        };
        Size { width: limited(self.width, known.width, available.width), height: limited(self.height, known.height, available.height) }
    }
}

/// What the benchmark asks of a tree.
pub trait Tree {
    fn add(&mut self, parent: Option<usize>, style: Style) -> usize;
    fn set_content(&mut self, node: usize, content: Content);
    fn restyle(&mut self, node: usize, change: impl FnOnce(&mut Style));
    fn set_content_width(&mut self, node: usize, width: f32);
    fn set_content_height(&mut self, node: usize, height: f32);
    fn lay_out_in(&mut self, available: Size<AvailableSpace>);
    /// The number of nodes whose frames differ from those of the last reading, which are added to the sum.
    fn read_changes(&mut self, sum: &mut f32) -> usize;
    fn frame(&self, node: usize) -> Layout;

    /// Makes a node of the scenes a content, which has no padding there.
    fn set_leaf(&mut self, node: usize, content: Content) {
        self.restyle(node, |style| style.padding = Rect::zero());
        self.set_content(node, content);
    }

    fn set_root_width(&mut self, width: f32) {
        self.restyle(ROOT, |style| style.size.width = length(width));
    }

    fn lay_out(&mut self) {
        self.lay_out_in(Size::MAX_CONTENT);
    }
}

pub fn total(layout: &Layout) -> f32 {
    layout.location.x + layout.location.y + layout.size.width + layout.size.height
}
