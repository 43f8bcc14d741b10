//! The report as Markdown, and its plots.

use super::published::{self, Hand};
use super::study::{MeshQuery, MeshRow, Row, Study};
use super::{Motion, Setting, Timeline};
use crate::plot::{Curves, Panel, Ridge, Ridges};
use crate::statistics::{Summary, median};
use std::fmt::Write;
use superovoid::DepthMode;

/// File names of the plots.
pub const PLOTS: [&str; 2] = ["hands_motion_clearance.svg", "hands_motion_times.svg"];

/// All that was found.
pub struct Report {
    /// How the report is made again.
    pub command: String,
    /// What it was made on.
    pub machine: String,
    /// The motion, planned with the first version.
    pub motion: Motion,
    /// Name, approach at which the hands touch (metres) and the links that do, of every version.
    pub contacts: Vec<(String, f64, [String; 2])>,
    /// Of every version, and of meshes.
    pub timelines: Vec<Timeline>,
    /// Of every version.
    pub studies: Vec<Study>,
    /// Of the superellipsoids by the code for tapered bodies.
    pub general: Study,
    /// Of the robot's own meshes, if there were any.
    pub robot_meshes: Vec<MeshRow>,
    /// Least and greatest number of vertices of the meshes of the superovoids, and of the robot's.
    pub vertices: Vec<(String, [usize; 2])>,
}

/// Rows of the table over time, about.
const ROWS: usize = 32;

