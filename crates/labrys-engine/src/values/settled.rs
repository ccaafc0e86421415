//! Which bytes of the inputs keep their value for the rest of a test. In comes a variable, out comes
//! the set of its bytes that are settled.

use labrys_expr::VarId;

/// One table for all tests of a run: its entries say of which test they are, so that nothing has to
/// be cleared in between.
#[derive(Default)]
pub(crate) struct SettledBytes {
    marks: Vec<(u64, u8)>,
    test: u64,
}

impl SettledBytes {
    /// Another test begins: nothing is settled.
    pub(crate) fn begin(&mut self) {
        self.test += 1;
    }

    /// The settled bytes of a variable, as a set.
    pub(crate) fn get(&self, var: VarId) -> u8 {
        match self.marks.get(var.0 as usize) {
            Some((test, bytes)) if *test == self.test => *bytes,
            _ => 0,
        }
    }

    pub(crate) fn add(&mut self, var: VarId, bytes: u8) {
        let at = var.0 as usize;
        if at >= self.marks.len() {
            self.marks.resize(at + 1, (0, 0));
        }
        self.marks[at] = (self.test, self.get(var) | bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_settled_until_the_next_test() {
        let mut settled = SettledBytes::default();
        settled.begin();
        settled.add(VarId(3), 1);
        settled.add(VarId(3), 4);
        assert_eq!((settled.get(VarId(3)), settled.get(VarId(2))), (5, 0));
        settled.begin();
        assert_eq!(settled.get(VarId(3)), 0);
    }
}
