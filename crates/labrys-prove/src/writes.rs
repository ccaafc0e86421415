//! What a call of each function may write: public memory, and which of the objects that only the
//! program itself can name.

use crate::call_effects::CallEffect;
use crate::definitions::Definitions;
use crate::escapes::PublicObjects;
use crate::places::{Base, constants};
use crate::pointer_shape::{AddressCode, OffsetSteps};
use crate::scope::PRIMITIVE;
use labrys_ir::{Const, FuncId, Function, GlobalId, Inst, IntrinsicOp, Module, Reg, SymbolRef};
use std::collections::{BTreeMap, BTreeSet};

/// Functions after whose call other code of the program may run at any moment.
const ASYNCHRONOUS: [&str; 14] = [
    "signal",
    "bsd_signal",
    "sysv_signal",
    "ssignal",
    "sigset",
    "sigaction",
    "sigvec",
    "timer_create",
    "mq_notify",
    "aio_read",
    "pthread_create",
    "thrd_create",
    "clone",
    "makecontext",
];

/// More parts of one object than this are all of it.
const MAX_PARTS: usize = 24;

/// Bytes of an object at some distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WrittenBytes {
    distances: OffsetSteps,
    bytes: u64,
}

/// What some code may write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Writes {
    pub(crate) public: bool,
    /// Parts of objects that are not public.
    parts: BTreeMap<GlobalId, BTreeSet<WrittenBytes>>,
}

impl Writes {
    pub(crate) fn add(&mut self, other: &Writes) {
        self.public |= other.public;
        for (id, parts) in &other.parts {
            for part in parts {
                self.add_part(*id, *part);
            }
        }
    }

    pub(crate) fn add_part(&mut self, id: GlobalId, part: WrittenBytes) {
        let all = WrittenBytes {
            distances: OffsetSteps::ALL,
            bytes: 1,
        };
        let parts = self.parts.entry(id).or_default();
        if parts.contains(&all) {
            return;
        }
        parts.insert(part);
        if part.distances.step == 1 || parts.len() > MAX_PARTS {
            *parts = BTreeSet::from([all]);
        }
    }

    /// The objects that are not public.
    pub(crate) fn objects(&self) -> impl Iterator<Item = GlobalId> {
        self.parts.keys().copied()
    }

    /// May so many bytes of an object that is not public be written?
    pub(crate) fn has_part(&self, id: GlobalId, distances: OffsetSteps, bytes: u64) -> bool {
        let parts = self.parts.get(&id).into_iter().flatten();
        parts
            .into_iter()
            .any(|part| part.distances.overlaps(part.bytes, distances, bytes))
    }
}

pub(crate) struct CallWrites {
    of: Vec<Writes>,
    /// What anything that knows the addresses of functions may do.
    pub(crate) unknown: Writes,
    /// What may be written at any moment.
    pub(crate) any_time: Writes,
}

impl CallWrites {
    pub(crate) fn of(
        module: &Module,
        effects: &[CallEffect],
        definitions: &[Option<Definitions>],
        public: &PublicObjects,
    ) -> CallWrites {
        let known = Known {
            effects,
            definitions,
            public,
        };
        let mut writes = CallWrites {
            of: Vec::new(),
            unknown: Writes {
                public: true,
                ..Writes::default()
            },
            any_time: Writes::default(),
        };
        let functions = module.functions.iter().enumerate();
        writes.of = functions
            .map(|(number, function)| known.own_writes(number, function))
            .collect();
        let open = open_callees(module, effects);
        while writes.spread(module, &open) {}
        if module.functions.iter().any(is_asynchronous) {
            writes.any_time = writes.unknown.clone();
        }
        writes
    }

    pub(crate) fn call(&self, callee: FuncId) -> &Writes {
        &self.of[callee.index()]
    }

    /// Adds what callees write; false if nothing is new.
    fn spread(&mut self, module: &Module, open: &BTreeSet<FuncId>) -> bool {
        let mut changed = false;
        for (number, function) in module.functions.iter().enumerate() {
            let mut all = self.of[number].clone();
            for inst in &function.code {
                match inst {
                    Inst::Call { callee, .. } => all.add(&self.of[callee.index()]),
                    _ if calls_anything(inst) => all.add(&self.unknown),
                    _ => {}
                }
            }
            changed |= all != self.of[number];
            self.of[number] = all;
        }
        let mut unknown = self.unknown.clone();
        for id in open {
            unknown.add(&self.of[id.index()]);
        }
        // What library functions call is among these.
        changed |= unknown != self.unknown;
        self.unknown = unknown;
        changed
    }
}

