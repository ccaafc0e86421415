//! The values of options, and other short texts.

use crate::{Reader, texts};
use labrys_driver::request::part::lines::LineRange;
use labrys_driver::request::units::{ByteCount, TimeSpan};
use labrys_driver::request::world::{NamedSize, NamedValue, SymArgs};
use labrys_driver::request::{Augment, Minimise};
use labrys_front::{MutationOperator, PointerShape, Uninitialised};
use labrys_ir::ScalarKinds;
use labrys_ledger::decision::Formula;
use labrys_ledger::{Assumption, Criterion, Trust};
use labrys_suite::ParsedNumber;
use labrys_suite::import::ImportFormat;

/// One value for each kind at least.
const VALUES: &[&str] = &[
    "0..2:4",
    "1..=3:8",
    "60s",
    "1.5m",
    "250ms",
    "2G",
    "40M",
    "x.c:3-9",
    "x.c:7",
    "in.txt:8",
    "NAME=VALUE",
    "branch",
    "mcdc-unique",
    "ROR",
    "boundary",
    "exact",
    "c0 && (!c1 || c2)",
    "-0x1.8p3",
    "'\\x41'",
    "18446744073709551615u",
    "ktest",
    "list->next: alone",
    "environment",
    "any",
];

pub(crate) const READERS: &[Reader] = &[
    Reader {
        name: "option values",
        seeds: || texts(VALUES),
        read: options,
    },
    Reader {
        name: "assumptions",
        seeds: || {
            texts(&[
                "stub f has no other effect",
                "aliasing",
                "x keeps its initial value",
            ])
        },
        read: assumption,
    },
];

fn options(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let text = text.as_ref();
    let _ = ScalarKinds::parse(text);
    [
        text.parse::<SymArgs>().is_ok(),
        text.parse::<NamedSize>().is_ok(),
        text.parse::<NamedValue>().is_ok(),
        text.parse::<TimeSpan>().is_ok(),
        text.parse::<ByteCount>().is_ok(),
        text.parse::<LineRange>().is_ok(),
        text.parse::<Criterion>().is_ok(),
        text.parse::<MutationOperator>().is_ok(),
        text.parse::<Augment>().is_ok(),
        text.parse::<Minimise>().is_ok(),
        text.parse::<ImportFormat>().is_ok(),
        text.parse::<Formula>().is_ok(),
        text.parse::<Trust>().is_ok(),
        text.parse::<Uninitialised>().is_ok(),
        PointerShape::parse(text).is_ok(),
        ParsedNumber::parse(text).is_some(),
    ]
    .contains(&true)
}

/// Every text is an assumption, and is written as it was read.
fn assumption(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let read = Assumption::parse(&text);
    assert_eq!(Assumption::parse(&read.to_string()), read);
    true
}
