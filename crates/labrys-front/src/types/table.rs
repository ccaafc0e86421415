//! The named types of a translation unit, collected from its syntax tree; resolves the text of a
//! type against them, and spells a type in C again.

use super::parse::TypeParser;
use super::{CType, TypeShape, pack};
use crate::ast::{AstKind, AstNode, TypeText};
use crate::consteval;
use crate::source::PreprocessedText;
use std::collections::BTreeMap;
use std::sync::Arc;

/// All typedefs, structures, unions and enumerations of a translation unit.
#[derive(Debug, Default)]
pub(crate) struct TypeTable {
    pub records: Vec<RecordInfo>,
    pub enums: Vec<EnumInfo>,
    typedefs: BTreeMap<Arc<str>, CType>,
    /// `struct name`, `enum name` or, for unnamed ones, `file:line:column`.
    tags: BTreeMap<String, TagTarget>,
    by_id: BTreeMap<u64, TagTarget>,
    /// Values of enumerators by the id of their declaration.
    pub enumerators: BTreeMap<u64, i128>,
}

#[derive(Debug, Clone, Copy)]
enum TagTarget {
    Record(usize),
    Enum(usize),
}

/// What `#pragma pack` says of a structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PackPragma {
    No,
    /// No member has a larger alignment.
    At(u64),
    Unknown,
}

#[derive(Debug)]
pub(crate) struct RecordInfo {
    /// How C code names it: `struct node`, or a typedef name; `None` if it has no name at all.
    pub spelling: Option<Arc<str>>,
    pub union: bool,
    pub complete: bool,
    pub packed: bool,
    pub pragma: PackPragma,
    pub aligned: Option<u64>,
    pub fields: Vec<FieldInfo>,
}

#[derive(Debug)]
pub(crate) struct FieldInfo {
    /// Empty for anonymous structures and unions and for unnamed bit-fields.
    pub name: Arc<str>,
    pub ty: CType,
    pub bits: Option<u32>,
    pub packed: bool,
    pub aligned: Option<u64>,
}

#[derive(Debug)]
pub(crate) struct EnumInfo {
    pub spelling: Option<Arc<str>>,
    pub underlying: CType,
    /// Its enumerators in order.
    pub values: Vec<(Arc<str>, i128)>,
}

impl TypeTable {
    /// Collects the types of a whole tree.
    pub(crate) fn collect(root: &AstNode, source: &PreprocessedText) -> TypeTable {
        let mut types = TypeTable::default();
        types.node(root, source);
        types
    }

    fn node(&mut self, node: &AstNode, source: &PreprocessedText) {
        match node.kind {
            AstKind::RecordDecl => self.record(node, source),
            AstKind::EnumDecl => self.enumeration(node, source),
            AstKind::TypedefDecl => self.define_typedef(node),
            _ => {
                for child in &node.inner {
                    self.node(child, source);
                }
            }
        }
    }

    /// The number under which a tag is known, made when it is first met.
    fn tag_for(&mut self, node: &AstNode, key: &str, record: bool) -> TagTarget {
        if let Some(tag) = self.tags.get(key) {
            let tag = *tag;
            self.by_id.insert(node.id, tag);
            return tag;
        }
        let spelling = (!node.name().is_empty()).then(|| Arc::from(key));
        let tag = if record {
            self.records.push(RecordInfo {
                spelling,
                union: node.tag_used.as_deref() == Some("union"),
                complete: false,
                packed: false,
                pragma: PackPragma::No,
                aligned: None,
                fields: Vec::new(),
            });
            TagTarget::Record(self.records.len() - 1)
        } else {
            self.enums.push(EnumInfo {
                spelling,
                underlying: CType::INT,
                values: Vec::new(),
            });
            TagTarget::Enum(self.enums.len() - 1)
        };
        self.tags.insert(key.to_owned(), tag);
        self.by_id.insert(node.id, tag);
        tag
    }

