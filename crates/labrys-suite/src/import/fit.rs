//! From the arguments, files and environment of a test to the inputs of the harness that would give
//! them: the inverse of [`World::surroundings`]. Says why where the harness cannot.

use labrys_ledger::World;
use labrys_ledger::world::{
    FileContents, ProgramArgument, STDIN, TestSurroundings, VariableValue, argument_input,
    count_input, file_inputs, variable_inputs,
};

type NamedBytes = Vec<(String, Vec<u8>)>;

/// The inputs that give a program these surroundings; or why the harness cannot give them.
pub fn inputs_for(world: &World, wanted: &TestSurroundings) -> Result<NamedBytes, String> {
    let mut inputs = NamedBytes::new();
    arguments(world, &wanted.arguments, &mut inputs)?;
    match &world.stdin {
        FileContents::Symbolic { most } => {
            contents(STDIN, &wanted.stdin, *most, "--sym-stdin", &mut inputs)?;
        }
        FileContents::Bytes(bytes) if wanted.stdin.is_empty() || wanted.stdin == *bytes => {}
        FileContents::Bytes(_) => return Err("it has another standard input than --stdin".into()),
    }
    for file in &world.files {
        let found = wanted.files.iter().find(|(name, _)| *name == file.name);
        match (&file.contents, found) {
            (FileContents::Symbolic { most }, found) => {
                let [bytes, _, missing] = file_inputs(&file.name);
                inputs.push((missing, vec![u8::from(found.is_none())]));
                let flag = format!("--sym-file {}", file.name);
                let empty = Vec::new();
                let data = found.map_or(&empty, |(_, data)| data);
                contents(&bytes, data, *most, &flag, &mut inputs)?;
            }
            (FileContents::Bytes(bytes), Some((name, data))) if data != bytes => {
                return Err(format!(
                    "its file {name} is another one than that of --file"
                ));
            }
            (FileContents::Bytes(_), _) => {}
        }
    }
    let declared = |name: &String| world.files.iter().any(|file| file.name == *name);
    if let Some((name, data)) = wanted.files.iter().find(|(name, _)| !declared(name)) {
        return Err(format!(
            "it has a file {name}; give --sym-file {name}:{}",
            data.len()
        ));
    }
    environment(world, &wanted.environment, &mut inputs)?;
    Ok(inputs)
}

fn contents(
    name: &str,
    data: &[u8],
    most: u32,
    flag: &str,
    inputs: &mut NamedBytes,
) -> Result<(), String> {
    let size = data.len();
    if size > most as usize {
        return Err(format!(
            "it needs {size} bytes of {name}; raise {flag} from {most}"
        ));
    }
    if most > 0 {
        let mut bytes = data.to_vec();
        bytes.resize(most as usize, 0);
        inputs.push((format!("{name}.size"), (size as u32).to_le_bytes().to_vec()));
        inputs.push((name.to_owned(), bytes));
    }
    Ok(())
}

fn environment(
    world: &World,
    wanted: &[(String, Vec<u8>)],
    inputs: &mut NamedBytes,
) -> Result<(), String> {
    for variable in &world.environment {
        let VariableValue::Symbolic { length } = variable.value else {
            continue;
        };
        let [value, set] = variable_inputs(&variable.name);
        let found = wanted.iter().find(|(name, _)| *name == variable.name);
        inputs.push((set, vec![u8::from(found.is_some())]));
        let mut bytes = found.map_or_else(Vec::new, |(_, bytes)| bytes.clone());
        if bytes.len() > length as usize {
            return Err(format!(
                "the value of {} has {} bytes; raise --sym-env from {length}",
                variable.name,
                bytes.len()
            ));
        }
        bytes.resize(length as usize, 0);
        inputs.push((value, bytes));
    }
    Ok(())
}

/// Shares the arguments out among those that are given and the groups.
fn arguments(world: &World, wanted: &[Vec<u8>], inputs: &mut NamedBytes) -> Result<(), String> {
    let Some(counts) = arguments_per_group(&world.arguments, wanted) else {
        let shown: Vec<String> = wanted
            .iter()
            .map(|argument| format!("'{}'", String::from_utf8_lossy(argument).escape_debug()))
            .collect();
        let longest = wanted.iter().map(Vec::len).max().unwrap_or(0);
        return Err(format!(
            "its arguments [{}] are not among those of --arg and --sym-args; {} of at most {longest} bytes are needed",
            shown.join(", "),
            wanted.len(),
        ));
    };
    let mut rest = wanted;
    let (mut group, mut number) = (0, 0);
    for (argument, count) in world.arguments.iter().zip(counts) {
        let (taken, left) = rest.split_at(count);
        rest = left;
        if let ProgramArgument::Symbolic { max, length, .. } = argument {
            inputs.push((count_input(group), vec![count as u8]));
            for (i, text) in taken.iter().enumerate() {
                let mut bytes = text.clone();
                bytes.resize(*length as usize, 0);
                // Nobody asks for an argument without bytes.
                if *length > 0 {
                    inputs.push((argument_input(number + i as u32 + 1), bytes));
                }
            }
            group += 1;
            number += max;
        }
    }
    Ok(())
}

