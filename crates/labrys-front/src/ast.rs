//! Clang's syntax tree, as little of it as Labrys needs, read from `-ast-dump=json`.
//!
//! All positions are byte offsets into the preprocessed text: clang leaves out file and line
//! where they repeat, but prints the offset of every token, and [`crate::source`] knows the
//! user's file and line of each offset.

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use std::fmt;

/// One declaration, statement, expression or type.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AstNode {
    #[serde(deserialize_with = "hex")]
    pub id: u64,
    pub kind: AstKind,
    pub loc: TokenSpan,
    pub range: NodeRange,
    pub name: Option<Box<str>>,
    #[serde(rename = "type")]
    pub ty: Option<TypeText>,
    pub arg_type: Option<TypeText>,
    pub fixed_underlying_type: Option<TypeText>,
    pub value: Option<LiteralValue>,
    pub opcode: Option<Box<str>>,
    pub cast_kind: Option<Box<str>>,
    value_category: Option<Box<str>>,
    object_kind: Option<Box<str>>,
    /// The type in which a compound assignment computes.
    pub compute_result_type: Option<TypeText>,
    pub storage_class: Option<Box<str>>,
    pub tag_used: Option<Box<str>>,
    /// How a variable is initialised; absent if it is not.
    pub init: Option<Box<str>>,
    pub referenced_decl: Option<DeclRef>,
    pub decl: Option<DeclRef>,
    #[serde(deserialize_with = "hex")]
    pub previous_decl: u64,
    #[serde(deserialize_with = "hex")]
    pub referenced_member_decl: u64,
    pub is_implicit: bool,
    pub is_postfix: bool,
    pub is_bitfield: bool,
    #[serde(rename = "isGNURange")]
    pub is_gnu_range: bool,
    pub has_else: bool,
    /// The association that a `_Generic` chose.
    pub selected: bool,
    pub complete_definition: bool,
    pub variadic: bool,
    pub inline: bool,
    pub inner: Vec<AstNode>,
    /// Where an initialiser list is shorter than its array, clang puts the elements here and
    /// not into `inner`, after the filler; [`parse`] moves them.
    #[serde(rename = "array_filler")]
    array_filler: Vec<AstNode>,
}

/// A type as clang prints it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TypeText {
    pub qual_type: Box<str>,
    pub desugared_qual_type: Option<Box<str>>,
}

/// What a name refers to.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct DeclRef {
    #[serde(deserialize_with = "hex")]
    pub id: u64,
    pub kind: AstKind,
    pub name: Option<Box<str>>,
    #[serde(rename = "type")]
    pub ty: Option<TypeText>,
}

/// A token in the preprocessed text.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct RawLocation {
    offset: Option<u32>,
    tok_len: u32,
    expansion_loc: Option<RawToken>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct RawToken {
    offset: Option<u32>,
    tok_len: u32,
}

/// The first byte of a token and the byte after it; `None` for what clang made up.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(from = "RawLocation")]
pub(crate) struct TokenSpan(pub Option<(u32, u32)>);

impl From<RawLocation> for TokenSpan {
    fn from(raw: RawLocation) -> Self {
        let token = raw.expansion_loc.unwrap_or(RawToken {
            offset: raw.offset,
            tok_len: raw.tok_len,
        });
        TokenSpan(token.offset.map(|o| (o, o.saturating_add(token.tok_len))))
    }
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
pub(crate) struct NodeRange {
    begin: TokenSpan,
    end: TokenSpan,
}

/// The value of a literal, an enumerator or a constant expression.
#[derive(Debug)]
pub(crate) enum LiteralValue {
    Number(i128),
    Text(Box<str>),
}

impl LiteralValue {
    pub(crate) fn as_int(&self) -> Option<i128> {
        match self {
            LiteralValue::Number(n) => Some(*n),
            LiteralValue::Text(t) => t.parse().ok(),
        }
    }
}

impl<'de> Deserialize<'de> for LiteralValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LiteralVisitor;
        impl Visitor<'_> for LiteralVisitor {
            type Value = LiteralValue;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value")
            }
            fn visit_str<E: de::Error>(self, s: &str) -> Result<LiteralValue, E> {
                Ok(LiteralValue::Text(s.into()))
            }
            fn visit_u64<E: de::Error>(self, n: u64) -> Result<LiteralValue, E> {
                Ok(LiteralValue::Number(n.into()))
            }
            fn visit_i64<E: de::Error>(self, n: i64) -> Result<LiteralValue, E> {
                Ok(LiteralValue::Number(n.into()))
            }
            fn visit_bool<E: de::Error>(self, b: bool) -> Result<LiteralValue, E> {
                Ok(LiteralValue::Number(b.into()))
            }
        }
        deserializer.deserialize_any(LiteralVisitor)
    }
}

