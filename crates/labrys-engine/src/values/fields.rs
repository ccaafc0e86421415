//! The inputs of a test as a reader sees them: numbers, floats and characters, each made of one
//! variable or of several bytes.

use crate::inputs::{Input, InputKind, Scalar};
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

/// Bytes of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) var: VarId,
    /// The first of the bytes, from the lowest of the variable.
    low: u32,
    bytes: u32,
}

impl Piece {
    fn whole((var, bytes): &(VarId, u32)) -> Self {
        let (var, low, bytes) = (*var, 0, *bytes);
        Piece { var, low, bytes }
    }

    /// Its bytes as a set.
    pub(crate) fn mask(self) -> u8 {
        (((1u32 << self.bytes) - 1) << self.low) as u8
    }

    pub(crate) fn bytes(self) -> u32 {
        self.bytes
    }

    fn ones(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes)
    }

    fn shift(self) -> u32 {
        8 * self.low
    }
}

/// An input with its fields.
pub(crate) struct KnownInput {
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
}

/// A value of an input.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Where it is, from its lowest byte up.
    pub(crate) pieces: Vec<Piece>,
    pub(crate) sort: Sort,
}

impl Field {
    pub(crate) fn width(&self) -> u8 {
        let bytes: u32 = self.pieces.iter().map(|piece| piece.bytes).sum();
        (bytes * 8).min(128) as u8
    }

    pub(crate) fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.pieces.iter().map(|piece| piece.var)
    }

    pub(crate) fn value(&self, model: &Model) -> u64 {
        let mut value = 0u64;
        let mut at = 0;
        for piece in &self.pieces {
            let part = model.get(piece.var) >> piece.shift() & piece.ones();
            value |= part.checked_shl(at).unwrap_or(0);
            at += piece.bytes * 8;
        }
        value
    }

    /// Gives the field a value.
    pub(crate) fn assign(&self, model: &mut Model, value: u64) {
        let mut rest = value;
        for piece in &self.pieces {
            let part = (rest & piece.ones()) << piece.shift();
            let others = model.get(piece.var) & !(piece.ones() << piece.shift());
            model.set(piece.var, others | part);
            rest = rest.checked_shr(piece.bytes * 8).unwrap_or(0);
        }
    }

    /// The field as an expression.
    pub(crate) fn term(&self, arena: &mut Arena) -> Option<ExprId> {
        let mut term = None;
        for piece in &self.pieces {
            let var = arena.var_expr(piece.var);
            let part = arena.extract(var, piece.shift(), (8 * piece.bytes) as u8);
            term = Some(match term {
                Some(low) => arena.concat(part, low),
                None => part,
            });
        }
        term
    }
}

/// The fields of an input, in order. Nothing is left out: what is not understood is fixed.
pub(crate) fn fields_of(input: &Input, ty: Option<&InputType>) -> Vec<Field> {
    let pieces = &input.pieces[..];
    let whole = |sort| {
        let pieces = pieces.iter().map(Piece::whole).collect();
        vec![Field { pieces, sort }]
    };
    match input.kind {
        InputKind::Pick { .. } => whole(Sort::Fixed),
        InputKind::Scalar(scalar) => {
            let known = ty.and_then(scalar_sort).filter(|sort| *sort != Sort::Fixed);
            whole(known.unwrap_or_else(|| sort_of(scalar)))
        }
        InputKind::Memory => match ty {
            Some(ty) => by_type(pieces, ty),
            None => by_piece(pieces),
        },
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
        pieces: vec![Piece::whole(piece)],
        sort: if piece.1 == 1 {
            Sort::Char
        } else {
            Sort::Signed
        },
    };
    pieces.iter().map(field).collect()
}

/// Memory of a known type. Padding and bit-fields are fixed; of a union the first member counts.
fn by_type(pieces: &[(VarId, u32)], ty: &InputType) -> Vec<Field> {
    let mut parts = Vec::new();
    flatten(ty, 0, &mut parts);
    let size: u64 = pieces.iter().map(|(_, bytes)| u64::from(*bytes)).sum();
    let mut bytes = VariableBytes {
        pieces,
        next: 0,
        low: 0,
    };
    let mut fields = Vec::new();
    let mut at = 0;
    for (offset, length, sort) in parts {
        if offset < at || offset + length > size {
            continue;
        }
        fields.extend(bytes.field(offset - at, Sort::Fixed));
        let sort = if length > 8 { Sort::Fixed } else { sort };
        fields.extend(bytes.field(length, sort));
        at = offset + length;
    }
    fields.extend(bytes.field(size - at, Sort::Fixed));
    fields
}