/// How many of the wanted arguments each of the given ones and groups takes. `fits[n]` tells
/// whether the first `n` wanted ones can be shared out among those seen so far, and how many the
/// last of these then takes.
fn arguments_per_group(given: &[ProgramArgument], wanted: &[Vec<u8>]) -> Option<Vec<usize>> {
    let mut steps: Vec<Vec<Option<usize>>> = Vec::new();
    let mut fits: Vec<bool> = (0..=wanted.len()).map(|n| n == 0).collect();
    for argument in given {
        let step: Vec<Option<usize>> = (0..=wanted.len())
            .map(|end| counts(argument, wanted, end).find(|count| fits[end - count]))
            .collect();
        fits = step.iter().map(Option::is_some).collect();
        steps.push(step);
    }
    let mut end = wanted.len();
    let mut shares = Vec::new();
    if !fits[end] {
        return None;
    }
    for step in steps.iter().rev() {
        let count = step[end]?;
        shares.push(count);
        end -= count;
    }
    shares.reverse();
    Some(shares)
}

/// How many of the wanted arguments before `end` this one can take.
fn counts<'a>(
    argument: &'a ProgramArgument,
    wanted: &'a [Vec<u8>],
    end: usize,
) -> Box<dyn Iterator<Item = usize> + 'a> {
    match argument {
        ProgramArgument::Text(text) => {
            let same = end > 0 && wanted[end - 1] == text.as_bytes();
            Box::new(same.then_some(1).into_iter())
        }
        ProgramArgument::Symbolic { min, max, length } => {
            let short = |argument: &&Vec<u8>| argument.len() <= *length as usize;
            let most = wanted[..end].iter().rev().take_while(short).count();
            Box::new(*min as usize..=most.min(*max as usize))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use labrys_ledger::world::{EnvironmentVariable, NamedFile};
    use proptest::prelude::*;

    fn world() -> World {
        let symbolic = |min, max, length| ProgramArgument::Symbolic { min, max, length };
        World {
            program: None,
            arguments: vec![
                symbolic(0, 2, 3),
                ProgramArgument::Text("-".into()),
                symbolic(1, 2, 1),
            ],
            stdin: FileContents::Symbolic { most: 4 },
            files: vec![NamedFile {
                name: "a".into(),
                contents: FileContents::Symbolic { most: 2 },
            }],
            environment: vec![EnvironmentVariable {
                name: "V".into(),
                value: VariableValue::Symbolic { length: 2 },
            }],
        }
    }

    fn back(inputs: &NamedBytes) -> Option<TestSurroundings> {
        let input = |name: &str| {
            let found = inputs.iter().find(|(n, _)| n == name);
            found.map(|(_, bytes)| bytes.as_slice())
        };
        world().surroundings(&input)
    }

    proptest! {
        #[test]
        fn what_fits_comes_back(
            before in proptest::collection::vec("[-a-c]{0,3}", 0..3),
            after in proptest::collection::vec("[-a-c]{0,1}", 1..3),
            stdin in proptest::collection::vec(any::<u8>(), 0..5),
            file in proptest::option::of(proptest::collection::vec(any::<u8>(), 0..3)),
            variable in proptest::option::of("[a-z]{0,2}"),
        ) {
            let mut arguments: Vec<Vec<u8>> = before.into_iter().map(String::into_bytes).collect();
            arguments.push(b"-".to_vec());
            arguments.extend(after.into_iter().map(String::into_bytes));
            let wanted = TestSurroundings {
                arguments,
                stdin,
                files: file.map(|bytes| ("a".to_owned(), bytes)).into_iter().collect(),
                environment: variable.map(|v| ("V".to_owned(), v.into_bytes())).into_iter().collect(),
            };
            let inputs = inputs_for(&world(), &wanted).unwrap();
            prop_assert_eq!(back(&inputs), Some(wanted));
        }
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let arguments = vec![b"-".to_vec(), b"x".to_vec()];
        let good = TestSurroundings {
            arguments,
            ..TestSurroundings::default()
        };
        assert!(inputs_for(&world(), &good).is_ok());
        let with = |change: &dyn Fn(&mut TestSurroundings)| {
            let mut changed = good.clone();
            change(&mut changed);
            inputs_for(&world(), &changed).unwrap_err()
        };
        let file = |name: &str, bytes: &[u8]| (name.to_owned(), bytes.to_vec());
        assert!(with(&|s| s.arguments.clear()).contains("--sym-args"));
        assert!(with(&|s| s.arguments.push(b"xx".to_vec())).contains("'xx'"));
        assert!(with(&|s| s.stdin = vec![0; 5]).contains("raise --sym-stdin from 4"));
        assert!(with(&|s| s.files.push(file("a", b"123"))).contains("--sym-file a"));
        assert!(with(&|s| s.files.push(file("b", b"1"))).contains("--sym-file b:1"));
        assert!(with(&|s| s.environment.push(file("V", b"123"))).contains("--sym-env"));
    }
}
