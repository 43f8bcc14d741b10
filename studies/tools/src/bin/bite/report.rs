//! The report as Markdown, its table and its plots.

use crate::study::{Curve, Made, Study};
use anyhow::{Context, Result};
use std::fmt::Write;
use std::path::Path;
use superovoid_bite::Status;
use superovoid_fit::Distances;
use superovoid_tools::plot::{Curves, Panel};

const MILLIMETRES: f64 = 1e3;
const MICROSECONDS: f64 = 1e6;

/// Writes figures 13 and 14.
pub fn curves(study: &Study, folder: &Path) -> Result<()> {
    let curve = |c: &Curve| -> Vec<(f64, f64)> {
        let points = c.distances.iter().enumerate();
        points
            .filter_map(|(k, d)| d.map(|d| (k as f64, MILLIMETRES * d)))
            .collect()
    };
    // The certified answers, the scheme and the meshes; the fast answers lie on the certified ones.
    let shown: Vec<&Curve> = [0, 4, 3, 5, 6].map(|k| &study.curves[k]).to_vec();
    let lift = |k: usize| {
        study.frames[k]
            .lift
            .map(|l| (k as f64, MILLIMETRES * l.upper))
    };
    let mut distances: Vec<Vec<(f64, f64)>> = shown.iter().map(|c| curve(c)).collect();
    let mut names: Vec<String> = shown.iter().map(|c| c.name.to_owned()).collect();
    distances.push((0..study.frames.len()).filter_map(lift).collect());
    names.push("lift".to_owned());
    let marks = vec![
        (study.closing.contact as f64, "first overlap"),
        (study.closing.turn as f64, "turn"),
    ];
    Curves {
        title: "Distance of the teeth, negative: depth of the deepest pair; and the lift",
        axis: "frame",
        marks: marks.clone(),
        names,
        panels: vec![Panel {
            axis: "mm",
            curves: distances,
            height: 460,
            zero: true,
        }],
    }
    .draw(&folder.join("dental_bite_distance.svg"))?;
    let times = |c: &Curve| -> Vec<(f64, f64)> {
        let points = c.times.iter().enumerate();
        points
            .map(|(k, t)| (k as f64, (MICROSECONDS * t).log10()))
            .collect()
    };
    Curves {
        title: "Time of a frame, decades: 1 is 10 µs, 3 is 1 ms",
        axis: "frame",
        marks,
        names: study.curves.iter().map(|c| c.name.to_owned()).collect(),
        panels: vec![Panel {
            axis: "log10 of µs",
            curves: study.curves.iter().map(times).collect(),
            height: 460,
            zero: false,
        }],
    }
    .draw(&folder.join("dental_bite_times.svg"))
}