/// Takes the bytes of variables, one after the other.
struct VariableBytes<'a> {
    pieces: &'a [(VarId, u32)],
    next: usize,
    low: u32,
}

impl VariableBytes<'_> {
    /// The next bytes as a field, if there are any.
    fn field(&mut self, count: u64, sort: Sort) -> Option<Field> {
        let mut pieces = Vec::new();
        let mut left = count;
        while left > 0
            && let Some((var, size)) = self.pieces.get(self.next)
        {
            let bytes = u64::from(size - self.low).min(left) as u32;
            pieces.push(Piece {
                var: *var,
                low: self.low,
                bytes,
            });
            left -= u64::from(bytes);
            self.low += bytes;
            if self.low == *size {
                (self.next, self.low) = (self.next + 1, 0);
            }
        }
        (!pieces.is_empty()).then_some(Field { pieces, sort })
    }
}

/// Offset, size and sort of everything in a type that is not made of others.
fn flatten(ty: &InputType, offset: u64, into: &mut Vec<(u64, u64, Sort)>) {
    match ty {
        InputType::Array { element, count } => {
            let size = size_of(element);
            let first = into.len();
            for i in 0..*count {
                flatten(element, offset + i * size, into);
            }
            if is_text(element) {
                let elements = into[first..].iter_mut();
                elements.for_each(|(_, _, sort)| *sort = Sort::Char);
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
        _ => into.push((offset, size_of(ty), scalar_sort(ty).unwrap_or(Sort::Fixed))),
    }
}

/// Are several of these a text? `unsigned char` alone is a number.
fn is_text(element: &InputType) -> bool {
    matches!(element, InputType::Int { name, bits: 8, .. } if name.ends_with("char"))
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
    use labrys_ledger::InputField as Member;

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
        let float = InputType::Float {
            name: "float".to_owned(),
            bits: 32,
        };
        let ty = InputType::Struct {
            name: "struct s".to_owned(),
            size: 12,
            fields: vec![
                member("c", 0, int("char", 8, true)),
                member("n", 4, int("unsigned int", 32, false)),
                member("w", 8, float),
            ],
        };
        let fields = by_type(&bytes(12), &ty);
        let sorts: Vec<(Sort, u8)> = fields.iter().map(|f| (f.sort, f.width())).collect();
        let expected = [
            (Sort::Char, 8),
            (Sort::Fixed, 24),
            (Sort::Unsigned, 32),
            (Sort::Float, 32),
        ];
        assert_eq!(sorts, expected);
        let mut model = Model::new();
        fields[2].assign(&mut model, 0x0102_0304);
        assert_eq!(fields[2].value(&model), 0x0102_0304);
        assert_eq!(model.get(VarId(4)), 4);
        assert_eq!(model.get(VarId(8)), 0);
    }

    #[test]
    fn several_values_in_one_variable() {
        let pieces = [(VarId(0), 8)];
        let ty = InputType::Array {
            element: Box::new(int("char", 8, true)),
            count: 8,
        };
        let fields = by_type(&pieces, &ty);
        assert_eq!(fields.len(), 8);
        let mut model = Model::new();
        model.set(VarId(0), 0x1111_1111_1111_1111);
        fields[2].assign(&mut model, 0xab);
        assert_eq!(model.get(VarId(0)), 0x1111_1111_11ab_1111);
        assert_eq!(fields[2].value(&model), 0xab);
        let all = fields.iter().flat_map(|f| &f.pieces);
        assert_eq!(all.fold(0, |set, piece| set | piece.mask()), 0xff);
    }

    #[test]
    fn an_input_that_is_shorter_than_its_type() {
        let pieces = [(VarId(0), 4), (VarId(1), 4)];
        let ty = InputType::Array {
            element: Box::new(int("int", 32, true)),
            count: 4,
        };
        assert_eq!(by_type(&pieces, &ty).len(), 2);
        assert_eq!(by_piece(&pieces).len(), 2);
    }
}
