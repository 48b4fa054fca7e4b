//! Reads one of Yoga's captured trees, as `captures/taffy.py` writes it.

use taffy::prelude::*;
use taffy::Overflow;

use crate::tree::Content;

pub struct Description {
    pub parent: Option<usize>,
    pub style: Style,
    pub content: Option<Content>,
}

pub struct Capture {
    pub size: Size<f32>,
    pub nodes: Vec<Description>,
}

impl Capture {
    pub fn read(path: &str) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        let mut lines = text.lines();
        let size = lines
            .next()
            .and_then(|line| line.strip_prefix("capture ")?.split_once(' '))
            .and_then(|(width, height)| Some(Size { width: width.parse().ok()?, height: height.parse().ok()? }))
            .ok_or_else(|| format!("{path}: not a capture"))?;
        let nodes =
            lines.map(|line| described(line).ok_or_else(|| format!("{path}: what is “{line}”?"))).collect::<Result<_, _>>()?;
        Ok(Capture { size, nodes })
    }
}

fn described(line: &str) -> Option<Description> {
    let mut words = line.strip_prefix("node ")?.split(' ');
    // The root's is -1.
    let parent = words.next()?.parse::<isize>().ok()?.try_into().ok();
    let mut node = Description { parent, style: defaults(), content: None };
    for word in words {
        let (name, value) = word.split_once('=')?;
        if name == "content" {
            let (width, height) = value.split_once(',')?;
            node.content = Some(Content { width: width.parse().ok()?, height: height.parse().ok()? });
        } else {
            set(&mut node.style, name, value)?;
        }
    }
    Some(node)
}

/// Those of Yoga, where CSS has others: in CSS rows are the default, items shrink, and are at least as large as their contents.
fn defaults() -> Style {
    Style {
        display: Display::Flex,
        flex_direction: FlexDirection::Column,
        flex_shrink: 0.0,
        min_size: Size { width: length(0.0), height: length(0.0) },
        align_items: Some(AlignItems::STRETCH),
        align_content: Some(AlignContent::FLEX_START),
        ..Style::default()
    }
}

fn set(style: &mut Style, name: &str, value: &str) -> Option<()> {
    match name {
        "display" => style.display = if value == "none" { Display::None } else { Display::Flex },
        "position-type" => style.position = position(value)?,
        "overflow" => {
            let overflow = overflow(value)?;
            style.overflow = taffy::Point { x: overflow, y: overflow };
        }
        "flex-direction" => style.flex_direction = direction(value)?,
        "flex-wrap" => style.flex_wrap = wrap(value)?,
        "justify-content" => style.justify_content = Some(distribution(value)?),
        "align-content" => style.align_content = Some(distribution(value)?),
        "align-items" => style.align_items = alignment(value)?,
        "align-self" => style.align_self = alignment(value)?,
        "flex-grow" => style.flex_grow = value.parse().ok()?,
        "flex-shrink" => style.flex_shrink = value.parse().ok()?,
        "flex-basis" => style.flex_basis = size(value)?,
        "width" => style.size.width = size(value)?,
        "height" => style.size.height = size(value)?,
        "min-width" => style.min_size.width = size(value)?,
        "min-height" => style.min_size.height = size(value)?,
        "max-width" => style.max_size.width = size(value)?,
        "max-height" => style.max_size.height = size(value)?,
        "row-gap" => style.gap.height = share(value)?,
        "column-gap" => style.gap.width = share(value)?,
        _ => {
            let (kind, side) = name.split_once('-')?;
            match kind {
                "inset" => *edge(&mut style.inset, side)? = size(value)?,
                "margin" => *edge(&mut style.margin, side)? = size(value)?,
                "padding" => *edge(&mut style.padding, side)? = share(value)?,
                "border" => *edge(&mut style.border, side)? = share(value)?,
                _ => return None,
            }
        }
    }
    Some(())
}

fn edge<'a, T>(edges: &'a mut Rect<T>, side: &str) -> Option<&'a mut T> {
    match side {
        "left" => Some(&mut edges.left),
        "right" => Some(&mut edges.right),
        "top" => Some(&mut edges.top),
        "bottom" => Some(&mut edges.bottom),
        _ => None,
    }
}

fn size<T: FromLength + FromPercent + TaffyAuto>(value: &str) -> Option<T> {
    if value == "auto" {
        Some(auto())
    } else {
        share(value)
    }
}

fn share<T: FromLength + FromPercent>(value: &str) -> Option<T> {
    match value.strip_suffix('%') {
        Some(value) => Some(percent(value.parse::<f32>().ok()? / 100.0)),
        None => Some(length(value.parse::<f32>().ok()?)),
    }
}

fn position(value: &str) -> Option<Position> {
    match value {
        "relative" => Some(Position::Relative),
        "absolute" => Some(Position::Absolute),
        _ => None,
    }
}

fn overflow(value: &str) -> Option<Overflow> {
    match value {
        "visible" => Some(Overflow::Visible),
        "hidden" => Some(Overflow::Hidden),
        "scroll" => Some(Overflow::Scroll),
        _ => None,
    }
}

fn direction(value: &str) -> Option<FlexDirection> {
    match value {
        "row" => Some(FlexDirection::Row),
        "row-reverse" => Some(FlexDirection::RowReverse),
        "column" => Some(FlexDirection::Column),
        "column-reverse" => Some(FlexDirection::ColumnReverse),
        _ => None,
    }
}

fn wrap(value: &str) -> Option<FlexWrap> {
    match value {
        "no-wrap" => Some(FlexWrap::NoWrap),
        "wrap" => Some(FlexWrap::Wrap),
        "wrap-reverse" => Some(FlexWrap::WrapReverse),
        _ => None,
    }
}

fn distribution(value: &str) -> Option<AlignContent> {
    match value {
        "flex-start" => Some(AlignContent::FLEX_START),
        "center" => Some(AlignContent::CENTER),
        "flex-end" => Some(AlignContent::FLEX_END),
        "stretch" => Some(AlignContent::STRETCH),
        "space-between" => Some(AlignContent::SPACE_BETWEEN),
        "space-around" => Some(AlignContent::SPACE_AROUND),
        "space-evenly" => Some(AlignContent::SPACE_EVENLY),
        _ => None,
    }
}

/// None within is what the container says.
fn alignment(value: &str) -> Option<Option<AlignItems>> {
    match value {
        "auto" => Some(None),
        "flex-start" => Some(Some(AlignItems::FLEX_START)),
        "center" => Some(Some(AlignItems::CENTER)),
        "flex-end" => Some(Some(AlignItems::FLEX_END)),
        "stretch" => Some(Some(AlignItems::STRETCH)),
        "baseline" => Some(Some(AlignItems::BASELINE)),
        _ => None,
    }
}