fn hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    struct HexVisitor;
    impl Visitor<'_> for HexVisitor {
        type Value = u64;
        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("an address")
        }
        fn visit_str<E: de::Error>(self, s: &str) -> Result<u64, E> {
            let digits = s.strip_prefix("0x").unwrap_or(s);
            u64::from_str_radix(digits, 16).map_err(|_| E::custom("not an address"))
        }
    }
    deserializer.deserialize_str(HexVisitor)
}

macro_rules! kinds {
    ($($name:ident),* $(,)?) => {
        /// The kinds of nodes that Labrys looks at; everything else is `Other`.
        #[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
        pub(crate) enum AstKind {
            /// An absent child, printed by clang as `{}`.
            #[default]
            Nothing,
            $($name,)*
            #[serde(other)]
            Other,
        }
    };
}

kinds! {
    TranslationUnitDecl, FunctionDecl, VarDecl, ParmVarDecl, FieldDecl, IndirectFieldDecl,
    RecordDecl, EnumDecl, EnumConstantDecl, TypedefDecl, LabelDecl, StaticAssertDecl,
    CompoundStmt, IfStmt, WhileStmt, DoStmt, ForStmt, SwitchStmt, CaseStmt, DefaultStmt,
    LabelStmt, AttributedStmt, DeclStmt, NullStmt, ReturnStmt, BreakStmt, ContinueStmt, GotoStmt,
    IndirectGotoStmt, GCCAsmStmt, MSAsmStmt,
    ParenExpr, UnaryOperator, BinaryOperator, CompoundAssignOperator, ConditionalOperator,
    BinaryConditionalOperator, OpaqueValueExpr, ImplicitCastExpr, CStyleCastExpr, ConstantExpr,
    DeclRefExpr, MemberExpr, ArraySubscriptExpr, CallExpr, InitListExpr, CompoundLiteralExpr,
    IntegerLiteral, CharacterLiteral, FloatingLiteral, StringLiteral, UnaryExprOrTypeTraitExpr,
    OffsetOfExpr, StmtExpr, GenericSelectionExpr, ChooseExpr, ImplicitValueInitExpr,
    DesignatedInitExpr, ArrayInitLoopExpr, PredefinedExpr, VAArgExpr, AtomicExpr, AddrLabelExpr,
    TypeTraitExpr, SourceLocExpr,
    RecordType, EnumType, ElaboratedType, TypedefType,
    PackedAttr, AlignedAttr, MaxFieldAlignmentAttr, NoReturnAttr, C11NoReturnAttr, ModeAttr,
    TransparentUnionAttr, WeakAttr, ConstAttr, PureAttr, AliasAttr, ReturnsNonNullAttr, RestrictAttr, ConstructorAttr, DestructorAttr,
}

impl AstNode {
    fn move_elements(&mut self) {
        if !self.array_filler.is_empty() {
            self.inner = std::mem::take(&mut self.array_filler);
            self.inner.remove(0);
        }
        for child in &mut self.inner {
            child.move_elements();
        }
    }

    /// The bytes of the node in the preprocessed text: first byte and the byte after the last
    /// token. `None` for what has no text.
    pub(crate) fn span(&self) -> Option<(u32, u32)> {
        match (self.range.begin.0, self.range.end.0) {
            (Some((begin, _)), Some((_, end))) if begin < end => Some((begin, end)),
            _ => None,
        }
    }

