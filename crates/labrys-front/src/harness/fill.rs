//! Writes the C statements that make an object of any type an input: scalars by a call each, arrays
//! without pointers as bytes, structures member by member.

use super::{HarnessWriter, MAX_BYTES_PER_ELEMENT, MAX_UNROLLED};
use crate::types::{CType, FieldInfo, TypeShape};
use labrys_ledger::InputType;
use labrys_ledger::protocol::limit;

impl<'a> HarnessWriter<'a> {
    /// Fills the object `lvalue` of type `ty`, called `path` in a test. `constant` says that
    /// something around it is `const`, so that it cannot be assigned to. `level` counts the
    /// pointers that led here.
    pub(super) fn fill(
        &mut self,
        lvalue: &str,
        ty: &CType,
        path: &str,
        level: u32,
        constant: bool,
    ) {
        let constant = constant || ty.is_const();
        if self.is_private(ty) {
            return self.zero(lvalue);
        }
        match &ty.canonical().shape {
            TypeShape::Int { .. } | TypeShape::Float { .. } | TypeShape::Enum(_) => {
                self.scalar(lvalue, ty, path, constant);
            }
            TypeShape::Pointer(_) if self.types().is_va_list(ty) => self.opaque(lvalue, ty, path),
            TypeShape::Pointer(_) => self.pointer(lvalue, ty, path, level, constant),
            TypeShape::Array(element, Some(count)) => {
                self.array(lvalue, element, *count, path, level, constant);
            }
            TypeShape::Array(_, None)
            | TypeShape::Void
            | TypeShape::Function(_)
            | TypeShape::Named(..) => {}
            TypeShape::Record(index) => {
                if self.types().records[*index].union {
                    self.union(lvalue, ty, *index, path, level, constant);
                } else {
                    self.members(lvalue, *index, path, level, constant);
                }
            }
            TypeShape::Opaque(_) => self.opaque(lvalue, ty, path),
        }
    }

    fn scalar(&mut self, lvalue: &str, ty: &CType, path: &str, constant: bool) {
        let input = self.types().input_type(ty);
        let getter = match &input {
            InputType::Int { .. } => int_getter(self.underlying(ty)),
            InputType::Float { bits, name } if *bits <= 64 => match name.as_str() {
                "float" => Some("float"),
                "double" => Some("double"),
                _ => None,
            },
            _ => None,
        };
        let name = self.input(path, input);
        match getter {
            Some(getter) if !constant => {
                self.statement(format!("{lvalue} = labrys_{getter}({name});"))
            }
            _ => self.statement(symbolic(lvalue, &name)),
        }
    }

