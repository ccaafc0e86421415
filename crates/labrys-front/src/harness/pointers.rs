//! Writes the C statements that make a pointer an input: it is NULL, leads to an object of its own,
//! or to an earlier object of the same type.

use super::fill::symbolic;
use super::own::Offered;
use super::stub::{StubFacts, StubbedFunction, stub_definition};
use super::{HarnessContext, HarnessObject, HarnessWriter, MAX_INPUTS, MAX_OBJECTS, MAX_RECORDS};
use crate::types::{CType, FunctionType, TypeShape};
use labrys_ledger::InputType;
use labrys_ledger::protocol::limit;

/// A pointer to a structure with more members than this leads to one structure, not to an array.
const MAX_RECORD_MEMBERS_IN_ARRAY: u64 = 8;

/// The same for a structure of more bytes than this.
const MAX_RECORD_BYTES_IN_ARRAY: u64 = 1024;

/// Structures that point to their own kind, where such pointers are compared: a parameter leads to
/// so many of them side by side. Each has members that lead to more.
const LINKED_RECORDS_IN_ARRAY: u64 = 2;

/// Bytes of an object whose type is not known.
const OPAQUE_BYTES: u64 = 64;

/// The most functions of the program that a function pointer chooses from.
const MAX_FUNCTION_CHOICES: usize = 4;

/// A function pointer may lead to a generated callback, whose result may hold function pointers
/// again. Callbacks are generated for this many levels.
const MAX_CALLBACK_LEVELS: u32 = 1;

/// The input that says where the pointer of this path leads.
pub(crate) fn pointer_input(path: &str) -> String {
    format!("{path} (pointer)")
}

