//! Parses a type as clang prints it, such as `int (*const *)(struct s *, ...)`. Names are looked up
//! in the table of the unit; what is not understood gives no type.

use super::{CType, FunctionType, TypeShape, TypeTable};

/// What a declarator adds to the type before it, from the innermost outwards.
enum DeclaratorPart {
    Pointer {
        constant: bool,
        volatile: bool,
    },
    Array(Option<u64>),
    Function {
        params: Vec<CType>,
        variadic: bool,
        prototype: bool,
    },
}

pub(super) struct TypeParser<'a> {
    types: &'a TypeTable,
    text: &'a str,
}

impl<'a> TypeParser<'a> {
    pub(super) fn parse(types: &'a TypeTable, text: &'a str) -> Option<CType> {
        let mut parser = TypeParser { types, text };
        let ty = parser.type_name()?;
        parser.attributes()?;
        parser.skip_spaces();
        parser.text.is_empty().then_some(ty)
    }

    fn type_name(&mut self) -> Option<CType> {
        let base = self.specifiers()?;
        let parts = self.declarator()?;
        Some(parts.into_iter().fold(base, apply))
    }

    fn skip_spaces(&mut self) {
        self.text = self.text.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip_spaces();
        match self.text.strip_prefix(token) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    fn peek_word(&mut self) -> &'a str {
        self.skip_spaces();
        let end = self
            .text
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .unwrap_or(self.text.len());
        &self.text[..end]
    }

    fn word(&mut self) -> &'a str {
        let word = self.peek_word();
        self.text = &self.text[word.len()..];
        word
    }

    /// The text up to the parenthesis that closes the one at the start.
    fn balanced(&mut self) -> Option<&'a str> {
        self.skip_spaces();
        let mut depth = 0usize;
        for (at, c) in self.text.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => {
                    depth -= 1;
                    if depth == 0 {
                        let (inside, rest) = (&self.text[1..at], &self.text[at + 1..]);
                        self.text = rest;
                        return Some(inside);
                    }
                }
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// Skips attributes; those that make another type of it are not understood.
    fn attributes(&mut self) -> Option<()> {
        while self.peek_word() == "__attribute__" {
            self.word();
            let attribute = self.balanced()?;
            if ["vector", "mode", "matrix", "address_space"]
                .iter()
                .any(|a| attribute.contains(a))
            {
                return None;
            }
        }
        Some(())
    }

    fn specifiers(&mut self) -> Option<CType> {
        self.attributes()?;
        let (mut constant, mut volatile) = (false, false);
        let mut builtin: Vec<&str> = Vec::new();
        let mut base: Option<CType> = None;
        loop {
            let word = self.peek_word();
            match word {
                "const" => constant = true,
                "volatile" => volatile = true,
                "restrict" | "__restrict" => {}
                "struct" | "union" | "enum" if base.is_none() && builtin.is_empty() => {
                    self.word();
                    base = Some(self.tag(word)?);
                    continue;
                }
                "void" | "char" | "short" | "int" | "long" | "float" | "double" | "signed"
                | "unsigned" | "_Bool" | "bool" | "__int128" | "_Complex" | "_Float16"
                | "__float128" | "_Float128"
                    if base.is_none() =>
                {
                    builtin.push(word);
                }
                "_Atomic" if base.is_none() => {
                    self.word();
                    let inside = self.balanced()?;
                    base = Some(TypeParser::parse(self.types, inside)?);
                    continue;
                }
                "typeof" | "__typeof__" | "_BitInt" | "" => {
                    if base.is_none() && builtin.is_empty() {
                        return None;
                    }
                    break;
                }
                name if base.is_none() && builtin.is_empty() => {
                    base = Some(self.types.typedef(name)?);
                }
                _ => break,
            }
            self.word();
        }
        let mut ty = match base {
            Some(ty) => ty,
            None => builtin_type(&builtin)?.into(),
        };
        ty.constant |= constant;
        ty.volatile |= volatile;
        Some(ty)
    }

    /// The name after `struct`, `union` or `enum`; unnamed ones are known by their position.
    fn tag(&mut self, keyword: &str) -> Option<CType> {
        self.skip_spaces();
        let unnamed = self
            .text
            .find("(unnamed")
            .or_else(|| self.text.find("(anonymous"));
        let word = self.peek_word();
        if let Some(at) = unnamed {
            let prefix = &self.text[..at];
            if prefix.is_empty() || prefix.ends_with("::") {
                self.text = &self.text[at..];
                let position = self.balanced()?.split_once(" at ")?.1;
                return self.types.tag_at(position);
            }
        }
        self.word();
        self.types.tag(keyword, word)
    }

    fn declarator(&mut self) -> Option<Vec<DeclaratorPart>> {
        let mut pointers = Vec::new();
        while self.eat("*") {
            let (mut constant, mut volatile) = (false, false);
            loop {
                match self.peek_word() {
                    "const" => constant = true,
                    "volatile" => volatile = true,
                    "restrict" | "__restrict" | "_Nonnull" | "_Nullable" => {}
                    _ => break,
                }
                self.word();
            }
            pointers.push(DeclaratorPart::Pointer { constant, volatile });
        }
        let mut inner = Vec::new();
        self.skip_spaces();
        let nested = self.text.strip_prefix('(').map(str::trim_start);
        if nested.is_some_and(|rest| rest.starts_with('*') || rest.starts_with('(')) {
            self.eat("(");
            inner = self.declarator()?;
            if !self.eat(")") {
                return None;
            }
        }
        let mut suffixes = Vec::new();
        loop {
            if self.eat("[") {
                let end = self.text.find(']')?;
                suffixes.push(DeclaratorPart::Array(self.text[..end].trim().parse().ok()));
                self.text = &self.text[end + 1..];
            } else if self.eat("(") {
                suffixes.push(self.params()?);
            } else {
                break;
            }
        }
        // `*(inner)[n]`: pointers bind last to the base, then suffixes from the right, then inner.
        let mut parts = pointers;
        parts.extend(suffixes.into_iter().rev());
        parts.extend(inner);
        Some(parts)
    }

    fn params(&mut self) -> Option<DeclaratorPart> {
        if self.eat(")") {
            return Some(DeclaratorPart::Function {
                params: vec![],
                variadic: false,
                prototype: false,
            });
        }
        let (mut params, mut variadic) = (Vec::new(), false);
        loop {
            if self.eat("...") {
                variadic = true;
            } else {
                params.push(self.type_name()?);
                self.attributes()?;
            }
            if !self.eat(",") {
                break;
            }
        }
        if !self.eat(")") {
            return None;
        }
        if params.len() == 1 && params[0].is_void() {
            params.clear();
        }
        Some(DeclaratorPart::Function {
            params,
            variadic,
            prototype: true,
        })
    }
}

