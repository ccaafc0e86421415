//! The inputs of a test as a reader sees them: numbers, floats and characters, each made of one
//! variable or of several bytes.

use crate::builtins::Scalar;
use crate::inputs::{Input, InputKind};
use labrys_expr::{Arena, ExprId, Model, VarId};
use labrys_ledger::InputType;

/// What a value is to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Signed,
    Unsigned,
    Enum,
    Bool,
    Float,
    Char,
    /// A choice between pointers, or something that no reader knows: it stays as it is.
    Fixed,
}

/// A value of an input.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Its variables from the lowest byte up, each with its size in bytes.
    pub(crate) pieces: Vec<(VarId, u32)>,
    pub(crate) sort: Sort,
}

impl Field {
    pub(crate) fn width(&self) -> u8 {
        (self.pieces.iter().map(|(_, bytes)| bytes).sum::<u32>() * 8).min(128) as u8
    }

    pub(crate) fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.pieces.iter().map(|(var, _)| *var)
    }

    pub(crate) fn value(&self, model: &Model) -> u64 {
        let mut value = 0u64;
        let mut at = 0;
        for (var, bytes) in &self.pieces {
            value |= model.get(*var).checked_shl(at).unwrap_or(0);
            at += bytes * 8;
        }
        value
    }

    /// The variables with what they have if the field has this value.
    pub(crate) fn parts(&self, value: u64) -> impl Iterator<Item = (VarId, u64)> + '_ {
        let mut rest = value;
        self.pieces.iter().map(move |(var, bytes)| {
            let bits = bytes * 8;
            let part = rest & (u64::MAX >> (64 - bits.min(64)));
            rest = rest.checked_shr(bits).unwrap_or(0);
            (*var, part)
        })
    }

    /// The field as an expression.
    pub(crate) fn term(&self, arena: &mut Arena) -> Option<ExprId> {
        let mut pieces = self.pieces.iter();
        let mut term = arena.var_expr(pieces.next()?.0);
        for (var, _) in pieces {
            let high = arena.var_expr(*var);
            term = arena.concat(high, term);
        }
        Some(term)
    }
}

/// The fields of an input, in order. Nothing is left out: what is not understood is fixed.
pub(crate) fn fields_of(input: &Input, ty: Option<&InputType>) -> Vec<Field> {
    let pieces = &input.pieces[..];
    let whole = |sort| {
        let pieces = pieces.to_vec();
        vec![Field { pieces, sort }]
    };
    match input.kind {
        InputKind::Pick { .. } => whole(Sort::Fixed),
        InputKind::Scalar(scalar) => {
            let known = ty.and_then(scalar_sort).filter(|sort| *sort != Sort::Fixed);
            whole(known.unwrap_or_else(|| sort_of(scalar)))
        }
        InputKind::Memory => {
            let typed = ty.and_then(|ty| by_type(pieces, ty));
            typed.unwrap_or_else(|| by_piece(pieces))
        }
    }
}

fn sort_of(scalar: Scalar) -> Sort {
    match scalar {
        Scalar::Bool => Sort::Bool,
        Scalar::Char => Sort::Char,
        _ if scalar.is_float() => Sort::Float,
        _ if scalar.is_signed() => Sort::Signed,
        _ => Sort::Unsigned,
    }
}

/// The sort of a type that is not made of others.
fn scalar_sort(ty: &InputType) -> Option<Sort> {
    match ty {
        InputType::Int { name, .. } if name.ends_with("_Bool") => Some(Sort::Bool),
        InputType::Int { name, .. } if name.starts_with("enum ") => Some(Sort::Enum),
        InputType::Int { name, bits: 8, .. } if matches!(name.as_str(), "char" | "const char") => {
            Some(Sort::Char)
        }
        InputType::Int { bits, .. } if *bits > 64 => Some(Sort::Fixed),
        InputType::Int { signed: true, .. } => Some(Sort::Signed),
        InputType::Int { signed: false, .. } => Some(Sort::Unsigned),
        InputType::Float { bits: 32 | 64, .. } => Some(Sort::Float),
        InputType::Float { .. } | InputType::Pick { .. } => Some(Sort::Fixed),
        _ => None,
    }
}

/// Memory whose type is not known: bytes are taken for text.
fn by_piece(pieces: &[(VarId, u32)]) -> Vec<Field> {
    let field = |piece: &(VarId, u32)| Field {
        pieces: vec![*piece],
        sort: if piece.1 == 1 {
            Sort::Char
        } else {
            Sort::Signed
        },
    };
    pieces.iter().map(field).collect()
}