impl Report {
    /// The whole text.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# The hands' motion, repeated\n\n    {}\n\nOne thread of {}, release build. Published times are of another machine: \
             compare the rows of a column, not across.\n\n{INTRODUCTION}",
            self.command, self.machine
        );
        self.approach(&mut text);
        self.over_time(&mut text);
        self.table_4(&mut text);
        self.meshes(&mut text);
        self.apart(&mut text);
        text
    }

    fn approach(&self, text: &mut String) {
        let motion = &self.motion;
        let [first, second] = &motion.touching;
        let _ = write!(
            text,
            "\n## The plan\n\nConservative advancement: the right hand comes nearer by the clearance that was just \
             proven, which no point of it can exceed, until nothing is left. {} steps lead to contact, and no \
             moment between them needs a check. `{first}` and `{second}` touch at `right_hand_approach` = {:.5} m. \
             Every version is moved alike; planned by itself each would touch at:\n\n\
             | version | approach mm | links |\n| --- | ---: | --- |\n",
            motion.advances, motion.contact
        );
        for (name, contact, [a, b]) in &self.contacts {
            let _ = writeln!(text, "| {name} | {:.3} | `{a}`, `{b}` |", contact * 1e3);
        }
    }

    fn over_time(&self, text: &mut String) {
        let _ = write!(
            text,
            "\n## Clearance over time\n\n![Clearance and overlapping pairs over time]({})\n\n{OVER_TIME}\n\
             | time s | approach mm | inward ° |",
            PLOTS[0]
        );
        for timeline in &self.timelines {
            let _ = write!(text, " {}: mm | pairs |", timeline.name);
        }
        *text += "\n| ---: | ---: | ---: |";
        *text += &" ---: | ---: |".repeat(self.timelines.len());
        *text += "\n";
        let moments = &self.motion.moments;
        let every = moments.len().div_ceil(ROWS);
        for (k, moment) in moments.iter().enumerate() {
            let contact = moment.time == self.motion.contact_time;
            if k % every != 0 && k + 1 != moments.len() && !contact {
                continue;
            }
            let _ = write!(
                text,
                "| {:.2} | {:.2} | {:.1} |",
                moment.time,
                moment.approach * 1e3,
                moment.inward.to_degrees()
            );
            for timeline in &self.timelines {
                // Contact is 0.00, whichever side of it the last digits are on.
                let millimetres = (timeline.clearance[k] * 1e5).round() / 1e2 + 0.0;
                let _ = write!(text, " {millimetres:.2} | {} |", timeline.overlapping[k]);
            }
            *text += "\n";
        }
        let failed = self
            .timelines
            .iter()
            .map(|t| format!("{} {}", t.name, t.failed));
        let failed: Vec<String> = failed.collect();
        let _ = writeln!(text, "\nQueries without an answer: {}.", failed.join(", "));
    }

    fn table_4(&self, text: &mut String) {
        *text += "\n## Table 4: pairs that overlap\n\n";
        *text += TABLE_4;
        let hands = [None, None, Some(Hand::Mixed)];
        let studies = self.studies.iter().zip(hands);
        let general = (&self.general, Some(Hand::SuperellipsoidsByGeneralCode));
        for (study, hand) in studies.chain([general]) {
            let _ = write!(
                text,
                "\n### {}: {} pairs\n\n| method | start | right | not the least depth | not converged | wrong | \
                 largest error m | iterations | mean µs | σ | median | published µs | published σ | published \
                 iterations |\n| --- | --- |{}\n",
                capitalised(&study.name),
                study.overlapping(),
                " ---: |".repeat(12)
            );
            for row in &study.rows {
                let score = &row.sides[1];
                let _ = writeln!(
                    text,
                    "| {} | {} | {} | {} | {} | {} | {:.0e} | {} | {} | {} |",
                    row.setting.name(),
                    row.setting.start(),
                    share(score.right, score.pairs),
                    score.not_least,
                    score.not_converged,
                    score.wrong,
                    score.worst,
                    score.iterations.cell(1),
                    times(&score.microseconds),
                    published_cells(hand, row.setting),
                );
            }
        }
        let exact = |study: &Study, warm| {
            let setting = Setting::exact(warm);
            let row = study.rows.iter().find(|row| row.setting == setting);
            let times = row.map(|row| row.sides[1].microseconds.iter().copied());
            times.map_or(f64::NAN, |times| times.collect::<Summary>().mean())
        };
        let _ = write!(
            text,
            "\nOn the superellipsoids the exact query by the code for tapered bodies takes {:.2} (cold) and {:.2} (warm) times \
             as long as by its code for superellipsoids; in the paper the ratios are 0.97 (octImplicit) and 1.17 \
             (quadParametric).\n",
            exact(&self.general, false) / exact(&self.studies[1], false),
            exact(&self.general, true) / exact(&self.studies[1], true),
        );
        let _ = write!(text, "\n{FIGURE_11}\n![Times of a query]({})\n", PLOTS[1]);
    }

    fn meshes(&self, text: &mut String) {
        *text += "\n## Meshes\n\n";
        *text += MESHES;
        for (name, [low, high]) in &self.vertices {
            let count = if low == high {
                low.to_string()
            } else {
                format!("{low} to {high}")
            };
            let _ = writeln!(text, "- *{name}*: {count} vertices each.");
        }
        let _ = write!(
            text,
            "\n| meshes | query | pairs | called apart | no answer | depth off by mm, mean | mean µs | σ | median | \
             published µs (FCL) | published σ |\n| --- | --- |{}\n",
            " ---: |".repeat(9)
        );
        for row in self.mesh_rows() {
            let published = published::mesh(row.query);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                row.meshes,
                query_name(row.query),
                row.pairs,
                row.missed,
                row.failed,
                if row.error.count() == 0 {
                    String::new()
                } else {
                    format!("{:.3}", row.error.mean() * 1e3)
                },
                times(&row.microseconds),
                published.map_or_else(String::new, |p| format!("{:.1}", p.mean)),
                published.map_or_else(String::new, |p| format!("{:.1}", p.deviation)),
            );
        }
    }

    fn apart(&self, text: &mut String) {
        *text += "\n## Pairs apart whose boxes meet\n\n";
        *text += APART;
        let _ = write!(
            text,
            "\n| version | method | start | pairs | right | not converged | wrong | largest error m | iterations \
             | mean µs | σ | median |\n| --- | --- | --- |{}\n",
            " ---: |".repeat(9)
        );
        for study in &self.studies {
            for row in &study.rows {
                let score = &row.sides[0];
                let _ = writeln!(
                    text,
                    "| {} | {} | {} | {} | {} | {} | {} | {:.0e} | {} | {} |",
                    study.name,
                    row.setting.name(),
                    row.setting.start(),
                    score.pairs,
                    share(score.right, score.pairs),
                    score.not_converged,
                    score.wrong + score.not_least,
                    score.worst,
                    score.iterations.cell(1),
                    times(&score.microseconds),
                );
            }
        }
    }

    fn mesh_rows(&self) -> impl Iterator<Item = &MeshRow> {
        let own = self.studies.iter().flat_map(|study| &study.meshes);
        own.chain(&self.robot_meshes)
    }

    /// Clearance and number of overlapping pairs over time.
    pub fn curves(&self) -> Curves<'static> {
        let times = self.motion.moments.iter().map(|moment| moment.time);
        let curve = |values: &mut dyn Iterator<Item = f64>| times.clone().zip(values).collect();
        let clearance = |t: &Timeline| curve(&mut t.clearance.iter().map(|d| d * 1e3));
        let pairs = |t: &Timeline| curve(&mut t.overlapping.iter().map(|&n| n as f64));
        Curves {
            title: "The right hand approaches until the thumb tips touch, then turns inward",
            axis: "time, s",
            marks: vec![(self.motion.contact_time, "thumbs touch")],
            names: self.timelines.iter().map(|t| t.name.clone()).collect(),
            panels: vec![
                Panel {
                    axis: "clearance, mm",
                    curves: self.timelines.iter().map(clearance).collect(),
                    height: 360,
                    zero: true,
                },
                Panel {
                    axis: "overlapping pairs",
                    curves: self.timelines.iter().map(pairs).collect(),
                    height: 240,
                    zero: false,
                },
            ],
        }
    }

    /// The distributions of the times, as in Figure 11.
    pub fn ridges(&self) -> Ridges<'static> {
        let of_setting = |setting: Setting| {
            let values = self.studies.iter().enumerate().map(|(version, study)| {
                let row = study.rows.iter().find(|row| row.setting == setting);
                let times =
                    row.map_or_else(Vec::new, |row: &Row| row.sides[1].microseconds.clone());
                (version, times)
            });
            Ridge {
                name: format!("{}, {}", setting.name(), setting.start()),
                values: values.collect(),
            }
        };
        let of_meshes = |query| {
            let mut values: Vec<(usize, Vec<f64>)> = Vec::new();
            for row in self.mesh_rows().filter(|row| row.query == query) {
                let series = self.studies.len() + values.len();
                values.push((series, row.microseconds.clone()));
            }
            Ridge {
                name: format!("meshes: {}", query_name(query)),
                values,
            }
        };
        let shown = |s: &&Setting| s.depth == DepthMode::Fast && (s.warm || s.scheme.is_none());
        let settings = Setting::ALL.iter().filter(shown).copied();
        let mut ridges: Vec<Ridge> = settings.map(of_setting).collect();
        let queries = [MeshQuery::Cross, MeshQuery::Distance, MeshQuery::Depth];
        ridges.extend(queries.map(of_meshes));
        let mut series: Vec<String> = self.studies.iter().map(|s| s.name.clone()).collect();
        series.extend(self.vertices.iter().map(|(name, _)| name.clone()));
        Ridges {
            title: "Time a query of pairs that overlap; ticks: medians",
            axis: "µs",
            series,
            ridges,
        }
    }
}

