//! What other coverage tools say, for people.

use labrys_driver::output::CoverageCheck;
use std::fmt::Write;

/// The checks for people.
pub fn text(checks: &[CoverageCheck]) -> String {
    let mut text = String::new();
    for check in checks {
        let differences = check.differences.len();
        let _ = writeln!(
            text,
            "{}: {} places compared, {differences} differences",
            check.tool, check.compared
        );
        for difference in &check.differences {
            let _ = writeln!(text, "  {difference}");
        }
        for remark in &check.remarks {
            let _ = writeln!(text, "  ({remark})");
        }
    }
    text
}