    fn record(&mut self, node: &AstNode, source: &PreprocessedText) {
        let keyword = node.tag_used.as_deref().unwrap_or("struct");
        let key = tag_key(node, keyword, source);
        let TagTarget::Record(index) = self.tag_for(node, &key, true) else {
            return;
        };
        if !node.complete_definition {
            return;
        }
        let mut fields = Vec::new();
        for child in &node.inner {
            match child.kind {
                AstKind::FieldDecl => {
                    let bits = child.is_bitfield.then(|| self.bit_width(child)).flatten();
                    fields.push(FieldInfo {
                        name: Arc::from(child.name()),
                        ty: self.of(child),
                        bits,
                        packed: has(child, AstKind::PackedAttr),
                        aligned: self.alignment(child),
                    });
                }
                _ => self.node(child, source),
            }
        }
        let aligned = self.alignment(node);
        let record = &mut self.records[index];
        record.complete = true;
        record.packed = has(node, AstKind::PackedAttr);
        record.pragma = match has(node, AstKind::MaxFieldAlignmentAttr) {
            false => PackPragma::No,
            true => node
                .span()
                .and_then(|(begin, _)| pack::at(&source.text, begin))
                .map_or(PackPragma::Unknown, PackPragma::At),
        };
        record.aligned = aligned;
        record.fields = fields;
    }

    fn bit_width(&self, field: &AstNode) -> Option<u32> {
        let width = field
            .inner
            .iter()
            .find_map(|e| consteval::integer(e, self))?;
        u32::try_from(width).ok()
    }

    fn alignment(&self, node: &AstNode) -> Option<u64> {
        let attributes = node.inner.iter().filter(|n| n.kind == AstKind::AlignedAttr);
        attributes
            .map(|a| match a.child(0) {
                Some(value) => consteval::integer(value, self).map_or(16, |v| v as u64),
                None => 16,
            })
            .max()
    }

    fn enumeration(&mut self, node: &AstNode, source: &PreprocessedText) {
        let key = tag_key(node, "enum", source);
        let TagTarget::Enum(index) = self.tag_for(node, &key, false) else {
            return;
        };
        let mut next = 0i128;
        let (mut low, mut high) = (0i128, 0i128);
        for constant in node
            .inner
            .iter()
            .filter(|n| n.kind == AstKind::EnumConstantDecl)
        {
            let explicit = constant
                .child(0)
                .and_then(|value| consteval::integer(value, self));
            let value = explicit.unwrap_or(next);
            self.enumerators.insert(constant.id, value);
            self.enums[index]
                .values
                .push((Arc::from(constant.name()), value));
            (low, high) = (low.min(value), high.max(value));
            next = value.wrapping_add(1);
        }
        let int = |name, bits, signed| CType::from(TypeShape::Int { name, bits, signed });
        let fixed = node
            .fixed_underlying_type
            .as_ref()
            .and_then(|t| self.parse_text(t));
        self.enums[index].underlying = match fixed {
            Some(ty) => ty,
            None if low < i128::from(i32::MIN) || high > i128::from(u32::MAX) && low < 0 => {
                int("long", 64, true)
            }
            None if high > i128::from(u32::MAX) => int("unsigned long", 64, false),
            None if low < 0 && high > i128::from(i32::MAX) => int("long", 64, true),
            None if low < 0 => int("int", 32, true),
            None => int("unsigned int", 32, false),
        };
    }

