//! Pictures of coverage over work, as in figures 4 and 5 of the paper on coverage structures:
//! step lines, one for each search, as SVG text without any dependency. The same data gives the
//! same bytes. The picture has colours of its own for light and for dark surroundings.

mod ticks;

use std::fmt::Write;
use ticks::Axis;

/// A line: at each x, the value that holds from there on. The x ascend.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotLine {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// A picture.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    /// Work is counted in whole numbers, time is not.
    pub whole_x: bool,
    pub lines: Vec<PlotLine>,
}

/// Colours that people who see colours differently can tell apart, too; with the dashes they
/// tell many lines apart.
const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8f6bb3", "#808080",
];
const DASHES: [&str; 5] = ["", "7 3", "2 3", "9 3 2 3", "4 2"];

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 52.0;
const LEGEND_LINE: f64 = 18.0;

/// Text and frame by classes, so that a dark page can have them light.
const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#222}\
.paper{fill:#fff}.title{font-size:14px;font-weight:600}\
.grid{stroke:#ddd;stroke-width:1}.axis{stroke:#555;stroke-width:1;fill:none}\
.line{fill:none;stroke-width:1.8;stroke-linejoin:round}\
@media(prefers-color-scheme:dark){text{fill:#ddd}.paper{fill:#16181d}.grid{stroke:#33363d}.axis{stroke:#999}}";

impl Chart {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let largest = |value: fn(&(f64, f64)) -> f64| {
            let points = self.lines.iter().flat_map(|line| &line.points);
            points.map(value).fold(0.0, f64::max)
        };
        let frame = PlotFrame {
            x: Axis::new(largest(|p| p.0), 8, self.whole_x),
            y: Axis::new(largest(|p| p.1), 6, true),
            height: HEIGHT.max(TOP + BOTTOM + LEGEND_LINE * self.lines.len() as f64),
        };
        let mut out = String::new();
        let (w, h) = (WIDTH, frame.height);
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\">"
        );
        let _ = writeln!(out, "<title>{}</title>", escaped(&self.title));
        let _ = writeln!(out, "<style>{STYLE}</style>");
        let _ = writeln!(
            out,
            "<rect class=\"paper\" width=\"{w}\" height=\"{h}\" rx=\"4\"/>"
        );
        frame.write(&mut out, self);
        for (number, line) in self.lines.iter().enumerate() {
            let path = frame.path(line);
            let _ = writeln!(out, "<path class=\"line\" {} d=\"{path}\"/>", look(number));
        }
        for (number, line) in self.lines.iter().enumerate() {
            legend(&mut out, number, line);
        }
        out.push_str("</svg>\n");
        out
    }
}

/// The axes, and from numbers to places.
struct PlotFrame {
    x: Axis,
    y: Axis,
    height: f64,
}

impl PlotFrame {
    fn right() -> f64 {
        WIDTH - RIGHT
    }

    fn bottom(&self) -> f64 {
        self.height - BOTTOM
    }

    fn at_x(&self, x: f64) -> f64 {
        LEFT + (PlotFrame::right() - LEFT) * x / self.x.last()
    }

    fn at_y(&self, y: f64) -> f64 {
        self.bottom() - (self.bottom() - TOP) * y / self.y.last()
    }

    fn write(&self, out: &mut String, chart: &Chart) {
        let (right, bottom) = (PlotFrame::right(), self.bottom());
        for tick in &self.y.ticks {
            let y = place(self.at_y(*tick));
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{LEFT} {y}H{right}\"/><text x=\"{}\" y=\"{y}\" dy=\"4\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                self.y.text(*tick)
            );
        }
        for tick in &self.x.ticks {
            let x = place(self.at_x(*tick));
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{x} {TOP}V{bottom}\"/><text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                bottom + 18.0,
                self.x.text(*tick)
            );
        }
        let _ = writeln!(
            out,
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{bottom}H{right}\"/>"
        );
        let centre = place((LEFT + right) / 2.0);
        let _ = writeln!(
            out,
            "<text class=\"title\" x=\"{centre}\" y=\"22\" text-anchor=\"middle\">{}</text>",
            escaped(&chart.title)
        );
        let _ = writeln!(
            out,
            "<text x=\"{centre}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 40.0,
            escaped(&chart.x_label)
        );
        let middle = place((TOP + bottom) / 2.0);
        let _ = writeln!(
            out,
            "<text transform=\"translate(16 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escaped(&chart.y_label)
        );
    }

    /// A step line; points that change nothing are left out.
    fn path(&self, line: &PlotLine) -> String {
        let mut path = String::new();
        let mut value = None;
        let last = line.points.len().saturating_sub(1);
        for (number, (x, y)) in line.points.iter().enumerate() {
            let (x_at, y_at) = (place(self.at_x(*x)), place(self.at_y(*y)));
            if value.is_none() {
                let _ = write!(path, "M{x_at} {y_at}");
            } else if value != Some(*y) {
                let _ = write!(path, "H{x_at}V{y_at}");
            } else if number == last {
                let _ = write!(path, "H{x_at}");
            }
            value = Some(*y);
        }
        path
    }
}