/// Writes what every method gives for every frame.
pub fn table(study: &Study, path: &Path) -> Result<()> {
    let mut text = "frame,status,lower,upper,lift,contacts".to_owned();
    for curve in &study.curves {
        let name = curve.name.replace([',', ' '], "_").replace("__", "_");
        let _ = write!(text, ",{name}_distance,{name}_seconds");
    }
    text.push('\n');
    for (k, frame) in study.frames.iter().enumerate() {
        let status = match frame.status() {
            Status::Apart => "apart",
            Status::Overlap => "overlap",
            Status::Undecided => "undecided",
        };
        let lift = frame
            .lift
            .map_or_else(String::new, |l| format!("{:.9e}", l.upper));
        let (low, high) = (frame.lower, frame.upper);
        let _ = write!(
            text,
            "{k},{status},{low:.16e},{high:.16e},{lift},{}",
            frame.contacts.len()
        );
        for curve in &study.curves {
            let distance = curve.distances[k].map_or_else(String::new, |d| format!("{d:.9e}"));
            let _ = write!(text, ",{distance},{:.3e}", curve.times[k]);
        }
        text.push('\n');
    }
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

/// Returns the whole text.
pub fn markdown(study: &Study, seconds: f64) -> String {
    let mut text = format!(
        "# A dental bite\n\n    cargo run --release -p superovoid-tools --bin bite -- --output docs/reports\n\n\
         An {} (load {}), release build; times of a frame are of one thread, the whole study took {seconds:.1} s of two. Published figures are those of Gonçalves, \
         Bernardino, Jorge and Lopes, *Mechanism and Machine Theory* 115 (2017), sections 5.3 and 6.4. Its molars came from \
         the scan of a jaw, which is not to be had, and their superovoids were placed by hand; sizes, numbers and curves are \
         not in its text. The molars of this page are procedural, and what was chosen here is marked †.\n",
        superovoid_tools::machine::processor(),
        superovoid_tools::machine::load()
    );
    teeth(study, &mut text);
    bite(study, &mut text);
    methods(study, &mut text);
    times(study, &mut text);
    text += OWN;
    text
}

fn teeth(study: &Study, text: &mut String) {
    *text += "\n## The teeth\n\n\
        ![The lower molar: scan, mesh of the bodies, bodies](dental_bite_lower.png)\n\
        ![The upper molar](dental_bite_upper.png)\n\n\
        *From left to right: the scan, the mesh of the fitted bodies, the fitted bodies; the lower molar above.*\n\n\
        A molar is a box-like crown and tapered cusps of textbook size†: the lower one 11.0 × 10.5 × 7.5 mm with five cusps, the \
        upper one 10.0 × 11.0 × 7.5 mm with four, its inner front cusp over the lower central fossa. Their union is meshed, every \
        vertex moves by up to 0.05 mm along its normal (the scan†), and `fit_parts` finds bodies for the scan again, which `refine_union` then moves together. Errors \
        are distances between the scan and the surface of the union of the fitted bodies, in mm; the noise alone is 0.029 rms. \
        `hole` is how far a point of the scan is outside of all bodies at most.\n\n\
        | molar | bodies designed | fitted | scan to bodies rms | 95 % | max | bodies to scan rms | 95 % | max | hole | fit s |\n\
        | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for (name, made) in [("lower", &study.lower), ("upper", &study.upper)] {
        *text += &tooth_row(name, made);
    }
    let count = |k: usize| {
        let [a, b] = [&study.lower, &study.upper].map(|m| m.meshes[k].triangles.len());
        format!("{a} and {b}")
    };
    let _ = writeln!(
        text,
        "\nThe meshes that bite are those of the fitted bodies, by marching tetrahedra: {} triangles, and {}. They are closed, \
         and every vertex is on a body.",
        count(0),
        count(1)
    );
}

fn tooth_row(name: &str, made: &Made) -> String {
    let report = &made.fitted.report;
    let three = |d: &Distances| {
        let [rms, p95, max] = [d.rms, d.p95, d.max].map(|x| MILLIMETRES * x);
        format!("{rms:.3} | {p95:.3} | {max:.3}")
    };
    format!(
        "| {name} | {} | {} | {} | {} | {:.3} | {:.1} |\n",
        made.designed.bodies().len(),
        made.fitted.tooth.bodies().len(),
        three(&report.mesh_to_union),
        three(&report.union_to_mesh),
        MILLIMETRES * report.hole,
        made.fit_time
    )
}