    pub(crate) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("")
    }

    pub(crate) fn opcode(&self) -> &str {
        self.opcode.as_deref().unwrap_or("")
    }

    pub(crate) fn cast_kind(&self) -> &str {
        self.cast_kind.as_deref().unwrap_or("")
    }

    /// Whether the expression names an object, so that it can be assigned to.
    pub(crate) fn is_lvalue(&self) -> bool {
        self.value_category.as_deref() == Some("lvalue")
    }

    /// Whether the expression names a bit-field.
    pub(crate) fn is_bit_field_access(&self) -> bool {
        self.object_kind.as_deref() == Some("bitfield")
    }

    pub(crate) fn is_register(&self) -> bool {
        self.storage_class.as_deref() == Some("register")
    }

    pub(crate) fn is_static(&self) -> bool {
        self.storage_class.as_deref() == Some("static")
    }

    pub(crate) fn is_extern(&self) -> bool {
        self.storage_class.as_deref() == Some("extern")
    }

    /// The type as written, with typedef names.
    pub(crate) fn type_text(&self) -> &str {
        self.ty.as_ref().map_or("", |t| &t.qual_type)
    }

    /// The body of a function definition.
    pub(crate) fn body(&self) -> Option<&AstNode> {
        match self.kind {
            AstKind::FunctionDecl => self.inner.iter().find(|n| n.kind == AstKind::CompoundStmt),
            _ => None,
        }
    }

    pub(crate) fn child(&self, index: usize) -> Option<&AstNode> {
        self.inner.get(index)
    }

    /// The expression below parentheses and implicit casts.
    pub(crate) fn skip_implicit(&self) -> &AstNode {
        let mut node = self;
        while matches!(
            node.kind,
            AstKind::ParenExpr | AstKind::ImplicitCastExpr | AstKind::ConstantExpr
        ) {
            match node.child(0) {
                Some(inner) => node = inner,
                None => break,
            }
        }
        node
    }

    /// The expression below implicit casts alone.
    pub(crate) fn skip_implicit_casts(&self) -> &AstNode {
        let mut node = self;
        while let (AstKind::ImplicitCastExpr, Some(inner)) = (node.kind, node.child(0)) {
            node = inner;
        }
        node
    }

    /// The expression that a `_Generic` or `__builtin_choose_expr` chose.
    pub(crate) fn selected(&self) -> Option<&AstNode> {
        self.inner
            .iter()
            .find(|n| n.selected)
            .and_then(|n| n.inner.last())
    }

    /// The initialiser of a variable.
    pub(crate) fn initialiser(&self) -> Option<&AstNode> {
        self.init.as_ref().and(self.inner.first())
    }

    /// The name of the function that a call names directly.
    pub(crate) fn callee(&self) -> Option<&str> {
        if self.kind != AstKind::CallExpr {
            return None;
        }
        let target = self.child(0)?.skip_implicit().referenced_decl.as_ref()?;
        (target.kind == AstKind::FunctionDecl)
            .then_some(target.name.as_deref())
            .flatten()
    }

    /// Calls `visit` on this node and all below it, in source order.
    pub(crate) fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a AstNode)) {
        visit(self);
        for child in &self.inner {
            child.walk(visit);
        }
    }
}

/// Reads clang's JSON. The nesting of the tree is that of the program, so this must run on a
/// thread with a large stack, see [`crate::clang`].
pub(crate) fn parse(json: &[u8]) -> Result<AstNode, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    deserializer.disable_recursion_limit();
    let mut root = AstNode::deserialize(&mut deserializer)?;
    root.move_elements();
    Ok(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_does_not_end_behind_the_last_place() {
        let end = r#"{"offset":4294967295,"tokLen":9}"#;
        let json = format!(
            r#"{{"id":"0x1","kind":"TranslationUnitDecl","range":{{"begin":{{"offset":3,"tokLen":1}},"end":{end}}}}}"#
        );
        assert_eq!(parse(json.as_bytes()).unwrap().span(), Some((3, u32::MAX)));
    }

    #[test]
    fn reads_what_it_knows_and_skips_the_rest() {
        let json = br#"{"id":"0x1f","kind":"IfStmt","loc":{},"range":{"begin":{"offset":5,"col":1,"tokLen":2},
            "end":{"offset":9,"tokLen":1}},"unknown":[{"a":1}],"inner":[{},{"id":"0x2","kind":"WeirdExpr",
            "value":"7"},{"kind":"CharacterLiteral","value":97}]}"#;
        let node = parse(json).unwrap();
        assert_eq!(
            (node.id, node.kind, node.span()),
            (0x1f, AstKind::IfStmt, Some((5, 10)))
        );
        assert_eq!(node.inner[0].kind, AstKind::Nothing);
        assert_eq!(node.inner[1].kind, AstKind::Other);
        assert_eq!(node.inner[1].value.as_ref().unwrap().as_int(), Some(7));
        assert_eq!(node.inner[2].value.as_ref().unwrap().as_int(), Some(97));
    }

    #[test]
    fn elements_of_short_lists_are_found() {
        let json = br#"{"kind":"InitListExpr","array_filler":[{"kind":"ImplicitValueInitExpr"},
            {"kind":"IntegerLiteral","value":"5"}]}"#;
        let node = parse(json).unwrap();
        assert_eq!(node.inner.len(), 1);
        assert_eq!(node.inner[0].kind, AstKind::IntegerLiteral);
    }

    #[test]
    fn a_macro_location_is_that_of_its_use() {
        let json = br#"{"kind":"VarDecl","loc":{"spellingLoc":{"offset":1,"tokLen":1},"expansionLoc":{"offset":7,"tokLen":3}}}"#;
        assert_eq!(parse(json).unwrap().loc.0, Some((7, 10)));
    }
}