/// May other code of the program run at any moment after a call of this?
pub(crate) fn is_asynchronous(function: &Function) -> bool {
    ASYNCHRONOUS.contains(&function.name.as_str())
}

/// Does control leave for code that is not named here, or may other threads have run?
pub(crate) fn calls_anything(inst: &Inst) -> bool {
    match inst {
        Inst::CallPointer { .. } | Inst::Unsupported { .. } => true,
        Inst::Intrinsic { op, .. } => {
            matches!(op, IntrinsicOp::SetJmp | IntrinsicOp::OtherThreads)
        }
        _ => false,
    }
}

/// The address that an instruction itself writes to.
pub(crate) fn written(inst: &Inst) -> Option<Reg> {
    match *inst {
        Inst::Store { addr, .. } => Some(addr),
        Inst::MemCopy { dst, .. } | Inst::MemSet { dst, .. } => Some(dst),
        _ => None,
    }
}

impl WrittenBytes {
    /// So many bytes at some distances; all of the object if their number is not known.
    pub(crate) fn of(bytes: Option<u64>, distances: OffsetSteps) -> WrittenBytes {
        match bytes {
            Some(bytes) => WrittenBytes { distances, bytes },
            None => WrittenBytes {
                distances: OffsetSteps::ALL,
                bytes: 1,
            },
        }
    }
}

fn written_part(inst: &Inst, distances: OffsetSteps) -> WrittenBytes {
    let bytes = match inst {
        Inst::Store { width, .. } => Some(width.div_ceil(8).into()),
        _ => None,
    };
    WrittenBytes::of(bytes, distances)
}

/// Functions that code may call without naming them.
pub(crate) fn open_callees(module: &Module, effects: &[CallEffect]) -> BTreeSet<FuncId> {
    let mut open = BTreeSet::new();
    for (function, effect) in module.functions.iter().zip(effects) {
        for (_, value) in &function.constants {
            if let Const::Symbol(SymbolRef::Function(id)) = value {
                open.insert(*id);
            }
        }
        if *effect != CallEffect::Body {
            let calls = function.code.iter().filter_map(|inst| match inst {
                Inst::Call { callee, .. } => Some(*callee),
                _ => None,
            });
            open.extend(calls.filter(|id| effects[id.index()] == CallEffect::Body));
        }
    }
    for reloc in module.globals.iter().flat_map(|global| &global.relocs) {
        if let SymbolRef::Function(id) = reloc.target {
            open.insert(id);
        }
    }
    open
}

struct Known<'a> {
    effects: &'a [CallEffect],
    definitions: &'a [Option<Definitions>],
    public: &'a PublicObjects,
}

impl Known<'_> {
    /// What a function writes by itself.
    fn own_writes(&self, number: usize, function: &Function) -> Writes {
        let mut writes = Writes::default();
        if function.is_external() {
            writes.public = match self.effects[number] {
                CallEffect::Anything => !only_returns(&function.name),
                CallEffect::Body | CallEffect::Unknown => true,
                _ => false,
            };
            return writes;
        }
        if self.effects[number] == CallEffect::Unknown {
            writes.public = true;
        }
        let Some(known) = &self.definitions[number] else {
            writes.public = true;
            return writes;
        };
        let constants = constants(function);
        let code = AddressCode {
            function,
            definitions: known,
            constants: &constants,
        };
        for inst in &function.code {
            let Some(addr) = written(inst) else {
                continue;
            };
            match code.shape(addr) {
                Some(shape) if !self.public.is_public(number, shape.object) => {
                    if let Base::Global(id) = shape.object {
                        writes.add_part(id, written_part(inst, shape.distances));
                    }
                }
                _ => writes.public = true,
            }
        }
        writes
    }
}

/// Primitives that only return a value or note something.
fn only_returns(name: &str) -> bool {
    const SUCH: [&str; 26] = [
        "bool",
        "char",
        "schar",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "llong",
        "ullong",
        "float",
        "double",
        "vector",
        "label_open",
        "label_begin",
        "mutant",
        "touch",
        "limit",
        "guess",
        "compiler_knows",
        "truth",
        "output",
        "exact",
        "is_symbolic",
    ];
    let name = name.strip_prefix(PRIMITIVE);
    name.is_some_and(|name| SUCH.contains(&name))
}
