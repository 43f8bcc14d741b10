//! The broad phase: which boxes meet, by sweeping along one axis.
//!
//! The boxes are sorted by their lower ends along the axis on which their centres vary most. Each is compared with
//! those after it until one begins beyond its upper end. The sort starts from the order of the last sweep, which is
//! nearly right. All pairs are found, as by comparing all with all.

use superovoid::Aabb;

/// The order of the last sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct BroadPhase {
    order: Vec<u32>,
}

impl BroadPhase {
    /// Calls `found` with the indices i < j of boxes that meet, of which `wanted` says that they matter.
    pub fn sweep(
        &mut self,
        boxes: &[Aabb],
        wanted: impl Fn(u32, u32) -> bool,
        mut found: impl FnMut(u32, u32),
    ) {
        if self.order.len() != boxes.len() {
            self.order.clear();
            self.order.extend(0..boxes.len() as u32);
        }
        let axis = widest(boxes);
        let low = |i: u32| boxes[i as usize].min[axis];
        self.order
            .sort_unstable_by(|&i, &j| low(i).total_cmp(&low(j)).then(i.cmp(&j)));
        for (k, &i) in self.order.iter().enumerate() {
            let first = &boxes[i as usize];
            for &j in &self.order[k + 1..] {
                let second = &boxes[j as usize];
                if second.min[axis] > first.max[axis] {
                    break;
                }
                let (i, j) = (i.min(j), i.max(j));
                if first.intersects(second) && wanted(i, j) {
                    found(i, j);
                }
            }
        }
    }
}

/// The axis on which the centres of the boxes vary most.
fn widest(boxes: &[Aabb]) -> usize {
    let count = boxes.len().max(1) as f64;
    let variance = |axis: usize| {
        let center = |b: &Aabb| 0.5 * (b.min[axis] + b.max[axis]);
        let mean = boxes.iter().map(center).sum::<f64>() / count;
        boxes
            .iter()
            .map(|b| (center(b) - mean).powi(2))
            .sum::<f64>()
    };
    let values = [variance(0), variance(1), variance(2)];
    (0..3)
        .max_by(|&i, &j| values[i].total_cmp(&values[j]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Random;
    use nalgebra::{Point3, Vector3};

    #[test]
    fn the_sweep_finds_what_brute_force_finds() {
        let mut random = Random::new(3);
        let mut broad_phase = BroadPhase::default();
        for _ in 0..20 {
            let mut vector = |size: f64| Vector3::from([0; 3].map(|_| random.within(-size, size)));
            let boxes: Vec<Aabb> = (0..60)
                .map(|_| {
                    let (center, half) = (Point3::from(vector(2.0)), vector(0.5).abs());
                    Aabb {
                        min: center - half,
                        max: center + half,
                    }
                })
                .collect();
            let mut found = Vec::new();
            broad_phase.sweep(&boxes, |i, j| (i + j) % 7 != 0, |i, j| found.push((i, j)));
            found.sort_unstable();
            let all = (0..60u32).flat_map(|i| (i + 1..60).map(move |j| (i, j)));
            let meet = |&(i, j): &(u32, u32)| {
                (i + j) % 7 != 0 && boxes[i as usize].intersects(&boxes[j as usize])
            };
            let expected: Vec<_> = all.filter(meet).collect();
            assert!(!expected.is_empty());
            assert_eq!(found, expected);
        }
    }
}
