//! Replays a script (see Script.swift) on kasuari, as `script.hpp` and the drivers beside it do on other solvers: prints for each
//! section its name, seconds, checksum, bytes of memory and the values of all variables.
//!
//! kasuari tells which variables changed, and its host keeps their values; so `update` takes the changes over, and a value is
//! read from the host's vector.

use std::collections::HashMap;
use std::env;
use std::fmt::Write;
use std::fs;
use std::hash::{BuildHasherDefault, Hasher};
use std::process::exit;
use std::str::{FromStr, SplitAsciiWhitespace};

use kasuari::{Constraint, Expression, RelationalOperator, Solver, Strength, Term, Variable};

#[derive(Default)]
struct Plan {
    level: usize,
    relation: i32,
    constant: f64,
    terms: Vec<(usize, f64)>,
    is_edit: bool,
}

struct Operation {
    kind: u8,
    index: usize,
    value: f64,
}

#[derive(Default)]
struct Script {
    variable_count: usize,
    non_negative: Vec<usize>,
    plans: Vec<Plan>,
    sections: Vec<(String, Vec<Operation>)>,
}

fn take<T: FromStr + Default>(words: &mut SplitAsciiWhitespace) -> T {
    words.next().and_then(|word| word.parse().ok()).unwrap_or_default()
}

fn read_script(text: &str) -> Script {
    let mut script = Script::default();
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        let Some(kind) = words.next() else { continue };
        match kind {
            "v" => script.variable_count = take(&mut words),
            "n" => script.non_negative.push(take(&mut words)),
            "c" => {
                let (level, relation, constant) = (take(&mut words), take(&mut words), take(&mut words));
                let mut terms = Vec::new();
                while let (Some(variable), Some(coefficient)) = (words.next(), words.next()) {
                    terms.push((variable.parse().unwrap(), coefficient.parse().unwrap()));
                }
                script.plans.push(Plan { level, relation, constant, terms, is_edit: false });
            }
            "e" => {
                let (level, variable, value): (usize, usize, f64) = (take(&mut words), take(&mut words), take(&mut words));
                script.plans.push(Plan { level, constant: -value, terms: vec![(variable, 1.0)], is_edit: true, ..Plan::default() });
            }
            "s" => script.sections.push((take(&mut words), Vec::new())),
            _ => {
                let operation = Operation { kind: kind.as_bytes()[0], index: take(&mut words), value: take(&mut words) };
                script.sections.last_mut().expect("an operation before any section").1.push(operation);
            }
        }
    }
    script
}

/// A variable's hash is its number: the host's table is not what is measured.
#[derive(Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | byte as u64;
        }
    }

    fn write_usize(&mut self, value: usize) {
        self.0 = value as u64;
    }
}

#[derive(Default)]
struct Replayer {
    solver: Solver,
    variables: Vec<Variable>,
    places: HashMap<Variable, usize, BuildHasherDefault<Identity>>,
    values: Vec<f64>,
    made: Vec<Option<Constraint>>,
}

impl Replayer {
    /// As kiwi's driver weighs them.
    fn strength(level: usize) -> Strength {
        let weights = [1e6, 1e3, 1.0, 1_001_000_999.0, 100_100_100.0, 1e8, 1e3, 100.0, 1.0];
        if level == 0 { Strength::REQUIRED } else { Strength::new(weights[level - 1]) }
    }

    fn make_variables(&mut self, script: &Script) {
        self.made.resize(script.plans.len(), None);
        self.values.resize(script.variable_count, 0.0);
        for place in 0..script.variable_count {
            let variable = Variable::new();
            self.variables.push(variable);
            self.places.insert(variable, place);
        }
        for &place in &script.non_negative {
            let expression = Expression::from_variable(self.variables[place]);
            let constraint = Constraint::new(expression, RelationalOperator::GreaterOrEqual, Strength::REQUIRED);
            self.solver.add_constraint(constraint).unwrap();
        }
    }

    fn add(&mut self, script: &Script, index: usize) {
        let plan = &script.plans[index];
        if plan.is_edit {
            let variable = self.variables[plan.terms[0].0];
            self.solver.add_edit_variable(variable, Self::strength(plan.level)).unwrap();
            self.solver.suggest_value(variable, -plan.constant).unwrap();
            return;
        }
        let terms = plan.terms.iter().map(|&(place, coefficient)| Term::new(self.variables[place], coefficient)).collect();
        let relation = match plan.relation {
            ..=-1 => RelationalOperator::LessOrEqual,
            0 => RelationalOperator::Equal,
            1.. => RelationalOperator::GreaterOrEqual,
        };
        let constraint = Constraint::new(Expression::new(terms, plan.constant), relation, Self::strength(plan.level));
        self.solver.add_constraint(constraint.clone()).unwrap();
        self.made[index] = Some(constraint);
    }

    fn remove(&mut self, index: usize) {
        if let Some(constraint) = self.made[index].take() {
            self.solver.remove_constraint(&constraint).unwrap();
        }
    }

    fn suggest(&mut self, script: &Script, index: usize, value: f64) {
        self.solver.suggest_value(self.variables[script.plans[index].terms[0].0], value).unwrap();
    }

    fn update(&mut self) {
        for (variable, value) in self.solver.fetch_changes() {
            self.values[self.places[variable]] = *value;
        }
    }
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

/// Seconds of processor time that this process has used; other processes' work does not count.
fn processor_time() -> f64 {
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the structure is as large as the system's on 64 bits, and the call writes nothing else.
    unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

/// Bytes of memory that this process has in use, as the kernel counts them (resident, anonymous).
fn resident_bytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|text| text.split_ascii_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) * 1024.0
}

fn main() {
    let words: Vec<String> = env::args().collect();
    if !(2..=3).contains(&words.len()) {
        eprintln!("usage: kasuari_driver SCRIPT [COUNT]");
        exit(64);
    }
    let Ok(text) = fs::read_to_string(&words[1]) else {
        eprintln!("cannot read {}", words[1]);
        exit(66);
    };
    let mut script = read_script(&text);
    drop(text);
    if let Some(count) = words.get(2).and_then(|word| word.parse().ok()) {
        script.sections.truncate(count);
    }
    let mut replayer = Replayer::default();
    let empty = resident_bytes();
    for (position, (name, operations)) in script.sections.iter().enumerate() {
        let mut checksum = 0.0;
        let is_new = position == 0 || operations.first().is_some_and(|operation| operation.kind == b'x');
        if is_new {
            replayer = Replayer::default();
        }
        let start = processor_time();
        if is_new {
            replayer.make_variables(&script);
        }
        for operation in operations {
            match operation.kind {
                b'a' => replayer.add(&script, operation.index),
                b'r' => replayer.remove(operation.index),
                b'k' => replayer.suggest(&script, operation.index, operation.value),
                b'u' => replayer.update(),
                b'g' => checksum += replayer.values[operation.index],
                b'G' => checksum += replayer.values.iter().sum::<f64>(),
                _ => {}
            }
        }
        let seconds = processor_time() - start;
        let mut line = format!("{name} {seconds:.9} {checksum} {:.0}", resident_bytes() - empty);
        for value in &replayer.values {
            write!(line, " {value}").unwrap();
        }
        println!("{line}");
    }
}
