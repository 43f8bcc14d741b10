//! Contact of a solid with itself by the rest ray.

use crate::soft::{block, still};
use superovoid_sim::scene::VertexNormals;
use superovoid_sim::soft::SolidMesh;
use superovoid_sim::soft::internals::{OwnSides, StillMesh, Surface, cast_all, cast_inwards};

/// A bar along x that is bent into a U by a turn about y, so that its ends lie in one another.
fn bent(angle: f64) -> (StillMesh, OwnSides) {
    // A ring that is cut open would need other tetrahedra; a long prism is enough for rays.
    let (rings, sides) = (61, 8);
    let mut mesh = SolidMesh::default();
    for i in 0..rings {
        for k in 0..sides {
            let phi = std::f64::consts::TAU * k as f64 / sides as f64;
            mesh.vertices
                .push([0.05 * i as f64, 0.2 * phi.cos(), 0.2 * phi.sin()]);
        }
    }
    let at = |i: usize, k: usize| (i * sides + k % sides) as u32;
    for i in 0..rings - 1 {
        for k in 0..sides {
            let [a, b, c, d] = [at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)];
            mesh.triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    for (ring, turn) in [(0, false), (rings - 1, true)] {
        for k in 1..sides - 1 {
            let t = [at(ring, 0), at(ring, k), at(ring, k + 1)];
            mesh.triangles
                .push(if turn { [t[0], t[2], t[1]] } else { t });
        }
    }
    if Surface::new(&mesh.vertices, &mesh.triangles).is_err() {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    let rest = still(&mesh);
    let own = OwnSides::new(rest.at().surface, rest.at().x, VertexNormals::Angle);
    // Bent along a circle of the radius 3/angle.
    let radius = 3.0 / angle;
    for v in &mut mesh.vertices {
        let turn = v[0] / radius;
        *v = [
            (radius + v[2]) * turn.sin(),
            v[1] + 0.03 * turn,
            (radius + v[2]) * turn.cos(),
        ];
    }
    (still(&mesh), own)
}

#[test]
fn a_bar_bent_onto_itself_meets_itself_and_a_straight_one_does_not() {
    let own_contacts = |angle: f64| {
        let (bar, own) = bent(angle);
        let mut hits = Vec::new();
        let cast = |v: usize| cast_inwards(&bar.at(), &own, v as u32, &mut hits);
        (0..bar.at().x.len()).filter_map(cast).collect::<Vec<_>>()
    };
    assert!(own_contacts(0.01).is_empty());
    assert!(own_contacts(4.0).is_empty());
    // A turn and a half turn of a tenth more: the ends lie in one another.
    let contacts = own_contacts(6.5);
    assert!(!contacts.is_empty());
    for ray in contacts {
        // P₂ belongs to the other end.
        let ring = ray.vertex / 8;
        let (bar, _) = bent(6.5);
        let other = bar.at().surface.triangles()[ray.triangle as usize][0] / 8;
        assert!(ring.abs_diff(other) > 30, "{ring} {other}");
    }
}

#[test]
fn self_contact_during_contact_may_hide_the_other_body() {
    // The first exit of another body lies behind an outer face of it: the ray enters first, and nothing is reported, as the
    // paper says. Two blocks of one body stand in a third one, with a gap between them.
    let comb = {
        let mut comb = block([0.0, 0.0, 0.0], [1.0, 1.0, 0.4]);
        let upper = block([0.0, 0.0, 0.5], [1.0, 1.0, 0.9]);
        comb.vertices.extend(upper.vertices);
        comb.triangles
            .extend(upper.triangles.iter().map(|t| t.map(|v| v + 8)));
        still(&comb)
    };
    let probe = |low: f64| still(&block([0.3, 0.3, low], [0.7, 0.7, 3.0]));
    let rays = |low: f64| {
        let probe = probe(low);
        cast_all(&probe.at(), 0..8, &comb.at(), |_| ())
    };
    // In the lower block the rays leave that one. In the gap they enter the upper one, where half of the probe still is.
    assert_eq!(rays(0.2).kept, 4);
    let gap = rays(0.45);
    assert_eq!((gap.kept, gap.entering), (0, 4));
}
