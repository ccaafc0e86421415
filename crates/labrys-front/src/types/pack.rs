//! `#pragma pack`: clang says that a structure is packed this way, but not how much. The
//! preprocessed text still has the pragmas, so the value at a place can be worked out.

/// The largest alignment of members that holds at a byte of the preprocessed text; `None` if no
/// pragma says one.
pub(super) fn at(text: &str, offset: u32) -> Option<u64> {
    let before = text.get(..offset as usize)?;
    let mut current = None;
    let mut stack: Vec<(Option<String>, Option<u64>)> = Vec::new();
    for line in before.lines() {
        let Some(arguments) = arguments(line) else {
            continue;
        };
        let words: Vec<&str> = arguments.split(',').map(str::trim).collect();
        let number = words.iter().find_map(|word| word.parse().ok());
        let label = words.get(1).filter(|word| word.parse::<u64>().is_err());
        match words[0] {
            "push" => {
                stack.push((label.map(|l| (*l).to_owned()), current));
                current = number.or(current);
            }
            "pop" => {
                let labelled = |entry: &(Option<String>, _)| entry.0.as_deref() == label.copied();
                match label.map(|_| stack.iter().rposition(labelled)) {
                    Some(Some(at)) => stack.truncate(at + 1),
                    Some(None) => continue,
                    None => {}
                }
                current = number.or(stack.pop().and_then(|(_, value)| value));
            }
            _ => current = number.filter(|n| *n != 0),
        }
    }
    current
}

/// What stands between the parentheses of a `#pragma pack`.
fn arguments(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("pragma")?.trim_start();
    let rest = rest.strip_prefix("pack")?.trim_start().strip_prefix('(')?;
    rest.split(')').next()
}

#[cfg(test)]
mod tests {
    use super::at;

    #[test]
    fn the_last_pragma_counts() {
        let text = "#pragma pack(push, 2)\nA\n# pragma pack ( 1 )\nB\n#pragma pack(pop)\nC\n\
                    #pragma pack(push, x, 4)\n#pragma pack(push)\nD\n#pragma pack(pop, x)\nE\n\
                    #pragma pack(8)\nF\n#pragma pack()\nG\n";
        let value = |c| at(text, text.find(c).unwrap() as u32);
        let found: Vec<_> = "ABCDEFG".chars().map(value).collect();
        assert_eq!(
            found,
            [Some(2), Some(1), None, Some(4), None, Some(8), None]
        );
    }
}
