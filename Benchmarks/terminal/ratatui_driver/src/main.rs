//! Draws finished pictures with ratatui, as `terminal-bench pictures` wrote them:
//!
//!     ratatui_driver PICTURES [OUTPUT]
//!
//! Prints on standard error the microseconds of processor time a frame for putting the cells into the frame's buffer, those for the
//! rest of `Terminal::draw`, and the bytes a frame. OUTPUT gets the bytes of all frames. The bytes are made in memory, as ours are:
//! the backend writes to a vector, which is also the fastest that it can write to.
//!
//! What a cell says is made ready before the clock runs. All cells are put for each frame, as ratatui begins each with an empty
//! buffer; blanks have a colour only, as they do in that. The viewport is fixed, so that ratatui does not ask for the terminal's size.

use std::collections::HashMap;
use std::io::Write;

use ratatui_core::layout::Rect;
use ratatui_core::style::Color;
use ratatui_core::terminal::{Terminal, TerminalOptions, Viewport};
use ratatui_crossterm::CrosstermBackend;

/// What a cell of a picture says.
struct Look {
    symbol: Option<String>,
    foreground: Color,
    background: Color,
}

fn color(packed: u32) -> Color {
    match packed.to_be_bytes() {
        [0, ..] => Color::Reset,
        [_, red, green, blue] => Color::Rgb(red, green, blue),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let data = std::fs::read(&arguments[1]).expect("pictures");
    let mut numbers = data.chunks_exact(4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let mut number = || numbers.next().expect("a whole file");
    let (columns, rows, frames, warmup) = (number(), number(), number() as usize, number() as usize);
    let cells = (columns * rows) as usize;

    let mut looks: Vec<Look> = Vec::new();
    let mut places = HashMap::new();
    let pictures: Vec<u32> = (0..frames * cells)
        .map(|_| {
            let key = (number(), number(), number());
            *places.entry(key).or_insert_with(|| {
                let (character, foreground, background) = (char::from_u32(key.0).expect("a scalar"), color(key.1), color(key.2));
                let symbol = Some(character).filter(|&character| character != ' ').map(String::from);
                looks.push(Look { symbol, foreground, background });
                looks.len() as u32 - 1
            })
        })
        .collect();
    drop(data);

    let viewport = Viewport::Fixed(Rect::new(0, 0, columns as u16, rows as u16));
    let mut terminal =
        Terminal::with_options(CrosstermBackend::new(Vec::<u8>::new()), TerminalOptions { viewport }).expect("a terminal");
    let mut output = arguments.get(2).map(|path| std::fs::File::create(path).expect("a file"));
    let (mut putting, mut rendering, mut bytes) = (0.0, 0.0, 0);
    for (index, picture) in pictures.chunks_exact(cells).enumerate() {
        let start = microseconds();
        let mut put = start;
        terminal
            .draw(|frame| {
                for (cell, &look) in frame.buffer_mut().content.iter_mut().zip(picture) {
                    let look = &looks[look as usize];
                    if let Some(symbol) = &look.symbol {
                        cell.set_symbol(symbol);
                    }
                    cell.fg = look.foreground;
                    cell.bg = look.background;
                }
                put = microseconds();
            })
            .expect("a frame");
        let end = microseconds();
        let written = terminal.backend_mut().writer_mut();
        if index >= warmup {
            putting += put - start;
            rendering += end - put;
            bytes += written.len();
        }
        if let Some(file) = &mut output {
            file.write_all(written).expect("output");
        }
        written.clear();
    }
    let counted = (frames - warmup) as f64;
    eprintln!("{} {} {}", putting / counted, rendering / counted, bytes as f64 / counted);
}

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

// Its value on Linux: there is no crate for it without another dependency.
const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;

/// The processor time that this process has used; other processes' work does not count.
fn microseconds() -> f64 {
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the structure is as large as the system's on 64 bits, and the call writes nothing else.
    unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.seconds as f64 * 1e6 + time.nanoseconds as f64 / 1e3
}