fn query_name(query: MeshQuery) -> &'static str {
    match query {
        MeshQuery::Cross => "surfaces cross?",
        MeshQuery::Distance => "surface distance",
        MeshQuery::Depth => "depth of hulls",
    }
}

/// Mean, standard deviation and median.
fn times(microseconds: &[f64]) -> String {
    if microseconds.is_empty() {
        return " |  | ".to_owned();
    }
    let summary: Summary = microseconds.iter().copied().collect();
    format!(
        "{:.2} | {:.2} | {:.2}",
        summary.mean(),
        summary.deviation(),
        median(microseconds)
    )
}

fn published_cells(hand: Option<Hand>, setting: Setting) -> String {
    let scheme = setting.scheme.filter(|_| setting.warm);
    let published = hand
        .zip(scheme)
        .and_then(|(hand, scheme)| published::scheme(hand, scheme));
    published.map_or_else(
        || " |  | ".to_owned(),
        |p| {
            let iterations = p.iterations.map_or_else(String::new, |n| format!("{n:.1}"));
            format!("{:.1} | {:.1} | {iterations}", p.mean, p.deviation)
        },
    )
}

fn share(part: usize, of: usize) -> String {
    match of {
        0 => String::new(),
        _ => format!("{:.2} %", 100.0 * part as f64 / of as f64),
    }
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

const INTRODUCTION: &str = "\
The motion of Gonçalves, Bernardino, Jorge and Lopes, *Mechanism and Machine Theory* 115 (2017), section 5.2,
with the model of [icub_hands.md](icub_hands.md): the right hand moves towards the left one at 50 mm/s, palms
facing, until the thumb tips touch, then turns inward by 90° at 0.5 rad/s, its fingers passing through the left
ones. Both `thumb_0` joints are at 0.25 rad, the other finger joints at zero. Pairs are those of a body of one
hand with a body of the other: the bodies of one hand keep still among each other.

Versions: *superellipsoids*, without tapers, and *mixed*, superovoids at the fingertips and superellipsoids elsewhere,
as in the paper; and *superovoids*, all links tapered, which the paper has not. Meshes are those of the superovoids (the robot's own are no part of
the project) and, if a folder with them is given, the robot's own collision meshes.
";

const OVER_TIME: &str = "\
*mm*: the least signed distance between the hands, negative the greatest depth of a pair; *pairs*: how many
overlap. Meshes: depths of their convex hulls by parry3d's GJK and EPA.
";

const TABLE_4: &str = "\
As in the paper a pair is asked for if its bounding spheres meet and then its oriented boxes, and counted and
timed if the bodies overlap. *warm*: from the answer of the same pair at the moment before, with a new guess
where that leads nowhere; *cold*: always with a new guess. Schemes at their tolerance of 1e-6 of the larger
semi-axis, at most 30 iterations, Jacobian by forward differences; this library's schemes are damped and verified.

The row *Superovoids* of Table 4 is not a hand of superovoids: it is the hand of superellipsoids, computed by the
implementation for superovoids, beside the row *Superellipsoids* of the implementation for superellipsoids alone. Here that
experiment is *superellipsoids by the code for tapered bodies*: tapers of 1e-300, which change no bit of a body but its
code. The exact query has code of its own for bodies without tapers. The schemes have one code, that for superovoids, and
so stand beside the row *Superovoids*; the row *Superellipsoids* (127.7 and 39.0 µs) has no counterpart among them.

- *right*: labelled certified or converged; both points on their surfaces, and the distance the oracle's, to
  1e-5 of the larger semi-axis. The oracle is that of the tests: it shares no code with the library, searches from
  2,000 directions, and tries those too that the methods found.
- *not the least depth*: so labelled and stationary, but a smaller motion separates the bodies.
- *not converged*: labelled so. *wrong*: labelled as an answer, and none of the above.
- *largest error*: of the right answers' distances.
- Times are the least of three calls of one query, one thread; published are means, of how many calls is not said.
";

const FIGURE_11: &str = "\
The counterpart of Figure 11, the distribution of these times. Each ridge is scaled to its tallest bin; the
paper's curves are those of octImplicit and quadParametric, both warm, and of meshes.
";

const MESHES: &str = "\
parry3d on the pairs that overlap: those of the superovoids by the oracle, those of the robot's meshes by GJK and
EPA of their hulls. *surfaces cross?* and *surface distance* take triangle meshes with bounding-volume
hierarchies, as FCL did for the paper: a distance is 0 for all that overlaps, and a surface wholly inside the other
one is apart from it. *depth of hulls* takes the convex hulls of the vertices.

";

const APART: &str = "\
Not in the paper's table: what the spheres and boxes leave although the bodies do not overlap.
";
