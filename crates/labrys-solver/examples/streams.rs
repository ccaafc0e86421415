//! Time for one query on streams like those of real explorations: all paths of small programs,
//! walked the way the engine does it. `cargo run --release --example streams [STAGE-TO-SWITCH-OFF…]`
//! prints one line a stream.

use labrys_expr::{Arena, ExprId, Model, VarId};
use labrys_solver::{Answer, PathCondition, Solver, SolverOptions};
use std::time::Instant;

/// A program: from the conditions decided so far to the next one, or `None` at its end.
type Program<'a> = dyn FnMut(&mut Arena, &[bool]) -> Option<ExprId> + 'a;

struct Explorer {
    arena: Arena,
    solver: Solver,
    evaluate: labrys_expr::Evaluator,
    paths: u64,
    seconds: f64,
}

impl Explorer {
    fn new(options: SolverOptions) -> Result<Self, labrys_solver::SolverError> {
        Ok(Explorer {
            arena: Arena::new(),
            solver: Solver::new(options)?,
            evaluate: labrys_expr::Evaluator::new(),
            paths: 0,
            seconds: 0.0,
        })
    }

    /// Depth first: the concrete side is followed, the other becomes a candidate.
    fn run(&mut self, program: &mut Program<'_>) {
        let mut candidates: Vec<(PathCondition, Vec<bool>, ExprId, Model)> = Vec::new();
        let mut path = PathCondition::new();
        let mut model = Model::new();
        let mut decided: Vec<bool> = Vec::new();
        loop {
            while let Some(condition) = program(&mut self.arena, &decided) {
                if let Some(value) = self.arena.as_const(condition) {
                    decided.push(value == 1);
                    continue;
                }
                self.evaluate.reset();
                let taken = self.evaluate.eval(&self.arena, &model, condition) == 1;
                let negated = self.arena.not(condition);
                let (here, other) = if taken {
                    (condition, negated)
                } else {
                    (negated, condition)
                };
                let start = Instant::now();
                let mut flipped = decided.clone();
                flipped.push(!taken);
                candidates.push((path.clone(), flipped, other, model.clone()));
                path.push(&mut self.arena, here);
                self.seconds += start.elapsed().as_secs_f64();
                decided.push(taken);
            }
            self.paths += 1;
            loop {
                let Some((base, flipped, goal, hint)) = candidates.pop() else {
                    return;
                };
                let start = Instant::now();
                let answer = self.solver.solve(&mut self.arena, &base, goal, &hint);
                if let Answer::Sat(found) = answer {
                    path = base;
                    path.push(&mut self.arena, goal);
                    self.seconds += start.elapsed().as_secs_f64();
                    model = found;
                    decided = flipped;
                    break;
                }
                self.seconds += start.elapsed().as_secs_f64();
            }
        }
    }
}

fn vars(arena: &mut Arena, count: usize, width: u8) -> Vec<ExprId> {
    let new = |i: usize, arena: &mut Arena| -> VarId { arena.new_var(&format!("x{i}"), width) };
    (0..count)
        .map(|i| {
            let v = new(i, arena);
            arena.var_expr(v)
        })
        .collect()
}

/// A parser: each byte is compared with some constants in turn.
fn parser(arena: &mut Arena, bytes: &[ExprId], decided: &[bool]) -> Option<ExprId> {
    let limits = [b'<', b'>', b'a', b'z' + 1, b'0'];
    let (mut at, mut test) = (0, 0);
    for &d in decided {
        if d && test < 2 || test == 4 {
            (at, test) = (at + 1, 0);
        } else {
            test += 1;
        }
    }
    let byte = *bytes.get(at)?;
    let limit = arena.constant(8, u128::from(limits[test]));
    Some(if test < 2 {
        arena.eq(byte, limit)
    } else {
        arena.ult(byte, limit)
    })
}

