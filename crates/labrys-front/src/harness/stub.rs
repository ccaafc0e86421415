//! The stub of a function that nobody defines: it returns inputs, writes inputs through the pointers
//! that it got, calls the functions that it got, and says what else the real function may do.

use super::own::Offered;
use super::{HarnessCode, HarnessContext, HarnessWriter, ObjectStorage};
use crate::types::{CType, FunctionType, TypeShape};
use labrys_ledger::protocol::limit;
use labrys_ledger::{Assumption, InputType};

/// A function that needs a stub.
pub(crate) struct StubbedFunction<'a> {
    pub function: &'a FunctionType,
    /// The name of the stub.
    pub symbol: &'a str,
    /// What its results are called in tests: `f()`.
    pub input: &'a str,
    pub facts: StubFacts,
}

/// What the declaration of a function says about it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StubFacts {
    /// It never returns.
    pub noreturn: bool,
    /// It changes nothing: `pure` or `const`.
    pub pure: bool,
    /// It returns no null pointer.
    pub nonnull: bool,
    /// What it returns is known to nobody else: `malloc`.
    pub fresh: bool,
    /// It is called with arguments that its declaration does not name.
    pub unnamed_arguments: bool,
}

/// What stubs must know of the program that calls them.
#[derive(Debug, Default)]
pub(crate) struct StubSurroundings {
    /// A function that does not return may still go on: to a `setjmp`, or to what was registered for
    /// the end of the program.
    pub has_other_ways: bool,
    /// Numbers that the program compares pointers with: `(char *)-1`.
    pub sentinels: Vec<i128>,
}

/// A function that allocates memory gets at most so many sizes, of which the product counts.
const MAX_SIZES: usize = 2;

/// The most memory that a stub allocates.
const MAX_ROOM: u64 = 1 << 16;

/// Members of a structure with pointers that a stub writes, at most.
const MAX_WRITTEN_MEMBERS: usize = 16;

/// A stub may return any place in the objects of so many of its arguments.
const MAX_INTERIORS: usize = 2;

/// A stub may return the object of so many of its earlier calls.
const MAX_EARLIER: usize = 3;

/// A `static` function that stands for one without a body; and its declarator.
pub(crate) fn stub_definition(
    context: HarnessContext,
    stub: &StubbedFunction,
) -> (HarnessCode, String) {
    let mut writer = HarnessWriter::new(context, stub.symbol);
    writer.storage = ObjectStorage::Fresh;
    let types = context.types;
    let function = stub.function;
    let mut params: Vec<String> = function
        .params
        .iter()
        .enumerate()
        .map(|(i, p)| types.declare(p, &argument(i)))
        .collect();
    writer.names.extend((0..params.len()).map(argument));
    match (function.variadic, params.is_empty(), function.prototype) {
        (true, ..) => params.push("...".to_owned()),
        (false, true, true) => params.push("void".to_owned()),
        _ => {}
    }
    if !stub.facts.pure {
        writer.effects(stub);
    }
    let result = function.result.unqualified();
    if stub.facts.noreturn {
        // What led here has happened: the run ends, and counts.
        writer.statement("labrys_exit(1);");
    } else if !result.is_void() {
        writer.result(stub, &result);
    }
    let body = writer.body();
    let head = types.declare(&result, &format!("{}({})", stub.symbol, params.join(", ")));
    (writer.finish(format!("static {head} {{\n{body}}}\n")), head)
}

fn argument(index: usize) -> String {
    format!("argument_{}", index + 1)
}