    fn underlying(&self, ty: &CType) -> &'static str {
        let mut ty = ty.canonical();
        if let TypeShape::Enum(index) = ty.shape {
            ty = self.types().enums[index].underlying.canonical();
        }
        match ty.shape {
            TypeShape::Int { name, .. } => name,
            _ => "",
        }
    }

    fn opaque(&mut self, lvalue: &str, ty: &CType, path: &str) {
        let spelled = self.types().spell(ty);
        if spelled.contains('*') || spelled.contains("va_list") {
            self.note_on_input(
                path,
                &format!("type '{spelled}' is not understood, it stays empty"),
            );
            return self.zero(lvalue);
        }
        let size = self.types().size(ty).unwrap_or(0);
        let name = self.input(path, InputType::Bytes { size });
        self.statement(symbolic(lvalue, &name));
    }

    fn array(
        &mut self,
        lvalue: &str,
        element: &CType,
        count: u64,
        path: &str,
        level: u32,
        constant: bool,
    ) {
        if count == 0 {
            return;
        }
        let plain = !self.types().has_pointers(element);
        let simple = plain && !matches!(self.innermost(element).shape, TypeShape::Record(_));
        let leaves = self.input_count(element).saturating_mul(count);
        if simple || plain && leaves > MAX_UNROLLED {
            return self.plain_array(lvalue, element, count, path);
        }
        let filled = if plain { count } else { count.min(16) };
        if filled < count {
            self.note_on_input(
                path,
                &format!("only the first {filled} of {count} elements are inputs"),
            );
            self.rest_is_zero(lvalue, filled);
        }
        for i in 0..filled {
            self.fill(
                &format!("{lvalue}[{i}]"),
                element,
                &format!("{path}[{i}]"),
                level,
                constant,
            );
        }
    }

    /// An array without pointers, as one input. Of a very large one only the beginning is an
    /// input: programs rarely look at more, and every byte costs.
    fn plain_array(&mut self, lvalue: &str, element: &CType, count: u64, path: &str) {
        let size = self.types().size(element).unwrap_or(1).max(1);
        let most = MAX_BYTES_PER_ELEMENT * u64::from(self.context.options.array_len.max(1));
        let filled = count.min((most / size).max(1));
        let ty = CType::from(TypeShape::Array(Box::new(element.clone()), Some(filled)));
        let name = self.input(path, self.types().input_type(&ty));
        if filled == count {
            return self.statement(symbolic(lvalue, &name));
        }
        self.statement(format!(
            "labrys_symbolic((void *)&{lvalue}, {filled} * sizeof {lvalue}[0], {name});"
        ));
        self.rest_is_zero(lvalue, filled);
        self.note_on_input(
            path,
            &format!("only the first {filled} of {count} elements are inputs"),
        );
    }

    /// The elements from `filled` on are zero, which is only a limit of the harness.
    fn rest_is_zero(&mut self, lvalue: &str, filled: u64) {
        let rest = format!("sizeof {lvalue} - {filled} * sizeof {lvalue}[0]");
        self.statement(format!(
            "__builtin_memset((void *)&{lvalue}[{filled}], 0, {rest});"
        ));
        self.limit(
            &format!("(const void *)&{lvalue}[{filled}]"),
            &rest,
            limit::ARRAY_LEN,
        );
    }

    fn members(&mut self, lvalue: &str, index: usize, path: &str, level: u32, constant: bool) {
        let types = self.types();
        for field in &types.records[index].fields {
            if field.name.is_empty() {
                // The members of an anonymous structure are members of the one around it; an
                // anonymous union overlaps.
                match &field.ty.canonical().shape {
                    TypeShape::Record(inner) if types.records[*inner].union => {
                        self.anonymous_union(lvalue, field, *inner, path, level, constant);
                    }
                    TypeShape::Record(inner) => self.members(lvalue, *inner, path, level, constant),
                    _ => {}
                }
            } else {
                self.member(lvalue, field, path, level, constant);
            }
        }
    }

    pub(super) fn member(
        &mut self,
        lvalue: &str,
        field: &FieldInfo,
        path: &str,
        level: u32,
        constant: bool,
    ) {
        let place = format!("{lvalue}.{}", field.name);
        let path = match path.strip_suffix("->") {
            Some(pointer) => format!("{pointer}->{}", field.name),
            None => format!("{path}.{}", field.name),
        };
        if field.bits.is_some() {
            if constant || field.ty.is_const() {
                return self.note_on_input(&path, "a constant bit-field, it stays 0");
            }
            let input = self.types().input_type(&field.ty);
            let getter = int_getter(self.underlying(&field.ty)).unwrap_or("int");
            let name = self.input(&path, input);
            return self.statement(format!("{place} = labrys_{getter}({name});"));
        }
        self.fill(&place, &field.ty, &path, level, constant);
    }

    /// The element type of arrays of arrays.
    fn innermost<'t>(&self, ty: &'t CType) -> &'t CType {
        let mut ty = ty.canonical();
        while let TypeShape::Array(element, _) = &ty.shape {
            ty = element.canonical();
        }
        ty
    }

    /// How many inputs a value of the type takes when it is filled member by member.
    pub(super) fn input_count(&self, ty: &CType) -> u64 {
        match &ty.canonical().shape {
            TypeShape::Array(element, Some(count)) => match self.innermost(element).shape {
                TypeShape::Record(_) => self.input_count(element).saturating_mul(*count),
                _ => 1,
            },
            TypeShape::Record(index) => {
                let fields = &self.types().records[*index].fields;
                fields
                    .iter()
                    .map(|f| self.input_count(&f.ty))
                    .fold(0, u64::saturating_add)
                    .max(1)
            }
            _ => 1,
        }
    }
}

/// The statement that makes an object an input, bytewise.
pub(super) fn symbolic(lvalue: &str, name: &str) -> String {
    format!("labrys_symbolic((void *)&{lvalue}, sizeof {lvalue}, {name});")
}

/// The suffix of the `labrys_` function that returns an integer type.
pub(crate) fn int_getter(name: &str) -> Option<&'static str> {
    Some(match name {
        "_Bool" => "bool",
        "char" => "char",
        "signed char" => "schar",
        "unsigned char" => "uchar",
        "short" => "short",
        "unsigned short" => "ushort",
        "int" => "int",
        "unsigned int" => "uint",
        "long" => "long",
        "unsigned long" => "ulong",
        "long long" => "llong",
        "unsigned long long" => "ullong",
        _ => return None,
    })
}
