use superovoid::*;
use superovoid_optim::constrained::*;
use superovoid_optim::random_pairs::*;
#[test]
fn probe() {
    let mut draw = RandomPairs::new(5);
    let (mut sep, mut ov) = (vec![], vec![]);
    let o = QueryOptions {
        depth: DepthMode::Certified,
        ..Default::default()
    };
    while sep.len() < 100 || ov.len() < 100 {
        let p = draw.superovoids();
        let c = contact(&p.a, &p.pose_a, &p.b, &p.pose_b, &o, None).unwrap();
        if c.distance > 0.0 {
            sep.push((p, c))
        } else {
            ov.push((p, c))
        }
    }
    for (name, list, sense) in [
        ("apart", &sep, Sense::Apart),
        ("over, printed", &ov, Sense::Apart),
        ("over, turned", &ov, Sense::Overlapping),
    ] {
        for form in [SurfaceForm::Norm, SurfaceForm::InsideOutside] {
            for solver in [Solver::Sqp, Solver::InteriorPoint] {
                for set in ConstraintSet::ALL {
                    let mut n = [0; 4];
                    let mut it = 0;
                    let mut errs = vec![];
                    let mut st = std::collections::BTreeMap::new();
                    let t = std::time::Instant::now();
                    for (p, c) in &list[..100] {
                        let s = solve(
                            &p.a,
                            &p.pose_a,
                            &p.b,
                            &p.pose_b,
                            Formulation { set, form, sense },
                            solver,
                        )
                        .unwrap();
                        it += s.iterations;
                        *st.entry(s.status.clone()).or_insert(0) += 1;
                        match judge(&p.a, &p.pose_a, &p.b, &p.pose_b, c, &s).unwrap() {
                            Verdict::Right(e) => {
                                errs.push(e);
                                n[0] += 1
                            }
                            Verdict::OtherStationary => n[1] += 1,
                            Verdict::Wrong => n[2] += 1,
                            Verdict::NotConverged => n[3] += 1,
                        }
                    }
                    errs.sort_by(f64::total_cmp);
                    println!(
                        "{name} {form:?} {solver:?} {} {n:?} it {} err {:.1e} {:.1e} us {} {st:?}",
                        set.letter(),
                        it as f64 / 100.,
                        errs.get(errs.len() / 2).unwrap_or(&-1.),
                        errs.last().unwrap_or(&-1.),
                        t.elapsed().as_micros() / 100
                    );
                }
            }
        }
    }
}