/// Counting loop: every int is compared with two constants.
fn counting(arena: &mut Arena, ints: &[ExprId], decided: &[bool]) -> Option<ExprId> {
    let x = *ints.get(decided.len())?;
    let limit = arena.constant(32, 10);
    Some(arena.slt(x, limit))
}

/// The comparisons of bubble sort, with the swaps done.
fn bubble_sort(arena: &mut Arena, ints: &[ExprId], decided: &[bool]) -> Option<ExprId> {
    let mut a = ints.to_vec();
    let mut turn = 0;
    for end in (1..a.len()).rev() {
        for j in 0..end {
            match decided.get(turn) {
                None => return Some(arena.slt(a[j + 1], a[j])),
                Some(true) => a.swap(j, j + 1),
                Some(false) => {}
            }
            turn += 1;
        }
    }
    None
}

/// A running sum with a test after each addition.
fn running_sum(arena: &mut Arena, ints: &[ExprId], decided: &[bool]) -> Option<ExprId> {
    let upto = ints.get(..=decided.len())?;
    let mut sum = upto[0];
    for &x in &upto[1..] {
        sum = arena.add(sum, x);
    }
    let limit = arena.constant(32, 100);
    Some(arena.slt(sum, limit))
}

/// The shape of an aircraft's collision avoidance: sums, comparisons of inputs with each other
/// and with constants.
fn avoidance(arena: &mut Arena, x: &[ExprId], decided: &[bool]) -> Option<ExprId> {
    let c = |arena: &mut Arena, v: u128| arena.constant(32, v);
    let k = decided.len();
    let (c100, c300, c600) = (c(arena, 100), c(arena, 300), c(arena, 600));
    let shifted = arena.add(x[0], c100);
    let sum = arena.add(x[4], x[5]);
    Some(match k {
        0 => arena.slt(c600, x[0]),
        1 => arena.slt(x[1], x[2]),
        2 => arena.slt(x[2], x[1]),
        3 => arena.slt(x[3], shifted),
        4 => arena.sle(c300, x[0]),
        5 => arena.eq(x[6], x[7]),
        6 => arena.slt(sum, x[3]),
        7 => arena.ne(x[8], x[9]),
        8 => arena.slt(x[4], sum),
        9 => arena.slt(x[10], x[11]),
        10 => arena.sle(x[0], x[3]),
        11 => arena.slt(x[5], x[1]),
        _ => return None,
    })
}

/// A hash over the inputs, tested after each step: products and remainders by constants.
fn hashing(arena: &mut Arena, x: &[ExprId], decided: &[bool]) -> Option<ExprId> {
    let upto = x.get(..=decided.len())?;
    let (factor, size) = (arena.constant(32, 31), arena.constant(32, 64));
    let mut hash = arena.constant(32, 5381);
    for &byte in upto {
        let byte = arena.zext(byte, 32);
        hash = arena.mul(hash, factor);
        hash = arena.add(hash, byte);
    }
    let slot = arena.urem(hash, size);
    let wanted = arena.constant(32, 17);
    Some(arena.eq(slot, wanted))
}

/// Two strings compared with each other: many small groups.
fn strings(arena: &mut Arena, x: &[ExprId], decided: &[bool]) -> Option<ExprId> {
    let half = x.len() / 2;
    let pairs = x[..half].iter().zip(&x[half..]);
    let tests = pairs.flat_map(|(&a, &b)| [(true, a, b), (false, a, b)]);
    for (at, (same, a, b)) in tests.enumerate() {
        if at == decided.len() {
            return Some(if same {
                arena.eq(a, b)
            } else {
                arena.ult(a, b)
            });
        }
    }
    None
}

