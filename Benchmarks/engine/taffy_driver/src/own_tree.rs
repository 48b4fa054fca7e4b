//! A tree of our own on Taffy's traits: nodes in one vector, as in Taffy's example `custom_tree_vec`. It knows which of them a
//! layout changed.

use taffy::prelude::*;
use taffy::{
    compute_cached_layout, compute_flexbox_layout, compute_hidden_layout, compute_leaf_layout, compute_root_layout, Cache,
    CacheTree, ClearState, LayoutFlexboxContainer, LayoutInput, LayoutOutput, RunMode,
};

use crate::tree::{total, Content, Tree, ROOT};

struct Node {
    style: Style,
    cache: Cache,
    layout: Layout,
    parent: usize,
    children: Vec<NodeId>,
    content: Option<Content>,
}

#[derive(Default)]
pub struct OwnTree {
    nodes: Vec<Node>,
    /// Those that a layout gave another frame.
    changed: Vec<usize>,
}

impl OwnTree {
    fn mark_dirty(&mut self, node: usize) {
        let mut node = node;
        // Above one that is empty all are.
        while matches!(self.nodes[node].cache.clear(), ClearState::Cleared) && node != ROOT {
            node = self.nodes[node].parent;
        }
    }
}

impl Tree for OwnTree {
    fn add(&mut self, parent: Option<usize>, style: Style) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node {
            style,
            cache: Cache::new(),
            // Other than any frame, so that the first is a change, though it may be zero.
            layout: Layout { size: Size { width: f32::NAN, height: f32::NAN }, ..Layout::new() },
            parent: parent.unwrap_or(ROOT),
            children: Vec::new(),
            content: None,
        });
        if let Some(parent) = parent {
            self.nodes[parent].children.push(NodeId::from(index));
        }
        index
    }

    fn set_content(&mut self, node: usize, content: Content) {
        self.nodes[node].content = Some(content);
    }

    fn restyle(&mut self, node: usize, change: impl FnOnce(&mut Style)) {
        change(&mut self.nodes[node].style);
        self.mark_dirty(node);
    }

    fn set_content_width(&mut self, node: usize, width: f32) {
        if let Some(content) = &mut self.nodes[node].content {
            content.width = width;
        }
        self.mark_dirty(node);
    }

    fn set_content_height(&mut self, node: usize, height: f32) {
        if let Some(content) = &mut self.nodes[node].content {
            content.height = height;
        }
        self.mark_dirty(node);
    }

    fn lay_out_in(&mut self, available: Size<AvailableSpace>) {
        compute_root_layout(self, NodeId::from(ROOT), available);
    }

    fn read_changes(&mut self, sum: &mut f32) -> usize {
        for &index in &self.changed {
            *sum += total(&self.nodes[index].layout);
        }
        let count = self.changed.len();
        self.changed.clear();
        count
    }

    fn frame(&self, node: usize) -> Layout {
        self.nodes[node].layout
    }
}

impl TraversePartialTree for OwnTree {
    type ChildIter<'a> = std::iter::Copied<std::slice::Iter<'a, NodeId>>;

    #[inline(always)]
    fn child_ids(&self, node: NodeId) -> Self::ChildIter<'_> {
        self.nodes[usize::from(node)].children.iter().copied()
    }

    #[inline(always)]
    fn child_count(&self, node: NodeId) -> usize {
        self.nodes[usize::from(node)].children.len()
    }

    #[inline(always)]
    fn get_child_id(&self, node: NodeId, index: usize) -> NodeId {
        self.nodes[usize::from(node)].children[index]
    }
}

impl TraverseTree for OwnTree {}

impl LayoutPartialTree for OwnTree {
    type CustomIdent = String;
    type CoreContainerStyle<'a> = &'a Style;

    #[inline(always)]
    fn get_core_container_style(&self, node: NodeId) -> Self::CoreContainerStyle<'_> {
        &self.nodes[usize::from(node)].style
    }

    #[inline(always)]
    fn set_unrounded_layout(&mut self, node: NodeId, layout: &Layout) {
        let index = usize::from(node);
        let held = &mut self.nodes[index].layout;
        if held.location != layout.location || held.size != layout.size {
            self.changed.push(index);
        }
        *held = *layout;
    }

    #[inline(always)]
    fn compute_child_layout(&mut self, node: NodeId, inputs: LayoutInput) -> LayoutOutput {
        // What is below a node that is not displayed has frames of zero.
        if inputs.run_mode == RunMode::PerformHiddenLayout {
            return compute_hidden_layout(self, node);
        }
        compute_cached_layout(self, node, inputs, |tree, node, inputs| {
            let held = &tree.nodes[usize::from(node)];
            if held.style.display == Display::None {
                return compute_hidden_layout(tree, node);
            }
            if !held.children.is_empty() {
                return compute_flexbox_layout(tree, node, inputs);
            }
            compute_leaf_layout(
                inputs,
                &held.style,
                |_, _| 0.0,
                |known, available| match held.content {
                    Some(content) => content.measured(known, available),
                    None => Size::ZERO,
                },
            )
        })
    }
}

impl CacheTree for OwnTree {
    #[inline(always)]
    fn cache_get(&self, node: NodeId, input: &LayoutInput) -> Option<LayoutOutput> {
        self.nodes[usize::from(node)].cache.get(input)
    }

    #[inline(always)]
    fn cache_store(&mut self, node: NodeId, input: &LayoutInput, output: LayoutOutput) {
        self.nodes[usize::from(node)].cache.store(input, output)
    }

    #[inline(always)]
    fn cache_clear(&mut self, node: NodeId) {
        self.nodes[usize::from(node)].cache.clear();
    }
}

impl LayoutFlexboxContainer for OwnTree {
    type FlexboxContainerStyle<'a> = &'a Style;
    type FlexboxItemStyle<'a> = &'a Style;

    #[inline(always)]
    fn get_flexbox_container_style(&self, node: NodeId) -> Self::FlexboxContainerStyle<'_> {
        &self.nodes[usize::from(node)].style
    }

    #[inline(always)]
    fn get_flexbox_child_style(&self, node: NodeId) -> Self::FlexboxItemStyle<'_> {
        &self.nodes[usize::from(node)].style
    }
}