fn bite(study: &Study, text: &mut String) {
    let frames = &study.frames;
    let of = |status: Status| frames.iter().filter(|f| f.status() == status).count();
    let overlap: Vec<usize> = (0..frames.len())
        .filter(|&k| frames[k].status() == Status::Overlap)
        .collect();
    let widest = |status: Status| {
        let of = frames.iter().filter(|f| f.status() == status);
        of.map(|f| f.upper - f.lower).fold(0.0, f64::max)
    };
    let closed = |status: Status| {
        frames
            .iter()
            .filter(|f| f.status() == status && f.certified)
            .count()
    };
    let off = (0..frames.len())
        .filter_map(|k| {
            frames[k]
                .lift
                .map(|l| (l.upper - study.closing.depth(k)).abs())
        })
        .fold(0.0, f64::max);
    let contacts = frames.iter().map(|f| f.contacts.len()).max().unwrap_or(0);
    let turn = &frames[study.closing.turn];
    let _ = write!(
        text,
        "\n## The bite\n\n![The bite at its start, at first overlap and at its turn](dental_bite_closed.png)\n\n\
         *The bodies at frames 0, {contact} and {turn_at}.*\n\n\
         The upper molar comes down by {step} mm a frame†, turns at frame {turn_at} and rises, in {all} frames. The height is such \
         that the first contact is half a frame before frame {contact}; published: overlap around frames 47 (45 in figure 14) to \
         111.\n\n\
         ![Distance over the frames](dental_bite_distance.svg)\n\n\
         | | |\n| --- | ---: |\n\
         | frames apart, of which certified | {apart}, {apart_closed} |\n\
         | widest bracket apart, mm | {apart_wide:.1e} |\n\
         | frames in overlap | {over}, from {first} to {last} |\n\
         | of which the depth of the deepest pair is certified | {over_closed} |\n\
         | widest bracket in overlap, mm | {over_wide:.1e} |\n\
         | frames undecided | {undecided} |\n\
         | largest change of the distance between two frames, mm | {change:.5} |\n\
         | lifts proven by a query of every pair 1e-6 mm above | {proven} of {lifts} |\n\
         | largest difference of a lift from what the path has closed, mm | {off:.1e} |\n\
         | deepest pair at the turn, mm | {depth:.3} |\n\
         | lift at the turn, mm | {lift:.3} |\n\
         | most contacts in a frame | {contacts} |\n\n\
         The signed distance of a pair of convex bodies changes by no more than the pair moves, so no change exceeds the \
         step. The path is straight along z, and what frees the teeth again is what it has closed: the lift of every frame is found \
         by itself, from the bodies alone, and has to be that length.\n",
        step = MILLIMETRES * study.closing.step,
        contact = study.closing.contact,
        turn_at = study.closing.turn,
        all = frames.len(),
        apart = of(Status::Apart),
        apart_closed = closed(Status::Apart),
        apart_wide = MILLIMETRES * widest(Status::Apart),
        over = overlap.len(),
        first = overlap.first().copied().unwrap_or(0),
        last = overlap.last().copied().unwrap_or(0),
        over_closed = closed(Status::Overlap),
        over_wide = MILLIMETRES * widest(Status::Overlap),
        undecided = of(Status::Undecided),
        change = MILLIMETRES * study.curves[0].largest_change(),
        proven = study.lifts_proven,
        lifts = frames.iter().filter(|f| f.lift.is_some()).count(),
        off = MILLIMETRES * off,
        depth = -MILLIMETRES * turn.distance,
        lift = turn.lift.map_or(0.0, |l| MILLIMETRES * l.upper),
    );
}

fn methods(study: &Study, text: &mut String) {
    *text += "\n## Other methods\n\n\
        Figure 14 of the paper. *quadImplicit, gated* is what the paper did: every pair whose boxes along the axes meet is \
        answered by quadImplicit from a fresh guess. Where no boxes meet it has nothing (published: data from frame 28 to 133 \
        only), and where boxes begin to meet the curve can jump. Without its gate the scheme answers all pairs. Pairs that it does \
        not solve do not count. Meshes are surfaces, by hierarchies of their triangles, each frame from the nearest triangles of the frame before: 0 where they cross. `off` is the largest difference from the \
        certified distance, apart, and in overlap for methods that have depths.\n\n\
        | method | frames with a distance | first | last | of them 0 | largest change, mm | off apart, mm | off in overlap, mm | pairs asked | not solved |\n\
        | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for curve in &study.curves {
        *text += &method_row(study, curve);
    }
    let descent = &study.descent;
    let [exact, gated] = descent.changes.map(|c| MILLIMETRES * c);
    let _ = writeln!(
        text,
        "\nThese molars interlock: boxes of theirs meet at every frame of the bite, and the gate only saves pairs. From {:.2} mm \
         above, {} frames of {:.2} mm down to first contact, the gate opens where the teeth are {:.2} mm apart. The largest change \
         of the gated distance is then {gated:.3} mm a frame, and that of the certified one {exact:.3} mm.",
        MILLIMETRES * descent.start,
        descent.frames,
        MILLIMETRES * descent.step,
        MILLIMETRES * descent.opened,
    );
}