    fn define_typedef(&mut self, node: &AstNode) {
        let name: Arc<str> = Arc::from(node.name());
        let mut target = None;
        // An unnamed structure gets its name from the typedef: only the tree links the two.
        let tag = node
            .child(0)
            .and_then(tag_declared)
            .and_then(|id| self.by_id.get(&id));
        if let Some(tag) = tag.copied() {
            let spelling = match tag {
                TagTarget::Record(index) => &mut self.records[index].spelling,
                TagTarget::Enum(index) => &mut self.enums[index].spelling,
            };
            if spelling.is_none() {
                *spelling = Some(name.clone());
            }
            let qualifiers = node.type_text();
            let mut ty = CType::from(tag.shape());
            ty.constant = qualifiers.starts_with("const ");
            ty.volatile = qualifiers.starts_with("volatile ");
            target = Some(ty);
        }
        let target = target.unwrap_or_else(|| self.of(node));
        self.name_what_it_leads_to(&name, &target);
        self.typedefs.entry(name).or_insert(target);
    }

    /// An unnamed structure behind a typedef of a pointer to it, or of an array of it, is what an
    /// expression of that type leads to.
    fn name_what_it_leads_to(&mut self, typedef: &str, target: &CType) {
        let (TypeShape::Pointer(element) | TypeShape::Array(element, _)) = &target.shape else {
            return;
        };
        if let TypeShape::Record(index) = element.shape {
            let spelling = &mut self.records[index].spelling;
            spelling.get_or_insert_with(|| format!("__typeof__(**({typedef} *)0)").into());
        }
    }

    /// The type of a declaration or expression.
    pub(crate) fn of(&self, node: &AstNode) -> CType {
        let parsed = node.ty.as_ref().and_then(|t| self.parse_text(t));
        parsed.unwrap_or_else(|| TypeShape::Opaque(Arc::from(node.type_text())).into())
    }

    pub(crate) fn parse_text(&self, text: &TypeText) -> Option<CType> {
        if let Some(ty) = TypeParser::parse(self, &text.qual_type) {
            return Some(ty);
        }
        let ty = TypeParser::parse(self, text.desugared_qual_type.as_deref()?)?;
        // `typeof (x)` is the only name that the type of an unnamed structure may have.
        match text.qual_type.strip_prefix("typeof ") {
            Some(operand) if operand.ends_with(')') => {
                let name = format!("__typeof__{operand}");
                Some(TypeShape::Named(Arc::from(name), Box::new(ty)).into())
            }
            _ => Some(ty),
        }
    }

    /// The type that a spelling means.
    pub(crate) fn parse_name(&self, text: &str) -> Option<CType> {
        TypeParser::parse(self, text)
    }

    pub(super) fn typedef(&self, name: &str) -> Option<CType> {
        if let Some((name, target)) = self.typedefs.get_key_value(name) {
            return Some(TypeShape::Named(name.clone(), Box::new(target.clone())).into());
        }
        let builtin = match name {
            "__builtin_va_list" | "__va_list_tag" | "__NSConstantString" => {
                TypeShape::Opaque(Arc::from(name))
            }
            _ => return None,
        };
        Some(builtin.into())
    }

    pub(super) fn tag(&self, keyword: &str, name: &str) -> Option<CType> {
        if let Some(tag) = self.tags.get(&format!("{keyword} {name}")) {
            return Some(tag.shape().into());
        }
        // `struct foo` is also how clang prints an unnamed structure with a typedef name.
        match self.typedefs.get(name) {
            Some(target) if matches!(target.shape, TypeShape::Record(_) | TypeShape::Enum(_)) => {
                Some(target.clone())
            }
            // Declared only in a prototype, or by the compiler itself.
            _ if !name.is_empty() => {
                Some(TypeShape::Opaque(Arc::from(format!("{keyword} {name}"))).into())
            }
            _ => None,
        }
    }

    pub(super) fn tag_at(&self, position: &str) -> Option<CType> {
        self.tags.get(position).map(|tag| tag.shape().into())
    }

    /// Whether a word is a typedef name.
    pub(crate) fn is_known_name(&self, word: &str) -> bool {
        self.typedefs.contains_key(word)
    }

    /// The type in C.
    pub(crate) fn spell(&self, ty: &CType) -> String {
        self.declare(ty, "").trim_end().to_owned()
    }

