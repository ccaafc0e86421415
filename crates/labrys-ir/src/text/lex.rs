//! Splits the text form into tokens: words, numbers, names, quoted texts and signs, each with its
//! line.

use super::parse::ParseError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum IrToken {
    /// Letters, digits, `_` and `.`, starting with a letter.
    Word(String),
    Number {
        negative: bool,
        magnitude: u128,
    },
    /// `@name`
    Symbol(String),
    Text(String),
    /// `x"00ff"`
    Bytes(Vec<u8>),
    Arrow,
    Sign(char),
}

/// Tokens with the line each stands on.
pub(super) fn lex(text: &str) -> Result<Vec<(IrToken, u32)>, ParseError> {
    let mut lexer = IrLexer {
        rest: text.chars().peekable(),
        line: 1,
    };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next()? {
        tokens.push((token, lexer.line));
    }
    Ok(tokens)
}

struct IrLexer<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: u32,
}

impl IrLexer<'_> {
    fn error(&self, what: impl Into<String>) -> ParseError {
        ParseError {
            line: self.line,
            what: what.into(),
        }
    }

    fn skip_blank(&mut self) {
        while let Some(c) = self.rest.peek().copied() {
            if c == ';' {
                while self.rest.next_if(|c| *c != '\n').is_some() {}
            } else if c.is_whitespace() {
                if c == '\n' {
                    self.line += 1;
                }
                self.rest.next();
            } else {
                break;
            }
        }
    }

    fn next(&mut self) -> Result<Option<IrToken>, ParseError> {
        self.skip_blank();
        let Some(c) = self.rest.next() else {
            return Ok(None);
        };
        Ok(Some(match c {
            '"' => IrToken::Text(self.quoted()?),
            '@' => {
                if self.rest.next_if_eq(&'"').is_some() {
                    IrToken::Symbol(self.quoted()?)
                } else {
                    IrToken::Symbol(self.word(None))
                }
            }
            '-' if self.rest.next_if_eq(&'>').is_some() => IrToken::Arrow,
            '-' => self.number(true, None)?,
            '0'..='9' => self.number(false, Some(c))?,
            'x' if self.rest.peek() == Some(&'"') => {
                self.rest.next();
                IrToken::Bytes(self.bytes()?)
            }
            c if c.is_ascii_alphabetic() || c == '_' => IrToken::Word(self.word(Some(c))),
            '(' | ')' | '{' | '}' | '[' | ']' | ',' | '=' | ':' | '!' | '+' => IrToken::Sign(c),
            c => return Err(self.error(format!("'{c}' does not belong here"))),
        }))
    }

    fn word(&mut self, first: Option<char>) -> String {
        let mut word = String::from_iter(first);
        while let Some(c) = self
            .rest
            .next_if(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$'))
        {
            word.push(c);
        }
        word
    }

    fn number(&mut self, negative: bool, first: Option<char>) -> Result<IrToken, ParseError> {
        let mut digits = String::from_iter(first);
        while let Some(c) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(c);
        }
        let magnitude = digits
            .parse()
            .map_err(|_| self.error(format!("'{digits}' is no number of at most 128 bits")))?;
        Ok(IrToken::Number {
            negative,
            magnitude,
        })
    }

    /// The rest of a text after its opening quote.
    fn quoted(&mut self) -> Result<String, ParseError> {
        let mut text = String::new();
        loop {
            match self.rest.next() {
                None | Some('\n') => return Err(self.error("a text without its closing quote")),
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        match self.rest.next() {
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('u') if self.rest.next_if_eq(&'{').is_some() => {
                let mut code = 0u32;
                while let Some(digit) = self.rest.peek().and_then(|c| c.to_digit(16)) {
                    self.rest.next();
                    code = code.saturating_mul(16).saturating_add(digit);
                }
                match (self.rest.next(), char::from_u32(code)) {
                    (Some('}'), Some(c)) => Ok(c),
                    _ => Err(self.error("a bad escape; write \\u{hex}")),
                }
            }
            _ => Err(self.error("a bad escape; known are \\\", \\\\ and \\u{hex}")),
        }
    }

    fn bytes(&mut self) -> Result<Vec<u8>, ParseError> {
        let mut bytes = Vec::new();
        loop {
            let high = match self.rest.next() {
                Some('"') => return Ok(bytes),
                other => other.and_then(|c| c.to_digit(16)),
            };
            let low = self.rest.next().and_then(|c| c.to_digit(16));
            match (high, low) {
                (Some(high), Some(low)) => bytes.push((high * 16 + low) as u8),
                _ => return Err(self.error("bytes are pairs of hexadecimal digits")),
            }
        }
    }
}
