//! The report as Markdown, and its plots.

use crate::runs::{ClothRun, mean, worst};
use crate::study::{BowlStudy, ClothStudy, Hands, PeerRow, SUBSTEPS, Stretch};
use anyhow::Result;
use std::fmt::Write;
use std::path::Path;
use superovoid_tools::plot::{Curves, Panel};

/// All that was found.
pub struct Report {
    /// Whether this is the short form.
    pub short: bool,
    /// What it was made on.
    pub machine: String,
    /// The two tablecloths.
    pub cloths: Vec<ClothStudy>,
    /// The coarse cloth.
    pub coarse: Vec<(&'static str, f64)>,
    /// The creep of the tablecloth in two minutes: mean and fastest vertex, metres.
    pub creep: [[f64; 2]; 2],
    /// The strip.
    pub stretch: Stretch,
    /// The bowls.
    pub bowls: Vec<BowlStudy>,
    /// The bowl with fifty as published.
    pub published: BowlStudy,
    /// The drift of the stack.
    pub stack: [f64; 2],
    /// The comparison with other engines.
    pub peers: Vec<PeerRow>,
    /// The hands and the cloth.
    pub hands: Hands,
}

const STAGES: [&str; 5] = [
    "time integration",
    "position constraints",
    "velocity constraints",
    "collision detection",
    "velocity update",
];

/// The mean times of the thesis by stage, and in all, milliseconds: 6,254 and 12,600 triangles, and the bowl.
const THESIS: [[f64; 6]; 3] = [
    [0.025, 2.423, 0.914, 4.170, 1.540, 9.170],
    [0.066, 5.324, 1.544, 7.509, 1.599, 16.231],
    [0.018, 0.001, 0.119, 5.520, 3.257, 8.922],
];

impl Report {
    /// The whole text.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# Simulation\n\n    cargo run --release -p superovoid-tools --bin simulation -- --output docs/reports --python python3\n\n\
             One thread of an {}, release build; a frame is 1/60 s. Published times are those of the thesis (an i5-6600): compare \
             the rows of a column, not across. Scenes are those of the thesis with what it states; what it does not state was \
             chosen here and is marked †, in the heads of the files of `crates/sim/src/scenes/`.{}\n",
            self.machine,
            if self.short {
                " This is the short form: its figures say nothing."
            } else {
                ""
            }
        );
        self.tablecloths(&mut text);
        self.cloth_judged(&mut text);
        self.strip(&mut text);
        self.bowl(&mut text);
        self.rigid(&mut text);
        self.engines(&mut text);
        self.taken(&mut text);
        self.asked(&mut text);
        text += LONG;
        text
    }

    fn tablecloths(&self, text: &mut String) {
        *text += "\n## The tablecloth: tables 5 and 6, figures 41 to 44\n\n\
                  ![The tablecloth after ten seconds](simulation_tablecloth.png)\n\n\
                  A cloth of cotton†, 10 × 9 m†, falls from 1 m† on a superellipsoid with semi-axes of 3.5, 3.0 and 2.0 m, \
                  e1 = 0.4 and e2 = 0.3; the thickness is 25 mm and the time 10 s. XPBD makes ten substeps a frame with one \
                  pass over the constraints; the published modes make one step with ten passes (k = 0.9 for edges and 0.1 for \
                  bending†). Their contact is the iterative method at 1 mm and ten iterations, or the radial push of boxes of \
                  6 × 6 vertices. In figure 3.4 of Gonçalves 2015 a body meets 4 of the 49 boxes of a cloth, whose 144 vertices are \
                  asked for; a unit test counts as many.\n";
        for (study, thesis) in self.cloths.iter().zip(THESIS) {
            let [vertices, triangles] = study.counts;
            let _ = write!(
                text,
                "\nMean times of a frame, ms, for {vertices} vertices and {triangles} triangles:\n\n| | thesis |"
            );
            study.runs.iter().for_each(|(mode, _)| {
                let _ = write!(text, " {} |", mode.name);
            });
            *text += "\n| --- | ---: |";
            *text += &" ---: |".repeat(study.runs.len());
            let mut row = |name: &str, published: String, value: &dyn Fn(&ClothRun) -> String| {
                let _ = write!(text, "\n| {name} | {published} |");
                study.runs.iter().for_each(|(_, run)| {
                    let _ = write!(text, " {} |", value(run));
                });
            };
            for (k, stage) in STAGES.iter().enumerate() {
                row(stage, format!("{:.3}", thesis[k]), &|run| {
                    format!("{:.3}", run.run.stages[k])
                });
            }
            row("in all", format!("{:.3}", thesis[5]), &|run| {
                format!("{:.3}", run.run.mean())
            });
            row("the worst frame", String::new(), &|run| {
                worst_and_when(&run.run.times)
            });
            row("deepest vertex, mm", String::new(), &|run| {
                mm(run.depth.vertices)
            });
            row("deepest point of a triangle, mm", String::new(), &|run| {
                mm(run.depth.triangles)
            });
            row("edges through its own triangles", String::new(), &|run| {
                run.crossings.to_string()
            });
            row("it has left the table at, s", String::new(), &|run| {
                run.left
                    .map_or_else(|| "–".into(), |time| format!("{time:.2}"))
            });
            row("largest strain, %", String::new(), &|run| {
                format!("{:.1}", 100.0 * run.strain)
            });
            *text += "\n";
        }
        *text += "\nThe depths are the judge's, which shares no code with the solver, of all frames, at the vertices and at ten \
                  points of every triangle; a dash says that nothing is inside. Edges through triangles are counted at the ends \
                  of the seconds. The published modes do not meet themselves. The radial push of 2015 has no friction, of which \
                  its source says nothing: its cloth slides off the table. A run ends when no vertex is as high as the middle of \
                  the table, and its means are those up to there.\n\n\
                  ![Frames a second against time](simulation_cloth_rate.svg)\n";
    }

    fn cloth_judged(&self, text: &mut String) {
        let _ = write!(
            text,
            "\n## Cloth that pierces, and cloth that creeps\n\nFigure 6.2 of Gonçalves 2015 shows a coarse cloth (441 vertices) \
             that is pierced between its vertices. The deepest point of a triangle, mm:\n\n| contact | depth |\n| --- | ---: |\n"
        );
        for (name, depth) in &self.coarse {
            let _ = writeln!(text, "| {name} | {} |", mm(*depth));
        }
        let _ = writeln!(
            text,
            "\nThe tablecloth, kept awake, moved by {:.4} mm in the mean and by {:.3} mm at its fastest vertex in the 60 s after \
             its first 30 s, in which its hem still settles, and by {:.4} and {:.3} mm in the 60 s after its first 60 s.",
            1e3 * self.creep[0][0],
            1e3 * self.creep[0][1],
            1e3 * self.creep[1][0],
            1e3 * self.creep[1][1]
        );
    }

    fn strip(&self, text: &mut String) {
        let _ = write!(
            text,
            "\n## The stretch of a hanging strip\n\nA strip of 0.05 × 1 m with edges of 200 N/m hangs from its upper end. Its \
             springs are in balance when it is longer by {:.2} mm (Newton's method on the forces, `judge::hanging_balance`). \
             After 4 s it is longer by, mm:\n\n| scheme |",
            1e3 * self.stretch.balance
        );
        SUBSTEPS.iter().for_each(|n| {
            let _ = write!(text, " {n} substeps |");
        });
        *text += "\n| --- |";
        *text += &" ---: |".repeat(SUBSTEPS.len());
        for (name, lengths) in &self.stretch.rows {
            let _ = write!(text, "\n| {name} |");
            lengths.iter().for_each(|length| {
                let _ = write!(text, " {:.2} |", 1e3 * length);
            });
        }
        *text += "\n\nXPBD tends to the balance of its springs with the square of the substep. The stretch of position-based \
                  dynamics depends on iterations and substeps as much as on the stiffness k, and tends to none.\n";
    }

    fn bowl(&self, text: &mut String) {
        let Some(fifty) = self.bowls.first() else {
            return;
        };
        *text += "\n## The bowl: table 7, figures 45 to 47\n\n![Fifty superellipsoids in the bowl, whose front is left out](simulation_bowl.png)\n\n\
                  Superellipsoids with e1 and e2 in [0.1, 1.9] and semi-axes in [0.5, 0.6] m fall into a bowl of 10,000 \
                  triangles for 15 s. Mean times of a frame, ms; the thesis asks the \
                  vertices of one mesh against the other's surface, twice for every pair, and no points between vertices. Its method \
                  is repeated beside ours: meshes of 506 vertices, of which those in the other's box are asked by the iterative \
                  method at 1 mm and ten iterations, the tolerance of 15 mm, one step a frame with ten passes; of the bowl only the \
                  vertices are asked:\n\n| | thesis, 50 | 50, as published |";
        self.bowls.iter().for_each(|bowl| {
            let _ = write!(text, " {} |", bowl.count);
        });
        *text += "\n| --- | ---: | ---: |";
        *text += &" ---: |".repeat(self.bowls.len());
        let mut row = |name: &str, published: String, value: &dyn Fn(&BowlStudy) -> String| {
            let _ = write!(text, "\n| {name} | {published} |");
            let columns = std::iter::once(&self.published).chain(&self.bowls);
            columns.for_each(|bowl| {
                let _ = write!(text, " {} |", value(bowl));
            });
        };
        for (k, stage) in STAGES.iter().enumerate() {
            row(stage, format!("{:.3}", THESIS[2][k]), &|bowl| {
                format!("{:.3}", bowl.run.stages[k])
            });
        }
        row("in all", format!("{:.3}", THESIS[2][5]), &|bowl| {
            format!("{:.3}", bowl.run.mean())
        });
        row("the worst frame", String::new(), &|bowl| {
            worst_and_when(&bowl.run.times)
        });
        row("a body and frame, µs", String::new(), &|bowl| {
            format!("{:.1}", bowl.shares()[0])
        });
        row(
            "a body that is awake and frame, µs",
            String::new(),
            &|bowl| format!("{:.1}", bowl.shares()[1]),
        );
        row("a body is awake for, s", String::new(), &|bowl| {
            format!("{:.1}", bowl.awake())
        });
        row("deepest penetration, mm", String::new(), &|bowl| {
            mm(bowl.depth)
        });
        row("asleep in the end", String::new(), &|bowl| {
            bowl.ended[0].to_string()
        });
        row("outside in the end", String::new(), &|bowl| {
            bowl.ended[1].to_string()
        });
        let _ = write!(
            text,
            "\n\nThe depth is that of the deepest of 200 points of each of the fifty bodies inside another body or the bowl at the \
             ends of the seconds, and with more bodies of 50 points of each every five seconds; a dash says that nothing is \
             inside. Figure 47 of the thesis shows a body that falls through the pole: here the lowest centre within \
             1 m of the pole stayed {:.0} mm over it ({:.0} mm as published), where the smallest body has 500 mm. The energy rose by at most {:.2e} J \
             from one second to the next (it began with {:.2e} J).\n\n\
             ![Frames a second against time](simulation_bowl_rate.svg)\n",
            1e3 * fifty.over_pole,
            1e3 * self.published.over_pole,
            fifty.rise[0],
            fifty.rise[1]
        );
        if self.bowls.len() > 2 {
            *text += "\n![A thousand superellipsoids in a larger bowl](simulation_bowl_1000.png)\n";
        }
    }

    fn rigid(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "\n## A stack of ten boxes\n\n![Ten box-like bodies](simulation_stack.png)\n\nTen superellipsoids with e1 = e2 = 0.1 \
             and edges of 0.4 m† stand on each other for 60 s. Kept awake, the top moved by {:.4} mm to the side and sank by \
             {:.3} mm.",
            1e3 * self.stack[0],
            1e3 * self.stack[1]
        );
    }

    fn engines(&self, text: &mut String) {
        *text += "\n## Rapier and MuJoCo\n\nThe same scenes in Rapier (rapier3d-f64 0.36) and in MuJoCo 4.0, with the \
                  settings of either as they come but the step, the friction, the densities and, in Rapier, the restitution. A superellipsoid is the hull of its mesh of 482 \
                  vertices there, an ellipsoid is itself in MuJoCo and a hull in Rapier, a box is a box. The bowl is its mesh of \
                  10,000 triangles in Rapier and 2,500 convex cells in MuJoCo, which has no concave meshes. The judge puts the \
                  exact bodies at their poses every five seconds (50 points of each), so that a hull, which lies inside, and a box, which reaches out of the rounded \
                  body, are off by their own difference. Rapier and this library put what rests to sleep; MuJoCo does not. \
                  Neither has the rolling friction of the scene, nor MuJoCo its restitution.\n\n\
                  | scene | simulated by | mean ms a frame | worst | deepest, mm | kinetic energy in the end, J | outside |\n\
                  | --- | --- | ---: | ---: | ---: | ---: | ---: |\n";
        for row in &self.peers {
            let _ = writeln!(
                text,
                "| {} | {} | {:.3} | {:.3} | {} | {:.2e} | {} |",
                row.scene,
                row.who,
                mean(&row.times),
                worst(&row.times),
                mm(row.depth),
                row.kinetic,
                row.lost
            );
        }
        *text += "\nHow far the top of the stack moved in 60 s, mm:\n\n| | to the side | down |\n| --- | ---: | ---: |\n";
        for row in self
            .peers
            .iter()
            .filter(|row| row.scene.starts_with("stack"))
        {
            let [side, down] = row.drift.map(|d| 1e3 * d);
            let _ = writeln!(text, "| {} | {side:.4} | {down:.3} |", row.who);
        }
    }

    fn taken(&self, text: &mut String) {
        let (hands, [way, lag]) = (&self.hands.cloth, self.hands.drawn);
        let _ = writeln!(
            text,
            "\n## Two hands and a cloth\n\n![The hands of the iCub and a cloth](simulation_hands.png)\n\nThe 42 superovoids of \
             the iCub's hands close on a hanging cloth of 1,681 vertices†, take it between their thumbs, \
             which then are 3.0 mm apart at a thickness of the cloth of 2 mm†, and draw it up and along −x, in 40 substeps a \
             frame†. The vertex between the thumbs, from which the cloth hangs, followed them for {:.1} mm and lagged by {:.4} mm. \
             The mean frame took {:.2} ms and the worst {:.1} ms. The deepest vertex was {:.3} mm \
             inside a body, the deepest point of a triangle {:.3} mm, and the largest strain, beside that vertex, {:.0} %: two \
             bodies press one vertex, and one pass a substep stretches the edges that it bears.",
            1e3 * way,
            1e3 * lag,
            hands.run.mean(),
            worst(&hands.run.times),
            1e3 * hands.depth.vertices,
            1e3 * hands.depth.triangles,
            100.0 * hands.strain
        );
    }

    /// The figures that were asked for beside those found.
    fn asked(&self, text: &mut String) {
        *text += "\n## What was asked for, and what was found\n\n| figure | asked | found | |\n| --- | ---: | ---: | --- |\n";
        let mut row = |name: &str, most: f64, found: f64| {
            let met = if found <= most { "met" } else { "missed" };
            let _ = writeln!(text, "| {name} | {most} | {found:.3} | {met} |");
        };
        for (study, most) in self.cloths.iter().zip([4.0, 9.0]) {
            let run = &study.runs[0].1;
            let vertices = study.counts[0];
            row(
                &format!("cloth of {vertices} vertices, mean frame, ms"),
                most,
                run.run.mean(),
            );
            if vertices == 3240 {
                row("its worst frame, ms", 12.0, worst(&run.run.times));
                row("its collision detection, ms", 1.0, run.run.stages[3]);
            }
            let depth = run.depth.vertices.max(run.depth.triangles);
            row("its deepest penetration, mm", 25.0, 1e3 * depth);
        }
        for (first, [mean, most]) in [30, 60].into_iter().zip(self.creep) {
            let name = format!("creep of its mean place in the 60 s after its first {first} s, mm");
            row(&name, 1.0, 1e3 * mean);
            row("the same of its fastest vertex, mm", 1.0, 1e3 * most);
        }
        if let Some(fifty) = self.bowls.first() {
            row("bowl with 50, mean frame, ms", 2.0, fifty.run.mean());
            row("its deepest penetration, mm", 15.0, 1e3 * fifty.depth);
            for bowl in self.bowls.iter().filter(|bowl| bowl.count == 1000) {
                let [share, awake] = [0, 1].map(|k| bowl.shares()[k] / fifty.shares()[k]);
                let depth = 1e3 * bowl.depth;
                row("bowl with 1,000, deepest penetration, mm", 15.0, depth);
                row("its time a body and frame over that of 50", 1.3, share);
                row("the same a body that is awake and frame", 1.3, awake);
            }
        }
        row(
            "stack of ten, drift of its top in 60 s, mm",
            1.0,
            1e3 * self.stack[0],
        );
        self.missed(text);
    }

    /// Why what was missed was missed.
    fn missed(&self, text: &mut String) {
        let [fifty, .., thousand] = self.bowls.as_slice() else {
            return;
        };
        let share = |bowl: &BowlStudy, k: usize| 1e3 * bowl.run.stages[k] / bowl.count as f64;
        let _ = writeln!(
            text,
            "\nThe hem of the tablecloth, which hangs, settles for most of its first minute, with air as its only damping: the \
             first minute of creep is the end of that. A thousand bodies fall from up to 62 m over the middle of their bowl, where fifty fall from up to 34, \
             and lie in more layers: they are awake for {:.1} s in the mean, {:.2} times as long as fifty are, which by itself exceeds \
             the ratio that was asked for. The sweeps over their contacts take {:.1} µs a body and frame for {:.1} with fifty, \
             the search for contacts {:.1} for {:.1}, and the prediction with its warm start {:.1} for {:.1}.",
            thousand.awake(),
            thousand.awake() / fifty.awake(),
            share(thousand, 1),
            share(fifty, 1),
            share(thousand, 3),
            share(fifty, 3),
            share(thousand, 0),
            share(fifty, 0)
        );
    }

    /// Draws the frame rates.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn plots(&self, folder: &Path) -> Result<()> {
        let names =
            |study: &ClothStudy| study.runs.iter().map(|(m, _)| m.name.to_owned()).collect();
        let panels = self.cloths.iter().map(|study| Panel {
            axis: "frames/s",
            curves: study
                .runs
                .iter()
                .map(|(_, run)| rate(&run.run.times))
                .collect(),
            height: 280,
            zero: true,
        });
        let curves = Curves {
            title: "The tablecloth: frames a second, coarse and fine",
            axis: "time s",
            marks: Vec::new(),
            names: self.cloths.first().map(names).unwrap_or_default(),
            panels: panels.collect(),
        };
        curves.draw(&folder.join("simulation_cloth_rate.svg"))?;
        let panels = self.bowls.first().map(|bowl| Panel {
            axis: "frames/s",
            curves: vec![rate(&bowl.run.times), rate(&self.published.run.times)],
            height: 320,
            zero: true,
        });
        let curves = Curves {
            title: "Fifty superellipsoids in the bowl: frames a second",
            axis: "time s",
            marks: Vec::new(),
            names: vec!["exact".to_owned(), "as published".to_owned()],
            panels: panels.into_iter().collect(),
        };
        curves.draw(&folder.join("simulation_bowl_rate.svg"))
    }
}

