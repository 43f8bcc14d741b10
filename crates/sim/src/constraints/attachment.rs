//! Long-range attachments: |x − a| ≤ l, with l the length at rest of the shortest way along edges to the nearest pin a
//! (Kim, Chentanez, Müller 2012). They keep a hanging cloth from stretching, however few passes there are.

use nalgebra::Vector3;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A particle and the pin from which it may be at most `length` away.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LongRange {
    pub particle: u32,
    pub pin: u32,
    pub length: f64,
}

impl LongRange {
    /// Returns the attachments of all vertices that a pin can be reached from, by Dijkstra's algorithm.
    pub fn all(vertices: usize, edges: &[([u32; 2], f64)], pins: &[u32]) -> Vec<LongRange> {
        let mut neighbours = vec![Vec::new(); vertices];
        for &([i, j], length) in edges {
            neighbours[i as usize].push((j, length));
            neighbours[j as usize].push((i, length));
        }
        let mut nearest = vec![(f64::INFINITY, u32::MAX); vertices];
        // Lengths are positive, so that their bits are in their order.
        let mut queue: BinaryHeap<_> = pins.iter().map(|&pin| Reverse((0u64, pin, pin))).collect();
        while let Some(Reverse((bits, vertex, pin))) = queue.pop() {
            let length = f64::from_bits(bits);
            if length >= nearest[vertex as usize].0 {
                continue;
            }
            nearest[vertex as usize] = (length, pin);
            for &(next, edge) in &neighbours[vertex as usize] {
                let far = length + edge;
                if far < nearest[next as usize].0 {
                    queue.push(Reverse((far.to_bits(), next, pin)));
                }
            }
        }
        (0..)
            .zip(nearest)
            .filter(|(_, (length, _))| *length > 0.0 && length.is_finite())
            .map(|(particle, (length, pin))| LongRange {
                particle,
                pin,
                length,
            })
            .collect()
    }

    /// Brings every particle back that is too far from its pin.
    pub fn project(constraints: &[LongRange], x: &mut [Vector3<f64>], w: &[f64]) {
        for c in constraints {
            let (i, pin) = (c.particle as usize, x[c.pin as usize]);
            let d = x[i] - pin;
            if w[i] > 0.0 && d.norm_squared() > c.length * c.length {
                x[i] = pin + d * (c.length / d.norm());
            }
        }
    }
}
