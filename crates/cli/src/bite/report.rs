//! The tables of a bite.

use crate::body_columns::BODY_COLUMNS;
use crate::output::{outcome_name, write_number};
use std::io::{self, Write};
use superovoid::Contact;
use superovoid_bite::{Frame, PairContact, Status, Tooth};

const FRAMES: &str = "frame,status,distance,lower,upper,certified,lift,lift_lower,contacts,lower_body,upper_body,\
                      ax,ay,az,bx,by,bz,nx,ny,nz";
const CONTACTS: &str =
    "frame,lower_body,upper_body,distance,lower,upper,outcome,ax,ay,az,bx,by,bz,nx,ny,nz";

fn status_name(frame: &Frame) -> &'static str {
    match frame.status() {
        Status::Apart => "apart",
        Status::Overlap => "overlap",
        Status::Undecided => "undecided",
    }
}

/// Writes a row for every frame; the points are those of the nearest or deepest pair.
pub fn frames(out: &mut dyn Write, frames: &[Frame]) -> io::Result<()> {
    writeln!(out, "{FRAMES}")?;
    for (k, frame) in frames.iter().enumerate() {
        write!(out, "{k},{}", status_name(frame))?;
        for number in [frame.distance, frame.lower, frame.upper] {
            field(out, number)?;
        }
        write!(out, ",{}", frame.certified)?;
        match frame.lift {
            Some(lift) => {
                field(out, lift.upper)?;
                field(out, lift.lower)?;
            }
            None => write!(out, ",,")?,
        }
        let [i, j] = frame.nearest.pair;
        write!(out, ",{},{},{}", frame.contacts.len(), i + 1, j + 1)?;
        witnesses(out, &frame.nearest.contact)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Writes a row for every pair that overlaps at a frame.
pub fn contacts(out: &mut dyn Write, frames: &[Frame]) -> io::Result<()> {
    writeln!(out, "{CONTACTS}")?;
    for (k, frame) in frames.iter().enumerate() {
        for PairContact { pair, contact } in &frame.contacts {
            write!(out, "{k},{},{}", pair[0] + 1, pair[1] + 1)?;
            for number in [contact.distance, contact.lower, contact.upper] {
                field(out, number)?;
            }
            write!(out, ",{}", outcome_name(contact.outcome))?;
            witnesses(out, contact)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Writes a row for every body, as a tooth is read.
pub fn bodies(out: &mut dyn Write, tooth: &Tooth) -> io::Result<()> {
    writeln!(out, "{}", BODY_COLUMNS.join(","))?;
    for body in tooth.bodies() {
        let (shape, q) = (&body.shape, body.pose.rotation);
        let shape = [&shape.semi_axes()[..], &shape.exponents(), &shape.tapers()].concat();
        let position = body.pose.translation.vector;
        let numbers = shape.iter().copied().chain([q.w, q.i, q.j, q.k]);
        for (k, number) in numbers.chain(position.iter().copied()).enumerate() {
            if k > 0 {
                write!(out, ",")?;
            }
            write_number(out, number)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn witnesses(out: &mut dyn Write, contact: &Contact) -> io::Result<()> {
    let points = contact.point_a.iter().chain(contact.point_b.iter());
    for number in points.chain(contact.normal.iter()) {
        field(out, *number)?;
    }
    Ok(())
}

fn field(out: &mut dyn Write, number: f64) -> io::Result<()> {
    write!(out, ",")?;
    write_number(out, number)
}

/// Returns a few lines about all frames.
pub fn summary(frames: &[Frame]) -> String {
    const MILLIMETRES: f64 = 1e3;
    let of = |status: Status| frames.iter().filter(move |f| f.status() == status).count();
    let (apart, overlap) = (of(Status::Apart), of(Status::Overlap));
    let mut text = format!(
        "{} frames: {apart} apart, {overlap} overlapping, {} undecided\n",
        frames.len(),
        of(Status::Undecided)
    );
    let jumps = frames
        .windows(2)
        .map(|w| (w[1].distance - w[0].distance).abs());
    let jump = MILLIMETRES * jumps.fold(0.0, f64::max);
    text += &format!("largest change of the distance between two frames: {jump:.4} mm\n");
    let least =
        (0..frames.len()).min_by(|&i, &j| frames[i].distance.total_cmp(&frames[j].distance));
    if let Some(k) = least.filter(|&k| frames[k].distance <= 0.0) {
        let lift = frames.iter().filter_map(|f| f.lift).map(|l| l.upper);
        text += &format!(
            "deepest at frame {k}: {:.4} mm, {} contacts; largest lift {:.4} mm\n",
            -MILLIMETRES * frames[k].distance,
            frames[k].contacts.len(),
            MILLIMETRES * lift.fold(0.0, f64::max),
        );
    }
    text
}