/// Frames a second, of ten frames each, at most a thousand.
fn rate(times: &[f64]) -> Vec<(f64, f64)> {
    let point =
        |(k, ten): (usize, &[f64])| ((10 * k + 5) as f64 / 60.0, (1e3 / mean(ten)).min(1000.0));
    times.chunks(10).enumerate().map(point).collect()
}

/// The longest time, and the second of its frame.
fn worst_and_when(times: &[f64]) -> String {
    let longest = worst(times);
    let frame = times.iter().position(|t| *t == longest).unwrap_or(0);
    format!("{longest:.3} at {:.2} s", (frame + 1) as f64 / 60.0)
}

fn mm(depth: f64) -> String {
    if depth == 0.0 {
        "–".to_owned()
    } else {
        format!("{:.3}", 1e3 * depth)
    }
}

const LONG: &str = "\n## The long draws\n\nThese tests are judged like the tables above and run by\n\n```sh\ncargo test \
--release -p superovoid-sim --test sim -- --ignored\n```\n\n\
| test | what it demands |\n| --- | --- |\n\
| `the_chain_stays_linked_long` | A chain of four soft rings hangs for 60 s, and neighbours are linked once every half second. |\n\
| `no_vertex_gets_through_in_random_drops_long` | No vertex is inside a body in 1,000 drops of a cloth on a random body. |\n\
| `nothing_leaves_the_bowl_and_all_sleeps_in_the_end_long` | In 200 bowls of 50 bodies and 15 s nothing is deeper than the \
tolerance of 15 mm at the end of any second, nothing leaves the bowl through its wall, pole or rim, and all bodies sleep in \
the end. |\n\
| `a_stack_of_ten_boxes_stands_long` | The top of ten boxes moves by less than 1 mm to the side in 60 s. |\n\
| `a_cloth_at_rest_does_not_creep_long` | A cloth at rest moves by less than 1 mm in 60 s. |\n\
| `hostile_scene_files_never_panic_long` | 100,000 changed scene files are refused or run. |\n\n\
Those that run with every `cargo test` demand besides that a box on a slope sticks at 0.99 times the tangent of its angle of \
friction and slips at 1.01 times, and so does a strip of cloth that only its triangles carry, that energy never grows, that the bits are the same for 1, 2 and 4 threads, and that a step \
allocates nothing after the first ones.\n";
