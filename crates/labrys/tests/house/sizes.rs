//! How long things may be: a function fits on a few screens, and the command line stays thin, since
//! the work belongs to the libraries.

use crate::syntax::{ParsedFile, sources};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, Signature, TraitItemFn};

/// Lines of a function from its name to its closing brace.
const LONGEST_FUNCTION: usize = 100;
/// A longer function is accepted if the comment above it says that it is one of these and why.
const EXCUSES: [&str; 2] = ["decode table", "dispatch table"];
/// Where the command line is, and how many lines its files have, each and all together.
const COMMAND_LINE: &str = "crates/labrys/src/";
const LONGEST_FILE: usize = 400;
const COMMAND_LINE_TOTAL: usize = 4000;

#[test]
fn no_function_is_too_long() {
    let mut messages = Vec::new();
    for file in sources() {
        let mut finder = LongFunctions {
            file: &file,
            messages: &mut messages,
        };
        finder.visit_file(&file.syntax);
    }
    assert!(
        messages.is_empty(),
        "functions of more than {LONGEST_FUNCTION} lines; split them, or say in the comment above \
         why it is a decode table or a dispatch table:\n{}",
        messages.join("\n")
    );
}

#[test]
fn the_command_line_is_thin() {
    let files: Vec<(String, usize)> = sources()
        .into_iter()
        .filter(|file| file.path.starts_with(COMMAND_LINE))
        .map(|file| (file.path, file.text.lines().count()))
        .collect();
    let long: Vec<_> = files.iter().filter(|(_, n)| *n > LONGEST_FILE).collect();
    assert!(long.is_empty(), "more than {LONGEST_FILE} lines: {long:?}");
    let total: usize = files.iter().map(|(_, lines)| lines).sum();
    assert!(
        total <= COMMAND_LINE_TOTAL,
        "{COMMAND_LINE} has {total} lines; at most {COMMAND_LINE_TOTAL} are wanted"
    );
}

struct LongFunctions<'a> {
    file: &'a ParsedFile,
    messages: &'a mut Vec<String>,
}

impl LongFunctions<'_> {
    fn check(&mut self, signature: &Signature, body: Span) {
        let first = signature.span().start().line;
        let lines = body.end().line + 1 - first;
        if lines > LONGEST_FUNCTION && !self.is_excused(first) {
            let (path, name) = (&self.file.path, &signature.ident);
            self.messages
                .push(format!("{path}:{first} {name}: {lines} lines"));
        }
    }

    /// Whether the comments and attributes right above a line say that it is a table.
    fn is_excused(&self, line: usize) -> bool {
        let before: Vec<&str> = self.file.text.lines().take(line - 1).collect();
        let above = before.iter().rev().map(|text| text.trim());
        above
            .take_while(|text| text.starts_with("//") || text.starts_with("#["))
            .any(|text| EXCUSES.iter().any(|excuse| text.contains(excuse)))
    }
}

impl<'ast> Visit<'ast> for LongFunctions<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.check(&item.sig, block_span(&item.block));
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.check(&item.sig, block_span(&item.block));
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(body) = &item.default {
            self.check(&item.sig, block_span(body));
        }
        visit::visit_trait_item_fn(self, item);
    }
}

fn block_span(block: &Block) -> Span {
    block.brace_token.span.close()
}