/// Memory of a known type, unless its variables are cut in another way.
fn by_type(pieces: &[(VarId, u32)], ty: &InputType) -> Option<Vec<Field>> {
    let mut parts = Vec::new();
    flatten(ty, 0, &mut parts);
    let mut fields = Vec::new();
    let (mut at, mut next) = (0u64, 0);
    for (offset, size, sort) in parts {
        // A union: its first member stands for all.
        if offset < at {
            continue;
        }
        // Padding, and bit-fields.
        let gap = take(pieces, &mut next, offset - at)?;
        if !gap.is_empty() {
            let (pieces, sort) = (gap, Sort::Fixed);
            fields.push(Field { pieces, sort });
        }
        let own = take(pieces, &mut next, size)?;
        if own.is_empty() {
            return Some(fields);
        }
        let sort = if size > 8 { Sort::Fixed } else { sort };
        fields.push(Field { pieces: own, sort });
        at = offset + size;
    }
    let rest = pieces[next..].iter().map(|piece| Field {
        pieces: vec![*piece],
        sort: Sort::Fixed,
    });
    fields.extend(rest);
    Some(fields)
}

/// The next pieces, which have together this size, or nothing where the input ends; `None` if
/// they have another size.
fn take(pieces: &[(VarId, u32)], next: &mut usize, size: u64) -> Option<Vec<(VarId, u32)>> {
    let mut taken = Vec::new();
    let mut bytes = 0;
    while bytes < size {
        let Some(piece) = pieces.get(*next) else {
            return taken.is_empty().then_some(taken);
        };
        *next += 1;
        bytes += u64::from(piece.1);
        taken.push(*piece);
    }
    (bytes == size).then_some(taken)
}

/// Offset, size and sort of everything in a type that is not made of others.
fn flatten(ty: &InputType, offset: u64, into: &mut Vec<(u64, u64, Sort)>) {
    match ty {
        InputType::Array { element, count } => {
            let size = size_of(element);
            for i in 0..*count {
                flatten(element, offset + i * size, into);
            }
        }
        InputType::Struct { fields, .. } => {
            for field in fields.iter().filter(|field| field.bits.is_none()) {
                flatten(&field.ty, offset + field.offset, into);
            }
        }
        InputType::Bytes { size } => {
            into.extend((0..*size).map(|i| (offset + i, 1, Sort::Char)));
        }
        _ => into.push((
            offset,
            size_of(ty),
            scalar_sort(ty).unwrap_or(Sort::Fixed),
        )),
    }
}

fn size_of(ty: &InputType) -> u64 {
    match ty {
        InputType::Int { bits, .. } => u64::from(*bits) / 8,
        // x87's ten bytes stand in sixteen.
        InputType::Float { bits, .. } => u64::from(*bits).next_power_of_two() / 8,
        InputType::Pick { .. } => 8,
        InputType::Array { element, count } => size_of(element) * count,
        InputType::Struct { size, .. } | InputType::Bytes { size } => *size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use labrys_ledger::Field as Member;

    fn int(name: &str, bits: u32, signed: bool) -> InputType {
        let name = name.to_owned();
        InputType::Int { name, bits, signed }
    }

    fn bytes(count: u32) -> Vec<(VarId, u32)> {
        (0..count).map(|i| (VarId(i), 1)).collect()
    }

    fn member(name: &str, offset: u64, ty: InputType) -> Member {
        Member {
            name: name.to_owned(),
            offset,
            bits: None,
            ty,
        }
    }

    #[test]
    fn a_structure_of_bytes_is_read_by_its_members() {
        let ty = InputType::Struct {
            name: "struct s".to_owned(),
            size: 12,
            fields: vec![
                member("c", 0, int("char", 8, true)),
                member("n", 4, int("unsigned int", 32, false)),
                member("w", 8, InputType::Float { name: "float".to_owned(), bits: 32 }),
            ],
        };
        let fields = by_type(&bytes(12), &ty).unwrap();
        let sorts: Vec<(Sort, u8)> = fields.iter().map(|f| (f.sort, f.width())).collect();
        let expected = [
            (Sort::Char, 8),
            (Sort::Fixed, 24),
            (Sort::Unsigned, 32),
            (Sort::Float, 32),
        ];
        assert_eq!(sorts, expected);
        let mut model = Model::new();
        for (var, part) in fields[2].parts(0x0102_0304) {
            model.set(var, part);
        }
        assert_eq!(fields[2].value(&model), 0x0102_0304);
        assert_eq!(model.get(VarId(4)), 4);
    }

    #[test]
    fn variables_that_are_cut_otherwise_are_taken_as_they_are() {
        let pieces = [(VarId(0), 8), (VarId(1), 8)];
        let ty = InputType::Array {
            element: Box::new(int("int", 32, true)),
            count: 4,
        };
        assert!(by_type(&pieces, &ty).is_none());
        assert_eq!(by_piece(&pieces).len(), 2);
    }

    #[test]
    fn an_array_that_is_longer_than_its_input() {
        let pieces = [(VarId(0), 4), (VarId(1), 4)];
        let ty = InputType::Array {
            element: Box::new(int("int", 32, true)),
            count: 4,
        };
        let fields = by_type(&pieces, &ty);
        assert_eq!(fields.unwrap().len(), 2);
    }
}
