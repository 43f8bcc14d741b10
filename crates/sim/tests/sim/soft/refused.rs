//! Wrong solids in scenes.

use crate::common::{body, dynamic};
use crate::soft::PUBLISHED;
use superovoid_sim::scene::{Motion, Scene, Shape, SoftContact};
use superovoid_sim::soft::ball;
use superovoid_sim::{World, scenes};

#[test]
fn wrong_solids_are_refused_with_the_field_named() {
    let refused = |change: &dyn Fn(&mut Scene)| {
        let mut scene = scenes::rings_in_one_another(2);
        change(&mut scene);
        World::new(&scene)
            .err()
            .expect("the scene is refused")
            .to_string()
    };
    let said = refused(&|scene| {
        scene.solids[1].triangles.remove(3);
    });
    assert!(
        said.starts_with("solids[1].triangles: edge ") && said.contains("boundary"),
        "{said}"
    );
    let said = refused(&|scene| scene.solids[0].triangles[3].swap(0, 1));
    assert!(
        said.starts_with("solids[0].triangles: edge ") && said.contains("inverted"),
        "{said}"
    );
    let said = refused(&|scene| scene.solids[0].tetrahedra[7].swap(0, 1));
    assert!(
        said.starts_with("solids[0].tetrahedra[7]: has the volume -"),
        "{said}"
    );
    let said = refused(&|scene| {
        let again = scene.solids[0].tetrahedra[7];
        scene.solids[0]
            .tetrahedra
            .push([0, 2, 3, 1].map(|k| again[k]));
    });
    assert!(
        said.starts_with("solids[0].tetrahedra[2400]: has the vertices of tetrahedron 7"),
        "{said}"
    );
    let said = refused(&|scene| {
        scene.solids[0].tetrahedra.remove(7);
    });
    assert!(
        said.starts_with("solids[0].triangles") && said.contains("outer side"),
        "{said}"
    );
    let said = refused(&|scene| {
        // Two balls of which one has no triangles: the other's surface is closed.
        let (mut both, other) = (ball(0.1, 0, 1), ball(0.1, 0, 1));
        let count = both.vertices.len() as u32;
        let away = other.vertices.iter().map(|&[x, y, z]| [x + 1.0, y, z]);
        both.vertices.extend(away);
        let others = other.tetrahedra.iter().map(|t| t.map(|v| v + count));
        both.tetrahedra.extend(others);
        scene.solids[0] = scenes::solid("", both);
    });
    assert!(
        said.starts_with("solids[0].triangles: lack 1") && said.contains("outer side"),
        "{said}"
    );
    let said = refused(&|scene| {
        scene.settings.soft.contact = SoftContact::Proximity {
            threshold: 1e3,
            stiffness: 300.0,
        };
    });
    assert!(
        said.starts_with("settings.soft.contact.threshold") && said.contains("mean edges"),
        "{said}"
    );
    let said = refused(&|scene| scene.solids[0].vertices.push([9.0; 3]));
    assert!(
        said.starts_with("solids[0].vertices[840]: belongs to no"),
        "{said}"
    );
    let said = refused(&|scene| scene.solids[0].substance.shear = f64::NAN);
    assert!(said.starts_with("solids[0].substance.shear"), "{said}");
    let said = refused(&|scene| {
        scene.settings.soft.contact = SoftContact::Rays { stiffness: -1.0 };
    });
    assert!(
        said.starts_with("settings.soft.contact.stiffness"),
        "{said}"
    );
    let said = refused(&|scene| {
        scene.settings.soft.scheme = PUBLISHED;
        scene.bodies = vec![body([0.1; 3], [1.0; 2], [3.0; 3], dynamic())];
    });
    assert!(said.starts_with("bodies[0].motion"), "{said}");
    let said = refused(&|scene| {
        let mut open = body([0.1; 3], [1.0; 2], [3.0; 3], Motion::Static);
        open.shape = Shape::Mesh {
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            triangles: vec![[0, 1, 2]],
        };
        scene.bodies = vec![open];
    });
    assert!(
        said.starts_with("bodies[0].shape.triangles: edge "),
        "{said}"
    );
}