    /// Whether a parameter of the type was written as `va_list`.
    pub(crate) fn is_va_list(&self, ty: &CType) -> bool {
        let Some(target) = ty.pointee() else {
            return false;
        };
        match &target.canonical().shape {
            TypeShape::Opaque(name) => &**name == "struct __va_list_tag",
            TypeShape::Record(index) => {
                self.records[*index].spelling.as_deref() == Some("struct __va_list_tag")
            }
            _ => false,
        }
    }

    /// Whether C code can name the type.
    pub(crate) fn is_spellable(&self, ty: &CType) -> bool {
        match &ty.shape {
            TypeShape::Record(index) => self.records[*index].spelling.is_some(),
            TypeShape::Enum(_) | TypeShape::Named(..) => true,
            TypeShape::Opaque(name) => !name.contains("(unnamed") && !name.contains("(anonymous"),
            TypeShape::Pointer(target) => self.is_spellable(target),
            TypeShape::Array(element, _) => self.is_spellable(element),
            TypeShape::Function(f) => {
                self.is_spellable(&f.result) && f.params.iter().all(|p| self.is_spellable(p))
            }
            _ => true,
        }
    }

    /// A declaration of `name` with the type.
    pub(crate) fn declare(&self, ty: &CType, name: &str) -> String {
        let qualifiers = match (ty.constant, ty.volatile) {
            (true, true) => "const volatile ",
            (true, false) => "const ",
            (false, true) => "volatile ",
            (false, false) => "",
        };
        let base = |spelling: &str| match name {
            "" => format!("{qualifiers}{spelling}"),
            _ => format!("{qualifiers}{spelling} {name}"),
        };
        match &ty.shape {
            TypeShape::Void => base("void"),
            TypeShape::Int { name, .. } | TypeShape::Float { name, .. } => base(name),
            TypeShape::Named(name, _) | TypeShape::Opaque(name) => base(name),
            TypeShape::Record(index) => {
                base(self.records[*index].spelling.as_deref().unwrap_or("struct"))
            }
            TypeShape::Enum(index) => match &self.enums[*index].spelling {
                Some(spelling) => base(spelling),
                None => base(&self.spell(&self.enums[*index].underlying)),
            },
            TypeShape::Pointer(_) if self.is_va_list(ty) => base("__builtin_va_list"),
            TypeShape::Pointer(target) => {
                let inner = format!("*{qualifiers}{name}");
                match &target.shape {
                    TypeShape::Function(_) | TypeShape::Array(..) => {
                        self.declare(target, &format!("({inner})"))
                    }
                    _ => self.declare(target, &inner),
                }
            }
            TypeShape::Array(element, count) => {
                let count = count.map_or(String::new(), |c| c.to_string());
                self.declare(element, &format!("{name}[{count}]"))
            }
            TypeShape::Function(function) => {
                let mut params: Vec<_> = function.params.iter().map(|p| self.spell(p)).collect();
                if function.variadic {
                    params.push("...".to_owned());
                } else if params.is_empty() && function.prototype {
                    params.push("void".to_owned());
                }
                self.declare(&function.result, &format!("{name}({})", params.join(", ")))
            }
        }
    }
}

impl TagTarget {
    fn shape(self) -> TypeShape {
        match self {
            TagTarget::Record(index) => TypeShape::Record(index),
            TagTarget::Enum(index) => TypeShape::Enum(index),
        }
    }
}

fn has(node: &AstNode, attribute: AstKind) -> bool {
    node.inner.iter().any(|n| n.kind == attribute)
}

fn tag_key(node: &AstNode, keyword: &str, source: &PreprocessedText) -> String {
    match (node.name(), node.loc.0) {
        ("", Some((offset, _))) => source.clang_position(offset),
        ("", None) => format!("unnamed {:x}", node.id),
        (name, _) => format!("{keyword} {name}"),
    }
}