impl HarnessWriter<'_> {
    /// Fills the pointer `lvalue`.
    pub(super) fn pointer(
        &mut self,
        lvalue: &str,
        ty: &CType,
        path: &str,
        level: u32,
        constant: bool,
    ) {
        let path = path.trim_end_matches("->");
        let Some(target) = ty.pointee() else { return };
        if let Some(function) = target.function() {
            return self.function_pointer(lvalue, ty, function, path, constant);
        }
        if self.is_stream(target) {
            return self.stream(lvalue, ty, path, constant);
        }
        let key = self.target_key(target);
        let record = matches!(target.canonical().shape, TypeShape::Record(_));
        let level = level + 1;
        let within_depth = level <= self.context.options.depth.max(1);
        let room = self.inputs.len() - self.inputs_before < MAX_INPUTS
            && if record {
                self.made_records < MAX_RECORDS
            } else {
                self.made_objects < MAX_OBJECTS
            };
        let alone = self.is_alone(path);
        let mut choices = vec!["0".to_owned()];
        let conversions = self.converted(target, &key, path);
        if !conversions.is_empty() {
            let others = self.other_targets(&key, level, alone);
            let makes = within_depth && room;
            choices.extend(self.converted_objects(&conversions, (path, level, alone), makes));
            if makes && target.is_void() {
                choices.push(self.object(target, &key, path, level));
            }
            choices.extend(others);
            self.pick_plain(lvalue, ty, path, &choices, constant);
        } else if self.is_compared(&key) && !alone {
            let makes = within_depth && room && !self.has_common_object(&key);
            let own = makes.then(|| self.object(target, &key, path, level));
            self.pick_later(lvalue, ty, path, &key, own, constant);
        } else {
            let others = self.other_targets(&key, level, alone);
            if within_depth && room {
                choices.push(self.object(target, &key, path, level));
            }
            choices.extend(others);
            self.pick_plain(lvalue, ty, path, &choices, constant);
        }
        if !(within_depth && room) {
            self.limit(
                &format!("(const void *)&{lvalue}"),
                &format!("sizeof {lvalue}"),
                limit::DEPTH,
            );
        }
    }

    /// What a pointer may lead to besides its own object: earlier objects of the same type, and
    /// variables of that type that the program writes through pointers.
    pub(super) fn other_targets(&mut self, key: &str, level: u32, alone: bool) -> Vec<String> {
        if alone {
            return Vec::new();
        }
        let fits = |o: &&HarnessObject| o.target == key && (o.record || level == 1 && o.root);
        let earlier = self.objects.iter().filter(fits);
        let shared = earlier.filter(|o| !self.alone.contains(&o.pointer));
        let mut targets: Vec<String> = shared.map(|o| o.address.clone()).collect();
        for variable in self.variables_of(key) {
            let record = matches!(variable.element.canonical().shape, TypeShape::Record(_));
            if level == 1 && !record {
                self.offer(&variable, Offered::Start);
                targets.push(match variable.array {
                    true => variable.name,
                    false => format!("&{}", variable.name),
                });
            }
        }
        targets
    }

    /// A stream of the C library, which only the library can make.
    pub(super) fn is_stream(&self, target: &CType) -> bool {
        let TypeShape::Record(index) = target.canonical().shape else {
            return false;
        };
        self.types().records[index].spelling.as_deref() == Some("struct _IO_FILE")
    }

    /// One of the streams that every program has.
    fn stream(&mut self, lvalue: &str, ty: &CType, path: &str, constant: bool) {
        self.declare("extern struct _IO_FILE *stdin, *stdout;".to_owned());
        let choices = ["0", "stdin", "stdout"].map(str::to_owned);
        self.pick_plain(lvalue, ty, path, &choices, constant);
    }

    /// Emits the choice of a pointer among addresses that a test shows as they are.
    pub(super) fn pick_plain(
        &mut self,
        lvalue: &str,
        ty: &CType,
        path: &str,
        choices: &[String],
        constant: bool,
    ) {
        let shown = choices.iter().map(|c| {
            let shown = match c.as_str() {
                "0" => "NULL".to_owned(),
                _ => c.replace("(*", "").replace(')', ""),
            };
            (c.clone(), shown)
        });
        self.pick(lvalue, ty, path, &shown.collect::<Vec<_>>(), constant);
    }

    /// Emits the choice of a pointer among these addresses, each with what a test shows for it.
    pub(super) fn pick(
        &mut self,
        lvalue: &str,
        ty: &CType,
        path: &str,
        choices: &[(String, String)],
        constant: bool,
    ) {
        let store = if constant {
            format!("*(void **)&{lvalue}")
        } else {
            lvalue.to_owned()
        };
        if let [(only, _)] = choices {
            return self.statement(format!("{store} = {only};"));
        }
        let name = self.input(
            &pointer_input(path),
            InputType::Pick {
                name: self.types().spell(&ty.unqualified()),
                choices: choices.iter().map(|(_, shown)| shown.clone()).collect(),
            },
        );
        let list: Vec<String> = choices
            .iter()
            .map(|(c, _)| {
                if c == "0" {
                    c.clone()
                } else {
                    format!("(void *){c}")
                }
            })
            .collect();
        self.statement(format!(
            "{{ void *const choices[] = {{ {} }}; {store} = labrys_pick({name}, {}, choices); }}",
            list.join(", "),
            choices.len()
        ));
    }

    pub(super) fn target_key(&self, target: &CType) -> String {
        self.types().spell(&target.canonical().unqualified())
    }

    /// Makes the object that a pointer called `path` may point to; returns its address.
    pub(super) fn object(&mut self, target: &CType, key: &str, path: &str, level: u32) -> String {
        match &target.canonical().shape {
            TypeShape::Void => self.bytes(target, key, path, level),
            TypeShape::Record(index) if self.is_opaque_record(*index) => {
                self.opaque_object(target, key, path, level)
            }
            TypeShape::Record(index) => self.record(target, *index, key, path, level),
            TypeShape::Opaque(_) | TypeShape::Function(_) => {
                self.opaque_object(target, key, path, level)
            }
            TypeShape::Array(_, None) => self.opaque_object(target, key, path, level),
            _ if target.is_character() => self.string(target, key, path, level),
            _ => self.elements(target, key, path, level),
        }
    }

    /// Directories and the like: complete in the headers of the C library, but not to be made up.
    pub(super) fn is_opaque_record(&self, index: usize) -> bool {
        let record = &self.types().records[index];
        let name = record.spelling.as_deref().unwrap_or("");
        !record.complete || matches!(name, "struct __dirstream" | "struct __va_list_tag")
    }

    fn remember(&mut self, object: HarnessObject) -> String {
        let address = object.address.clone();
        if object.record {
            self.made_records += 1;
        } else {
            self.made_objects += 1;
        }
        self.objects.push(object);
        address
    }

    /// Remembers an object that is no structure and is named by its own address.
    fn remember_plain(
        &mut self,
        name: String,
        ty: CType,
        writable: bool,
        key: &str,
        path: &str,
        level: u32,
    ) -> String {
        self.remember(HarnessObject {
            address: name.clone(),
            target: key.to_owned(),
            record: false,
            root: level == 1,
            lvalue: name,
            path: format!("*{path}"),
            ty,
            writable,
            pointer: self.input_name(path),
            offered: if level == 1 {
                Offered::Start
            } else {
                Offered::Nothing
            },
        })
    }

    fn string(&mut self, target: &CType, key: &str, path: &str, level: u32) -> String {
        let name = self.fresh(&format!("{path}_text"));
        let length = u64::from(self.context.options.string_len.max(1));
        let length = self.room_for(key, path, length);
        let element = target.unqualified();
        let array = CType::from(TypeShape::Array(
            Box::new(element.clone()),
            Some(length + 1),
        ));
        let name = self.declare_object(&array, &name);
        let input = InputType::Array {
            element: Box::new(self.types().input_type(&element)),
            count: length,
        };
        let input = self.input(path, input);
        self.statement(format!("labrys_symbolic({name}, {length}, {input});"));
        self.statement(format!("{name}[{length}] = 0;"));
        self.limit(&format!("&{name}[{length}]"), "1", limit::ARRAY_LEN);
        self.guess(&name);
        self.remember_plain(name, array, !target.is_const(), key, path, level)
    }

    /// An array of scalars, pointers or arrays.
    fn elements(&mut self, target: &CType, key: &str, path: &str, level: u32) -> String {
        let name = self.fresh(&format!("{path}_data"));
        let count = u64::from(self.context.options.array_len.max(1));
        let count = self.room_for(key, path, count);
        let array = CType::from(TypeShape::Array(
            Box::new(target.unqualified()),
            Some(count),
        ));
        let name = self.declare_object(&array, &name);
        self.made_objects += 1;
        self.fill(&name, &array, path, level, false);
        self.made_objects -= 1;
        self.guess(&name);
        self.remember_plain(name, array, !target.is_const(), key, path, level)
    }

    fn bytes(&mut self, target: &CType, key: &str, path: &str, level: u32) -> String {
        let name = self.fresh(&format!("{path}_bytes"));
        let count = self.untyped_bytes();
        let element = CType::from(TypeShape::Int {
            name: "unsigned char",
            bits: 8,
            signed: false,
        });
        let array = CType::from(TypeShape::Array(Box::new(element), Some(count)));
        let name = self.declare_bytes(&name, count);
        let input = self.input(path, self.types().input_type(&array));
        self.statement(symbolic(&name, &input));
        if let Some(room) = self.room.clone() {
            let rest = format!("(const char *){name} + {count}");
            self.statement(format!("if ({room} > {count})"));
            self.limit(&rest, &format!("{room} - {count}"), limit::ARRAY_LEN);
        }
        self.guess(&name);
        self.remember_plain(name, array, !target.is_const(), key, path, level)
    }

    /// Bytes of an object whose type is not known, that are inputs.
    pub(super) fn untyped_bytes(&self) -> u64 {
        8 * u64::from(self.context.options.array_len.max(1))
    }

    /// An object of unknown type: zero bytes that the program can only pass on.
    fn opaque_object(&mut self, target: &CType, key: &str, path: &str, level: u32) -> String {
        let name = self.fresh(&format!("{path}_opaque"));
        let name = self.declare_bytes(&name, OPAQUE_BYTES);
        self.statement(format!("__builtin_memset({name}, 0, sizeof {name});"));
        self.guess(&name);
        // A program that knows the type after all would find something else there.
        self.limit(&name, &format!("sizeof {name}"), limit::MODEL);
        let spelled = self.types().spell(target);
        self.note(format!(
            "pointers to the opaque type '{spelled}' are NULL or lead to {OPAQUE_BYTES} zero bytes"
        ));
        self.remember_plain(name, target.clone(), false, key, path, level)
    }

    /// A structure; an array of them where it is small and does not refer to its own kind.
    fn record(
        &mut self,
        target: &CType,
        index: usize,
        key: &str,
        path: &str,
        level: u32,
    ) -> String {
        let plain = target.unqualified();
        if let Some(flexible) = self.flexible_member(index) {
            return self.flexible_record(target, index, flexible, key, path, level);
        }
        let size = self.types().size(&plain).unwrap_or(0);
        let linked = self.refers_to(index, index, 0);
        let array = level == 1
            && size <= MAX_RECORD_BYTES_IN_ARRAY
            && (!linked || self.is_compared(key) && !self.is_alone(path))
            && self.input_count(&plain) <= MAX_RECORD_MEMBERS_IN_ARRAY;
        let count = match (array, linked) {
            (true, true) => LINKED_RECORDS_IN_ARRAY,
            (true, false) => u64::from(self.context.options.array_len.max(1)),
            (false, _) => 1,
        };
        let name = self.fresh(&format!("{path}_{}", if array { "data" } else { "object" }));
        let ty = match array {
            true => CType::from(TypeShape::Array(Box::new(plain.clone()), Some(count))),
            false => plain.clone(),
        };
        let name = self.declare_zero_object(&ty, &name);
        let address = if array {
            name.clone()
        } else {
            format!("&{name}")
        };
        // Known before its members are filled: they may point back to it.
        let address = self.remember(HarnessObject {
            address,
            target: key.to_owned(),
            record: true,
            root: level == 1,
            lvalue: name.clone(),
            path: if array {
                format!("*{path}")
            } else {
                format!("{path}->")
            },
            ty,
            writable: !target.is_const(),
            pointer: self.input_name(path),
            offered: if array {
                Offered::Start
            } else {
                Offered::Whole
            },
        });
        if array {
            for i in 0..count {
                self.fill(
                    &format!("{name}[{i}]"),
                    &plain,
                    &format!("{path}[{i}]"),
                    level,
                    false,
                );
            }
        } else {
            self.fill(&name, &plain, &format!("{path}->"), level, false);
        }
        self.guess(&address);
        address
    }

    /// The index of an unsized array at the end of a structure.
    fn flexible_member(&self, index: usize) -> Option<usize> {
        let fields = &self.types().records[index].fields;
        let last = fields.len().checked_sub(1)?;
        match &fields[last].ty.canonical().shape {
            TypeShape::Array(_, None | Some(0)) => Some(last),
            _ => None,
        }
    }

    fn flexible_record(
        &mut self,
        target: &CType,
        index: usize,
        flexible: usize,
        key: &str,
        path: &str,
        level: u32,
    ) -> String {
        let types = self.types();
        let field = &types.records[index].fields[flexible];
        let TypeShape::Array(element, _) = &field.ty.canonical().shape else {
            return "0".to_owned();
        };
        let count = u64::from(self.context.options.array_len.max(1));
        let name = self.fresh(&format!("{path}_object"));
        let plain = target.unqualified();
        let spelled = types.spell(&plain);
        let union = format!(
            "union {{ {spelled} object; unsigned char space[sizeof({spelled}) + {count} * \
             sizeof(((({spelled} *)0)->{}[0]))]; }}",
            field.name
        );
        let name = self.declare_union(&union, &name);
        let place = format!("{name}.object.{}", field.name);
        let lvalue = format!("{name}.object");
        let address = self.remember(HarnessObject {
            address: format!("&{lvalue}"),
            target: key.to_owned(),
            record: true,
            root: level == 1,
            lvalue: lvalue.clone(),
            path: format!("{path}->"),
            ty: plain.clone(),
            writable: !target.is_const(),
            pointer: self.input_name(path),
            offered: Offered::Whole,
        });
        self.fill(&lvalue, &plain, &format!("{path}->"), level, false);
        for i in 0..count {
            let path = format!("{path}->{}[{i}]", field.name);
            self.fill(&format!("{place}[{i}]"), element, &path, level, false);
        }
        self.guess(&address);
        address
    }

    /// Whether pointers in a record lead to `wanted`.
    fn refers_to(&self, index: usize, wanted: usize, depth: u32) -> bool {
        if depth > 6 {
            return true;
        }
        self.types().records[index].fields.iter().any(|field| {
            let mut ty = field.ty.canonical();
            let mut through_pointer = false;
            loop {
                match &ty.shape {
                    TypeShape::Pointer(target) => {
                        through_pointer = true;
                        ty = target.canonical();
                    }
                    TypeShape::Array(element, _) => ty = element.canonical(),
                    TypeShape::Record(inner) if *inner == wanted => return through_pointer,
                    TypeShape::Record(inner) => return self.refers_to(*inner, wanted, depth + 1),
                    _ => return false,
                }
            }
        })
    }

    /// NULL, the functions of the program with that type, or one that returns an input.
    fn function_pointer(
        &mut self,
        lvalue: &str,
        ty: &CType,
        function: &FunctionType,
        path: &str,
        constant: bool,
    ) {
        let spelled = self
            .types()
            .spell(&TypeShape::Function(Box::new(function.clone())).into());
        let mut choices = vec!["0".to_owned()];
        let same = self.context.candidates.iter().filter(|c| c.ty == spelled);
        choices.extend(same.take(MAX_FUNCTION_CHOICES).map(|c| c.name.clone()));
        let name = self.fresh(&format!("labrys_callback_{}_{path}", self.prefix));
        let context = HarnessContext {
            callbacks: self.context.callbacks + 1,
            ..self.context
        };
        let shape = TypeShape::Function(Box::new(function.clone()));
        let spellable = self.types().is_spellable(&shape.into());
        let deep = context.callbacks > MAX_CALLBACK_LEVELS;
        if spellable && !deep {
            let callback = StubbedFunction {
                function,
                symbol: &name,
                input: &format!("{path}()"),
                facts: StubFacts::default(),
            };
            let (stub, _) = stub_definition(context, &callback);
            self.functions.push(stub.text);
            self.inputs.extend(stub.inputs);
            choices.push(name);
        }
        self.pick_plain(lvalue, ty, path, &choices, constant);
        if deep {
            self.limit(
                &format!("(const void *)&{lvalue}"),
                &format!("sizeof {lvalue}"),
                limit::DEPTH,
            );
        }
    }
}
