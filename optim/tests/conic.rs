//! The conic oracle against the library's query.

use superovoid::*;
use superovoid_optim::conic::{self, ConicStatus};
use superovoid_optim::random_pairs::*;

#[test]
fn probe() {
    for (name, wide) in [("battery", false), ("wide", true)] {
        let mut draw = RandomPairs::new(if wide { 2 } else { 1 });
        let mut gaps = vec![];
        let mut errs = vec![];
        let mut st = [0; 3];
        let mut it = 0;
        let mut sep = 0;
        let mut ov = 0;
        let mut bad = 0;
        let mut gbad = 0;
        let mut gst = [0; 3];
        let t0 = std::time::Instant::now();
        while sep < 1000 {
            let Pair {
                a,
                pose_a: pa,
                b,
                pose_b: pb,
            } = if wide { draw.wide() } else { draw.battery() };
            let c = contact(&a, &pa, &b, &pb, &QueryOptions::default(), None).unwrap();
            let g = conic::growth(&a, &pa, &b, &pb).unwrap();
            gst[g.status as usize] += 1;
            if (g.factor < 1.0) != (c.distance < 0.0) || (c.distance < 0.0 && g.witnessed > 1.0) {
                gbad += 1;
                println!("growth {g:?} {:?} {a:?} {b:?}", c.distance);
            }
            if c.distance <= 0.0 {
                ov += 1;
                continue;
            }
            sep += 1;
            let s = conic::distance(&a, &pa, &b, &pb).unwrap();
            st[s.status as usize] += 1;
            it += s.iterations;
            gaps.push(s.upper - s.lower);
            if c.distance < s.lower - 1e-9 || c.distance > s.upper + 1e-9 {
                bad += 1;
                println!("bad {c:?} {s:?}");
            }
            errs.push((s.distance - c.distance).abs());
            if s.upper - s.lower > 1e-7 {
                println!(
                    "{:?} {:e} {:e} {:?} {:?}",
                    s.status,
                    s.upper - s.lower,
                    s.solver_gap,
                    a,
                    b
                );
            }
        }
        gaps.sort_by(f64::total_cmp);
        errs.sort_by(f64::total_cmp);
        println!(
            "{name} {st:?} it {} gap med {:e} 99 {:e} max {:e} err max {:e} ov {ov} bad {bad} gbad {gbad} {gst:?} {:?}",
            it as f64 / 1000.,
            gaps[500],
            gaps[990],
            gaps[999],
            errs[999],
            t0.elapsed()
        );
    }
    let _ = ConicStatus::Solved;
}