/// The structure or enumeration that a typedef names directly.
fn tag_declared(ty: &AstNode) -> Option<u64> {
    let mut node = ty;
    loop {
        match node.kind {
            AstKind::RecordType | AstKind::EnumType => return node.decl.as_ref().map(|d| d.id),
            AstKind::ElaboratedType => node = node.child(0)?,
            AstKind::Other if node.type_text().starts_with("const ") => node = node.child(0)?,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TypeTable {
        let mut types = TypeTable::default();
        let record = |spelling: &str, fields| RecordInfo {
            spelling: Some(spelling.into()),
            union: false,
            complete: true,
            packed: false,
            pragma: PackPragma::No,
            aligned: None,
            fields,
        };
        let field = |name: &str, ty, bits| FieldInfo {
            name: name.into(),
            ty,
            bits,
            packed: false,
            aligned: None,
        };
        let char_type = CType::from(TypeShape::Int {
            name: "char",
            bits: 8,
            signed: true,
        });
        types.records.push(record(
            "struct s",
            vec![
                field("c", char_type.clone(), None),
                field("a", CType::INT, Some(3)),
                field("b", CType::INT, Some(30)),
                field("d", char_type, None),
            ],
        ));
        types.tags.insert("struct s".into(), TagTarget::Record(0));
        types
            .tags
            .insert("dir (x)/a.c:1:2".into(), TagTarget::Record(0));
        types.typedefs.insert("foo_t".into(), CType::INT);
        types
    }

    fn parse(types: &TypeTable, text: &str) -> CType {
        TypeParser::parse(types, text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn a_type_is_spelled_as_it_was_read() {
        let types = table();
        for text in [
            "int",
            "const char *",
            "unsigned long long",
            "foo_t **const",
            "struct s *[3]",
            "int (*)(int, const char *)",
            "int (*(*)(void))[3]",
            "void (*[4])(foo_t, ...)",
            "int (*const *)(int)",
            "void (*(*)(int, void (*)(int)))(int)",
            "int ()",
            "long double[2][3]",
        ] {
            let ty = parse(&types, text);
            let spelled = types.spell(&ty).replace(' ', "");
            assert_eq!(spelled, text.replace(' ', ""), "{ty:?}");
        }
    }

    #[test]
    fn unnamed_types_are_known_by_position() {
        let types = table();
        let ty = parse(&types, "struct s::(anonymous at dir (x)/a.c:1:2)[2]");
        assert!(
            matches!(&ty.shape, TypeShape::Array(e, Some(2)) if e.shape == TypeShape::Record(0))
        );
        assert!(TypeParser::parse(&types, "struct (unnamed struct at b.c:1:2)").is_none());
    }

    #[test]
    fn attributes_are_passed_over_unless_they_change_the_type() {
        let types = table();
        let text = "void (__attribute__((noescape)) char *, int) __attribute__((noreturn))";
        assert_eq!(types.spell(&parse(&types, text)), "void (char *, int)");
        let vector = "__attribute__((__vector_size__(4 * sizeof(int)))) int";
        assert!(TypeParser::parse(&types, vector).is_none());
    }

    #[test]
    fn pointers_to_arrays_and_arrays_of_pointers_differ() {
        let types = table();
        assert!(parse(&types, "int (*)[4]").is_pointer());
        assert!(matches!(
            parse(&types, "int *[4]").shape,
            TypeShape::Array(..)
        ));
    }

    #[test]
    fn bit_fields_are_laid_out_as_the_abi_says() {
        let types = table();
        let layout = types.layout(0).unwrap();
        let places: Vec<_> = layout.members.iter().map(|m| (m.offset, m.bits)).collect();
        assert_eq!(
            places,
            [(0, None), (1, Some((0, 3))), (4, Some((0, 30))), (8, None)]
        );
        assert_eq!((layout.size, layout.align), (12, 4));
    }
}
