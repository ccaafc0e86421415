//! Plain text tables.

/// Columns are aligned: the first, or the first few, left, the others right.
pub struct Table {
    rows: Vec<Vec<String>>,
    left: usize,
}

impl Table {
    pub fn new(header: &[&str]) -> Self {
        Table {
            rows: vec![header.iter().map(ToString::to_string).collect()],
            left: 1,
        }
    }

    /// Without a header.
    pub fn plain() -> Self {
        Table {
            rows: Vec::new(),
            left: 1,
        }
    }

    /// So many columns are left-aligned.
    pub fn left(mut self, columns: usize) -> Self {
        self.left = columns;
        self
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(c));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (c, cell) in row.iter().enumerate() {
                let pad = " ".repeat(widths[c] - cell.chars().count());
                line.push_str(if c == 0 { "" } else { "  " });
                if c < self.left {
                    line.push_str(cell);
                    line.push_str(&pad);
                } else {
                    line.push_str(&pad);
                    line.push_str(cell);
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