impl HarnessWriter<'_> {
    /// Says what the function may change, and changes a part of it.
    fn effects(&mut self, stub: &StubbedFunction) {
        let name = stub.input.trim_end_matches("()");
        let flag = Assumption::Stub(name.to_owned()).to_string();
        let function = stub.function;
        for (index, ty) in function.params.iter().enumerate() {
            if self.types().has_pointers(ty) || ty.is_pointer() {
                let constant = u8::from(ty.pointee().is_some_and(CType::is_const));
                let place = argument(index);
                self.statement(format!(
                    "labrys_reveal(&{place}, sizeof {place}, {constant});"
                ));
            }
        }
        if function.variadic && !function.params.is_empty() {
            let last = argument(function.params.len() - 1);
            let list = self.fresh("more_arguments");
            self.declare(format!("__builtin_va_list {list};"));
            self.statement(format!("__builtin_va_start({list}, {last});"));
            self.statement(format!("labrys_reveal(&{list}, sizeof {list}, 0);"));
            self.statement(format!("__builtin_va_end({list});"));
        }
        self.statement(format!("labrys_effects(\"{flag}\");"));
        if self.context.surroundings.has_other_ways || stub.facts.unnamed_arguments {
            self.statement(format!("labrys_touch(\"{flag}\");"));
        }
        for (index, ty) in function.params.iter().enumerate() {
            let Some(target) = ty.pointee() else { continue };
            match target.function() {
                Some(callback) => self.call_back(&argument(index), callback, stub),
                None if target.is_const() => {}
                None => self.write_through(&argument(index), target, stub.input),
            }
        }
    }

    /// Makes what a pointer argument leads to an input, as far as its type says what it is.
    fn write_through(&mut self, place: &str, target: &CType, input: &str) {
        let path = format!("{input} *{place}");
        // Natively a stream with made-up members hangs, or ends the run.
        if self.is_private(target) || self.is_stream(target) {
            return;
        }
        let mut writes = Vec::new();
        match &target.canonical().shape {
            TypeShape::Int { .. } if target.is_character() => {
                let most = u64::from(self.context.options.string_len.max(1)) + 1;
                let text = TypeShape::Array(Box::new(target.unqualified()), Some(most));
                let name = self.input(&path, self.types().input_type(&text.into()));
                writes.push(format!(
                    "labrys_havoc({place}, {most}, {name}, \"{}\");",
                    limit::ARRAY_LEN
                ));
            }
            TypeShape::Int { .. } | TypeShape::Float { .. } | TypeShape::Enum(_) => {
                writes.extend(self.written(&format!("*{place}"), target, &path));
            }
            TypeShape::Record(_) | TypeShape::Array(_, Some(_))
                if !self.types().has_pointers(target) =>
            {
                writes.extend(self.written(&format!("*{place}"), target, &path));
            }
            TypeShape::Record(index) if !self.types().records[*index].union => {
                let types = self.types();
                let fields = types.records[*index].fields.iter();
                let plain = fields.filter(|f| f.bits.is_none() && !f.name.is_empty());
                for field in plain.take(MAX_WRITTEN_MEMBERS) {
                    if !self.types().has_pointers(&field.ty) && !self.is_private(&field.ty) {
                        let member = format!("{place}->{}", field.name);
                        let path = format!("{input} {member}");
                        writes.extend(self.written(&member, &field.ty, &path));
                    }
                }
            }
            _ => {}
        }
        if !writes.is_empty() {
            self.statement(format!("if ({place}) {{"));
            for write in writes {
                self.statement(format!("  {write}"));
            }
            self.statement("}");
        }
        if self.context.callbacks == 0 {
            self.write_pointers(place, target, input);
        }
    }

    /// The call that makes an object an input, if its size is known.
    fn written(&mut self, lvalue: &str, ty: &CType, path: &str) -> Option<String> {
        self.types().size(ty).filter(|size| *size > 0)?;
        let name = self.input(path, self.types().input_type(&ty.unqualified()));
        Some(format!(
            "labrys_havoc((void *)&{lvalue}, sizeof({lvalue}), {name}, \"\");"
        ))
    }

    /// Calls a function that the stub got, or does not. Generated callbacks call nobody.
    fn call_back(&mut self, place: &str, function: &FunctionType, stub: &StubbedFunction) {
        let spellable = function.params.iter().all(|p| self.types().is_spellable(p));
        if self.context.callbacks > 0 || !function.prototype || function.variadic || !spellable {
            return;
        }
        let running = self.fresh("running");
        let path = format!("{} calls {place}", stub.input);
        self.declare(format!("static int {running};"));
        self.statement(format!("if ({place} && !{running}) {{"));
        let input = self.input(&path, InputType::truth());
        self.statement(format!("if (labrys_bool({input})) {{"));
        self.statement(format!("{running} = 1;"));
        let mut arguments = Vec::new();
        for (number, ty) in function.params.iter().enumerate() {
            let variable = self.fresh(&format!("given_{}", number + 1));
            let ty = ty.unqualified();
            let declaration = self.types().declare(&ty, &variable);
            self.declare(format!("{declaration};"));
            let path = format!("{path}: argument {}", number + 1);
            match self.passed_on(stub.function, &ty) {
                Some(choices) => self.pick_plain(&variable, &ty, &path, &choices, false),
                None => self.fill(&variable, &ty, &path, 0, false),
            }
            arguments.push(variable);
        }
        self.own_new_objects(None);
        self.statement(format!("{place}({});", arguments.join(", ")));
        self.statement(format!("{running} = 0;"));
        self.statement("}");
        self.statement("}");
    }

    /// What a callback gets for a `void *`: what was registered with it.
    fn passed_on(&self, function: &FunctionType, ty: &CType) -> Option<Vec<String>> {
        let is_untyped = |ty: &CType| ty.pointee().is_some_and(CType::is_void);
        if !is_untyped(ty) {
            return None;
        }
        let params = function.params.iter().enumerate();
        let same = params.filter(|(_, param)| is_untyped(param));
        let choices: Vec<String> = same.map(|(index, _)| argument(index)).collect();
        (!choices.is_empty()).then_some(choices)
    }

    fn result(&mut self, stub: &StubbedFunction, result: &CType) {
        let declaration = self.types().declare(result, "result");
        match result.pointee() {
            Some(target) if self.is_made_up(target) => {
                self.pointer_result(stub, result, target);
            }
            _ => {
                self.fill("result", result, stub.input, 0, false);
                self.own_new_objects(None);
            }
        }
        self.declare(format!("{declaration};"));
        self.statement("return result;");
    }

    /// Tells the engine of new objects. Another call leads to none of them, but for the one at
    /// `returned`, with the choices that it is among as a C expression. From here on it is the program
    /// again that reads and writes.
    pub(super) fn own_new_objects(&mut self, returned: Option<(&str, &str)>) {
        let new = &self.objects[self.owned..];
        let calls: Vec<String> = new
            .iter()
            .map(|object| {
                let choices = returned.filter(|(address, _)| object.address == *address);
                self.own_call(object, choices.map_or("\"\"", |(_, choices)| choices))
            })
            .collect();
        self.owned = self.objects.len();
        if !calls.is_empty() {
            self.statements.extend(calls);
            self.statement("labrys_inputs_made();");
        }
    }

    /// Is a pointer to it one that the harness chooses itself?
    pub(super) fn is_made_up(&self, target: &CType) -> bool {
        target.function().is_none() && !self.is_stream(target) && !self.is_private(target)
    }

    /// A pointer: null, to an object of its own, to what an earlier call returned, into what the
    /// function got, or a number that the program asks for.
    fn pointer_result(&mut self, stub: &StubbedFunction, result: &CType, target: &CType) {
        let key = self.target_key(target);
        self.make_room(stub.function, target);
        let object = self.object(target, &key, stub.input, 1);
        self.room = None;
        let mut choices = Vec::new();
        if !stub.facts.nonnull {
            choices.push(("0".to_owned(), "NULL".to_owned()));
        }
        choices.push((object.clone(), "a new object".to_owned()));
        let mut earlier = 0;
        if !stub.facts.fresh {
            choices.extend(self.returned_arguments(stub, target, &key));
            let sentinels = self.context.surroundings.sentinels.iter();
            choices.extend(sentinels.map(|n| (format!("(long){n}"), n.to_string())));
            earlier = MAX_EARLIER;
        }
        let fixed = choices.len();
        if earlier > 0 {
            self.declare(format!("static void *earlier[{earlier}];"));
            self.declare("static unsigned calls;");
        }
        let before = (0..earlier).map(|n| {
            let shown = format!("the object of call {}", n + 1);
            (format!("earlier[{n}]"), shown)
        });
        choices.extend(before);
        let (list, shown): (Vec<String>, Vec<String>) = choices.into_iter().unzip();
        let name = self.input(
            &format!("{} (pointer)", stub.input),
            InputType::Pick {
                name: self.types().spell(result),
                choices: shown,
            },
        );
        let list: Vec<String> = list.iter().map(|c| format!("(void *){c}")).collect();
        let count = match earlier {
            0 => fixed.to_string(),
            _ => format!("{fixed} + calls"),
        };
        self.statement(format!(
            "{{ void *const choices[] = {{ {} }}; result = labrys_pick({name}, {count}, choices); }}",
            list.join(", ")
        ));
        let offered = self.objects.iter().find(|o| o.address == object);
        let offered = offered.map_or("", |o| o.offered.name());
        let offered = match earlier {
            0 => format!("\"{}\"", Offered::Alone.name()),
            _ => format!("calls < {earlier} ? \"{offered}\" : \"\""),
        };
        self.own_new_objects(Some((&object, &offered)));
        if earlier > 0 {
            self.statement(format!(
                "if (calls < {earlier}) earlier[calls++] = (void *){object};"
            ));
        }
    }

    /// A function that returns a `void *` and gets sizes may be one that allocates memory: then its object
    /// has so much room, if that is more than others have.
    fn make_room(&mut self, function: &FunctionType, target: &CType) {
        if !target.is_void() {
            return;
        }
        let integer = |ty: &CType| match self.types().input_type(ty) {
            InputType::Int { bits, .. } => bits,
            _ => 0,
        };
        let params = function.params.iter().enumerate();
        let sizes: Vec<(usize, u32)> = params
            .map(|(index, ty)| (index, integer(ty)))
            .filter(|(_, bits)| *bits >= 32)
            .collect();
        if sizes.len() > MAX_SIZES || sizes.iter().all(|(_, bits)| *bits < 64) {
            return;
        }
        let sizes = sizes.iter();
        let sizes: Vec<String> = sizes
            .map(|(index, _)| format!("(unsigned long){}", argument(*index)))
            .collect();
        let least = self.untyped_bytes();
        let product = self.fresh("size");
        let room = self.fresh("room");
        self.declare(format!("unsigned long {product} = {};", sizes.join(" * ")));
        self.declare(format!(
            "unsigned long {room} = {product} > {least} && {product} <= {MAX_ROOM} ? {product} : {least};"
        ));
        self.room = Some(room);
    }

    /// The arguments that a stub may return, with what they are called.
    fn returned_arguments(
        &mut self,
        stub: &StubbedFunction,
        target: &CType,
        key: &str,
    ) -> Vec<(String, String)> {
        let bytes = |ty: &CType| ty.is_void() || ty.is_character();
        let mut choices = Vec::new();
        let mut interiors = 0;
        for (index, ty) in stub.function.params.iter().enumerate() {
            let Some(pointee) = ty.pointee().filter(|p| p.function().is_none()) else {
                continue;
            };
            let place = argument(index);
            let same = self.target_key(pointee) == key;
            if bytes(target) && bytes(pointee) && interiors < MAX_INTERIORS {
                interiors += 1;
                let inside = self.fresh(&format!("inside_{}", index + 1));
                let path = format!("{} - {place}", stub.input);
                let input = self.input(&path, InputType::long());
                self.declare(format!("void *{inside} = 0;"));
                self.statement(format!(
                    "if ({place}) {inside} = labrys_interior((void *){place}, {input});"
                ));
                choices.push((inside, format!("a place in {place}")));
            } else if same || pointee.is_void() || target.is_void() {
                choices.push((place.clone(), place));
            }
        }
        choices
    }
}