fn method_row(study: &Study, curve: &Curve) -> String {
    let known: Vec<(usize, f64)> = (curve.distances.iter().enumerate())
        .filter_map(|(k, d)| d.map(|d| (k, d)))
        .collect();
    let zeros = known.iter().filter(|(_, d)| *d == 0.0).count();
    let off = |status: Status| {
        let of = known
            .iter()
            .filter(|(k, _)| study.frames[*k].status() == status);
        MILLIMETRES
            * of.map(|(k, d)| (d - study.frames[*k].distance).abs())
                .fold(0.0, f64::max)
    };
    let overlap = if zeros > 0 {
        String::new()
    } else {
        format!("{:.1e}", off(Status::Overlap))
    };
    let place = |at: Option<&(usize, f64)>| at.map_or_else(String::new, |(k, _)| k.to_string());
    format!(
        "| {} | {} | {} | {} | {zeros} | {:.4} | {:.1e} | {overlap} | {} | {} |\n",
        curve.name,
        known.len(),
        place(known.first()),
        place(known.last()),
        MILLIMETRES * curve.largest_change(),
        off(Status::Apart),
        curve.asked,
        curve.unsolved,
    )
}

fn times(study: &Study, text: &mut String) {
    *text += "\n## Times\n\n\
        Figure 13 of the paper, µs a frame. *certified* closes the bracket of every depth and finds the lift; *exact* has the fast \
        depth, from scratch and from the last frame's answers, the least of seven runs; the others ran once.\n\n\
        ![Times over the frames](dental_bite_times.svg)\n\n\
        | method | apart, mean | overlap, mean | worst |\n| --- | ---: | ---: | ---: |\n";
    for curve in &study.curves {
        let mean = |status: Status| {
            let of = (curve.times.iter().zip(&study.frames)).filter(|(_, f)| f.status() == status);
            let times: Vec<f64> = of.map(|(t, _)| MICROSECONDS * t).collect();
            times.iter().sum::<f64>() / times.len().max(1) as f64
        };
        let worst = MICROSECONDS * curve.times.iter().copied().fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "| {} | {:.1} | {:.1} | {worst:.1} |",
            curve.name,
            mean(Status::Apart),
            mean(Status::Overlap)
        );
    }
    *text += "\nWhere the time of the study went:\n\n| part | s |\n| --- | ---: |\n";
    for (name, seconds) in &study.seconds {
        let _ = writeln!(text, "| {name} | {seconds:.2} |");
    }
}

const OWN: &str = "
## Your own teeth

```sh
superovoid bite lower.stl upper.stl --scale 0.001 --frames 181 -o bite.csv --contacts contacts.csv
superovoid bite lower.obj upper.obj --parts 8 --path chewing.csv -o bite.csv
```

Meshes must be closed and stand in one frame, z up, the upper tooth above the lower one. [command_line.md](../guides/command_line.md#bite)
describes the columns, and `cargo doc -p superovoid-bite --open` the library below it.

## Limits

- The depth in overlap is that of the deepest pair of bodies, not of the unions: the *lift* says what frees the teeth.
- The lift is along z, whatever the path; teeth that cannot part along z are not its question.
- Bodies must be convex. `fit_parts` cuts a scan into nearly convex parts, which need not be the cusps of anatomy, and
  `refine_union` finds a local minimum. The teeth are as good as the errors of the fit say: an error of 0.1 mm can move first
  contact by as much.
- Meshes are compared as surfaces; how deep they overlap is not asked.
";
