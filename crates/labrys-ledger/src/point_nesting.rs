//! Which mutation points stand inside others. An alternative is a plain copy of the source, without
//! the points that are inside of the original, and a statement that is left out takes its points with
//! it: two such changes cannot be active together.

use std::collections::BTreeMap;

/// Where the choice of each point stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointNesting {
    choices: BTreeMap<u32, ChoicePlace>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct ChoicePlace {
    function: String,
    /// From the first byte to behind the last, in the text of the function's unit.
    span: (u32, u32),
    hides: bool,
}

impl PointNesting {
    /// Notes the text that a choice stands around. `hides` says that what is inside of it is not come
    /// to if an alternative is active.
    pub fn add(&mut self, point: u32, function: &str, span: (u32, u32), hides: bool) {
        let function = function.to_owned();
        let place = ChoicePlace {
            function,
            span,
            hides,
        };
        self.choices.insert(point, place);
    }

    /// Whether a change at one point leaves the other there, and the other way round.
    pub fn can_be_together(&self, one: u32, other: u32) -> bool {
        let places = (self.choices.get(&one), self.choices.get(&other));
        let (Some(first), Some(second)) = places else {
            return false;
        };
        one != other && !first.takes_away(second) && !second.takes_away(first)
    }
}

impl ChoicePlace {
    fn takes_away(&self, other: &ChoicePlace) -> bool {
        let is_inside = self.span.0 <= other.span.0 && other.span.1 <= self.span.1;
        self.hides && self.function == other.function && is_inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_change_takes_away_is_not_changed() {
        let mut nesting = PointNesting::default();
        nesting.add(1, "f", (10, 90), true);
        nesting.add(2, "f", (20, 30), true);
        nesting.add(3, "f", (40, 80), false);
        nesting.add(4, "f", (50, 60), true);
        nesting.add(5, "g", (20, 30), true);
        nesting.add(6, "f", (100, 110), false);
        nesting.add(7, "f", (100, 110), true);
        let together = |one, other| {
            let both = nesting.can_be_together(one, other);
            assert_eq!(both, nesting.can_be_together(other, one));
            both
        };
        assert!(!together(1, 2), "a copy has no points");
        assert!(together(3, 4), "what a negation is around stays");
        assert!(!together(1, 4));
        assert!(together(2, 4) && together(2, 3), "side by side");
        assert!(together(1, 5), "in different functions");
        assert!(!together(6, 7), "around the same text");
        assert!(!together(2, 2), "one point has one alternative");
        assert!(!together(2, 99), "nothing is known of it");
    }
}