/// How the line of this number looks.
fn look(number: usize) -> String {
    let colour = COLOURS[number % COLOURS.len()];
    match DASHES[number % DASHES.len()] {
        "" => format!("stroke=\"{colour}\""),
        dash => format!("stroke=\"{colour}\" stroke-dasharray=\"{dash}\""),
    }
}

/// The name of a line with the last of its values.
fn legend(out: &mut String, number: usize, line: &PlotLine) {
    let (x, y) = (
        PlotFrame::right() + 14.0,
        TOP + 10.0 + LEGEND_LINE * number as f64,
    );
    let last = line.points.last().map_or(0.0, |(_, y)| *y);
    let last = place(last);
    let _ = writeln!(
        out,
        "<path class=\"line\" {} d=\"M{x} {y}h30\"/><text x=\"{}\" y=\"{y}\" dy=\"4\">{} ({last})</text>",
        look(number),
        x + 38.0,
        escaped(&line.name)
    );
}

/// A number with at most one digit after the point.
fn place(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        let line = |name: &str, points: &[(f64, f64)]| PlotLine {
            name: name.to_owned(),
            points: points.to_vec(),
        };
        Chart {
            title: "a < b & \"c\"".into(),
            x_label: "iterations".into(),
            y_label: "covered objectives".into(),
            whole_x: true,
            lines: vec![
                line("dfs", &[(0.0, 0.0), (1.0, 2.0), (5.0, 2.0), (10.0, 2.0)]),
                line("pps", &[(0.0, 0.0), (1.0, 4.0), (10.0, 8.0)]),
            ],
        }
    }

    #[test]
    fn the_picture_is_well_formed_and_always_the_same() {
        let svg = chart().svg();
        assert_eq!(svg, chart().svg());
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts: Vec<&str> = document.descendants().filter_map(|n| n.text()).collect();
        for text in ["a < b & \"c\"", "iterations", "covered objectives"] {
            assert!(texts.contains(&text), "{text}: {texts:?}");
        }
        assert!(texts.contains(&"dfs (2)") && texts.contains(&"pps (8)"));
        let paths = |n: &roxmltree::Node<'_, '_>| n.attribute("class") == Some("line");
        let lines: Vec<_> = document.descendants().filter(paths).collect();
        assert_eq!(lines.len(), 4);
        assert_ne!(lines[0].attribute("stroke"), lines[1].attribute("stroke"));
    }

    #[test]
    fn lines_are_steps_that_end_where_the_data_ends() {
        let chart = chart();
        let frame = PlotFrame {
            x: Axis::new(10.0, 10, true),
            y: Axis::new(8.0, 4, true),
            height: HEIGHT,
        };
        let (left, right) = (LEFT, PlotFrame::right());
        let one = place(left + (right - left) / 10.0);
        let bottom = place(frame.bottom());
        let up = place(frame.at_y(2.0));
        assert_eq!(
            frame.path(&chart.lines[0]),
            format!("M{left} {bottom}H{one}V{up}H{right}")
        );
    }

    #[test]
    fn a_picture_of_nothing_is_still_one() {
        let svg = Chart::default().svg();
        assert!(roxmltree::Document::parse(&svg).is_ok());
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