/// Doubles compared with constants and with each other, and one sum.
fn doubles(arena: &mut Arena, x: &[ExprId], decided: &[bool]) -> Option<ExprId> {
    let c = |arena: &mut Arena, v: f64| arena.constant(64, u128::from(v.to_bits()));
    let (half, ten) = (c(arena, 0.5), c(arena, 10.0));
    Some(match decided.len() {
        0 => arena.flt(x[0], half),
        1 => arena.fle(ten, x[1]),
        2 => arena.flt(x[0], x[1]),
        3 => arena.feq(x[2], half),
        4 => {
            let sum = arena.fadd(x[2], x[3]);
            arena.flt(ten, sum)
        }
        5 => {
            let square = arena.fmul(x[1], x[1]);
            arena.flt(square, ten)
        }
        6 => {
            let mean = arena.fadd(x[0], x[1]);
            let mean = arena.fmul(mean, half);
            arena.flt(x[3], mean)
        }
        _ => return None,
    })
}

/// Triangles: products of unknowns.
fn products(arena: &mut Arena, x: &[ExprId], decided: &[bool]) -> Option<ExprId> {
    let squares: Vec<ExprId> = x.iter().map(|&v| arena.mul(v, v)).collect();
    let sum = arena.add(squares[0], squares[1]);
    let quotient = arena.udiv(x[0], x[1]);
    let rest = arena.urem(x[2], x[0]);
    let (three, seven) = (arena.constant(16, 3), arena.constant(16, 7));
    Some(match decided.len() {
        0 => arena.ult(three, x[0]),
        1 => arena.ult(three, x[1]),
        2 => arena.eq(sum, squares[2]),
        3 => arena.eq(quotient, seven),
        4 => arena.ult(x[0], x[1]),
        5 => arena.eq(rest, three),
        6 => arena.ult(squares[0], squares[1]),
        _ => return None,
    })
}

fn main() -> Result<(), labrys_solver::SolverError> {
    let off: Vec<String> = std::env::args().skip(1).collect();
    let on = |name: &str| !off.iter().any(|o| o == name);
    let options = SolverOptions {
        slice: on("slice"),
        domains: on("domains"),
        order: on("order"),
        local: on("local"),
        cache: on("cache"),
        blast: on("blast"),
        ..SolverOptions::default()
    };
    type Stream = fn(&mut Arena, &[ExprId], &[bool]) -> Option<ExprId>;
    let streams: [(&str, Stream, usize, u8); 10] = [
        ("parser, 5 bytes", parser, 5, 8),
        ("parser, 6 bytes", parser, 6, 8),
        ("counting, 14 ints", counting, 14, 32),
        ("bubble sort, 6 ints", bubble_sort, 6, 32),
        ("running sum, 10 ints", running_sum, 10, 32),
        ("avoidance, 12 ints", avoidance, 12, 32),
        ("strings, 2 x 8 bytes", strings, 16, 8),
        ("hashing, 8 bytes", hashing, 8, 8),
        ("doubles, 4", doubles, 4, 64),
        ("products, 3 shorts", products, 3, 16),
    ];
    for (name, program, count, width) in streams {
        let mut explorer = Explorer::new(options.clone())?;
        let inputs = vars(&mut explorer.arena, count, width);
        explorer.run(&mut |arena, decided| program(arena, &inputs, decided));
        let s = explorer.solver.stats();
        #[allow(clippy::print_stdout)]
        {
            println!(
                "{name:22} {:8} paths {:8} queries {:7.2} us/query {:9.0} paths/s | domains {} cache {}/{} order {}/{} local {}/{} sat {}/{} {:.3}s bitwuzla {} unknown {}",
                explorer.paths,
                s.queries,
                explorer.seconds * 1e6 / s.queries as f64,
                explorer.paths as f64 / explorer.seconds,
                s.domains.answered,
                s.cache.answered,
                s.cache.asked,
                s.order.answered,
                s.order.asked,
                s.local.answered,
                s.local.asked,
                s.blast.answered,
                s.blast.asked,
                s.blast.seconds,
                s.bitwuzla.answered,
                s.unknown,
            );
        }
    }
    Ok(())
}