fn apply(base: CType, part: DeclaratorPart) -> CType {
    match part {
        DeclaratorPart::Pointer { constant, volatile } => CType {
            shape: TypeShape::Pointer(Box::new(base)),
            constant,
            volatile,
        },
        DeclaratorPart::Array(count) => TypeShape::Array(Box::new(base), count).into(),
        DeclaratorPart::Function {
            params,
            variadic,
            prototype,
        } => {
            let function = FunctionType {
                result: base,
                params,
                variadic,
                prototype,
            };
            TypeShape::Function(Box::new(function)).into()
        }
    }
}

fn builtin_type(words: &[&str]) -> Option<TypeShape> {
    let count = |w: &str| words.iter().filter(|x| **x == w).count();
    if count("_Complex") > 0 {
        return Some(TypeShape::Opaque(words.join(" ").into()));
    }
    let unsigned = count("unsigned") > 0;
    let int = |name, bits, signed| Some(TypeShape::Int { name, bits, signed });
    let float = |name, bits| Some(TypeShape::Float { name, bits });
    let longs = count("long");
    match () {
        () if count("void") > 0 => Some(TypeShape::Void),
        () if count("_Bool") + count("bool") > 0 => int("_Bool", 8, false),
        () if count("float") > 0 => float("float", 32),
        () if count("double") > 0 && longs == 1 => float("long double", 128),
        () if count("double") > 0 => float("double", 64),
        () if count("_Float16") > 0 => float("_Float16", 16),
        () if count("__float128") > 0 => float("__float128", 128),
        () if count("_Float128") > 0 => float("_Float128", 128),
        () if count("char") > 0 && unsigned => int("unsigned char", 8, false),
        () if count("char") > 0 && count("signed") > 0 => int("signed char", 8, true),
        () if count("char") > 0 => int("char", 8, true),
        () if count("short") > 0 && unsigned => int("unsigned short", 16, false),
        () if count("short") > 0 => int("short", 16, true),
        () if count("__int128") > 0 && unsigned => int("unsigned __int128", 128, false),
        () if count("__int128") > 0 => int("__int128", 128, true),
        () if longs == 2 && unsigned => int("unsigned long long", 64, false),
        () if longs == 2 => int("long long", 64, true),
        () if longs == 1 && unsigned => int("unsigned long", 64, false),
        () if longs == 1 => int("long", 64, true),
        () if unsigned => int("unsigned int", 32, false),
        () if count("int") + count("signed") > 0 => int("int", 32, true),
        () => None,
    }
}
