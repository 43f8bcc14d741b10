//! Mesh files, right and wrong. Every file is a tetrahedron, of volume 1/6 if nothing else is said.

mod collada;
mod mutations;
mod obj;
mod polygons;
mod stl;

use nalgebra::Point3;
use std::path::PathBuf;
use superovoid_fit::{Mesh, ReadError, ReadLimits, read_mesh, read_mesh_bytes, read_robot_mesh};

type Triangle = [[f64; 3]; 3];

/// The triangles of a mesh, in their order.
fn triangles(mesh: &Mesh) -> Vec<Triangle> {
    let place = |k: u32| mesh.vertices()[k as usize].into();
    mesh.triangles().iter().map(|t| t.map(place)).collect()
}

/// The triangles of a file, or why there are none.
fn list(name: &str, bytes: impl AsRef<[u8]>) -> Result<Vec<Triangle>, String> {
    let mesh = read_mesh_bytes(name, bytes.as_ref(), &ReadLimits::default());
    mesh.map(|m| triangles(&m)).map_err(|e| e.to_string())
}

/// Reads what must be refused; the message names all of this.
fn assert_refused(name: &str, bytes: impl AsRef<[u8]>, parts: &[&str]) {
    let bytes = bytes.as_ref();
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(300)]);
    let message = list(name, bytes).expect_err(&shown);
    for part in parts {
        assert!(
            message.contains(part),
            "{message:?} lacks {part:?} of {shown}"
        );
    }
}

/// The text in UTF-16 with a byte order mark.
fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(bytes).collect()
}

/// The text in Latin-1.
fn latin1(text: &str) -> Vec<u8> {
    let bytes = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap());
    bytes.collect()
}

const CORNERS: [[f64; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const SIDES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// Writes a file into a folder of its own and reads it.
fn read(name: &str, bytes: &[u8]) -> Result<Mesh, ReadError> {
    read_with(name, bytes, &ReadLimits::default())
}

fn read_with(name: &str, bytes: &[u8], limits: &ReadLimits) -> Result<Mesh, ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    read_mesh(&path, limits)
}

fn message(name: &str, bytes: &[u8]) -> String {
    read(name, bytes).unwrap_err().to_string()
}

fn binary_stl() -> Vec<u8> {
    // A header that looks like a text file's.
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(4u32.to_le_bytes());
    for side in SIDES {
        bytes.extend([0u8; 12]);
        for corner in side {
            let numbers = CORNERS[corner].map(|x| (x as f32).to_le_bytes());
            bytes.extend(numbers.concat());
        }
        bytes.extend([0u8; 2]);
    }
    bytes
}

fn text_stl() -> String {
    let mut text = "solid t\n".to_string();
    for side in SIDES {
        text += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in side.map(|k| CORNERS[k]) {
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid t\n"
}

fn obj() -> String {
    let corners = CORNERS.map(|[x, y, z]| format!("v {x} {y} {z}\n")).concat();
    let sides = SIDES.map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    format!("mtllib nowhere.mtl\no t\n{corners}{}", sides.concat())
}

fn dae(asset: &str, nodes: &str) -> String {
    let positions = CORNERS.map(|[x, y, z]| format!("{x} {y} {z} ")).concat();
    // A second input, so that every other index is a normal's.
    let indices = SIDES
        .map(|side| side.map(|k| format!("{k} 0 ")).concat())
        .concat();
    format!(
        r##"<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
 <asset>{asset}</asset>
 <library_geometries><geometry id="g"><mesh>
  <source id="s"><float_array id="a" count="12">{positions}</float_array>
   <technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
  <source id="n"><float_array id="b" count="3">0 0 1</float_array>
   <technique_common><accessor source="#b" count="1" stride="3"/></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
  <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
   <input semantic="NORMAL" source="#n" offset="1"/><p>{indices}</p></triangles>
 </mesh></geometry></library_geometries>
 <library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene></library_visual_scenes>
 <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>"##
    )
}

const Z_UP: &str = "<up_axis>Z_UP</up_axis>";
const PLAIN: &str = r##"<node><instance_geometry url="#g"/></node>"##;

fn has_corner(mesh: &Mesh, x: f64, y: f64, z: f64) -> bool {
    let p = Point3::new(x, y, z);
    mesh.vertices().iter().any(|v| (v - p).norm() < 1e-12)
}

#[test]
fn all_formats_give_the_same_mesh() {
    for (name, bytes) in [
        ("t.stl", binary_stl()),
        ("T.STL", text_stl().into_bytes()),
        ("t.obj", obj().into_bytes()),
        ("t.dae", dae(Z_UP, PLAIN).into_bytes()),
    ] {
        let mesh = read(name, &bytes).unwrap();
        assert_eq!(mesh.vertices().len(), 4, "{name}");
        assert!((mesh.volume().unwrap() - 1.0 / 6.0).abs() < 1e-15, "{name}");
    }
}

#[test]
fn obj_keeps_double_precision_and_cuts_polygons() {
    let text = "v 0.1234567890123 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -3 -2 -1\n";
    let mesh = read("t.obj", text.as_bytes()).unwrap();
    assert!(has_corner(&mesh, 0.1234567890123, 0.0, 0.0));
    assert_eq!(mesh.triangles().len(), 2);
}

#[test]
fn the_up_axis_of_a_robots_mesh_is_not_applied_and_its_unit_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.dae");
    // A tetrahedron stretched along z, so that axes differ.
    let tall = r##"<node><scale>1 1 3</scale><instance_geometry url="#g"/></node>"##;
    let inches = r#"<unit name="inch" meter="0.0254"/>"#;
    for up in [
        "",
        Z_UP,
        "<up_axis>Y_UP</up_axis>",
        "<up_axis>X_UP</up_axis>",
    ] {
        std::fs::write(&path, dae(&format!("{inches}{up}"), tall)).unwrap();
        let mesh = read_robot_mesh(&path, &ReadLimits::default()).unwrap();
        assert!(has_corner(&mesh, 0.0, 0.0, 3.0 * 0.0254), "{up}");
        let turned = read_mesh(&path, &ReadLimits::default()).unwrap();
        assert_eq!(
            has_corner(&turned, 0.0, 0.0, 3.0 * 0.0254),
            up == Z_UP,
            "{up}"
        );
    }
}

#[test]
fn collada_units_axes_and_transforms_are_honoured() {
    let inches = r#"<unit name="inch" meter="0.0254"/>"#;
    let mesh = read("t.dae", dae(&format!("{inches}{Z_UP}"), PLAIN).as_bytes()).unwrap();
    assert!((mesh.volume().unwrap() - 0.0254f64.powi(3) / 6.0).abs() < 1e-18);

    // Without a word y is up: (0, 1, 0) becomes (0, 0, 1), and (0, 0, 1) becomes (0, −1, 0).
    let mesh = read("t.dae", dae("", PLAIN).as_bytes()).unwrap();
    assert!(has_corner(&mesh, 0.0, -1.0, 0.0) && !has_corner(&mesh, 0.0, 1.0, 0.0));
    let mesh = read("t.dae", dae("<up_axis>X_UP</up_axis>", PLAIN).as_bytes()).unwrap();
    assert!(has_corner(&mesh, 0.0, 0.0, 1.0) && has_corner(&mesh, -1.0, 0.0, 0.0));
    assert!(mesh.volume().unwrap() > 0.0);

    // Twice, the second one scaled, then turned, then moved, within a moved node.
    let nodes = r##"<node><translate>10 0 0</translate><instance_geometry url="#g"/>
        <node><translate>0 0 5</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>
        <instance_geometry url="#g"/></node></node>"##;
    let mesh = read("t.dae", dae(Z_UP, nodes).as_bytes()).unwrap();
    assert_eq!(mesh.triangles().len(), 8);
    assert!(has_corner(&mesh, 11.0, 0.0, 0.0));
    assert!(has_corner(&mesh, 10.0, 2.0, 5.0), "{:?}", mesh.vertices());
    assert!((mesh.volume().unwrap() - 9.0 / 6.0).abs() < 1e-12);
}

#[test]
fn collada_polygons_and_strips() {
    let mesh = |primitive: &str| {
        let text = dae(Z_UP, PLAIN);
        let (start, rest) = text.split_once("<triangles").unwrap();
        let (_, end) = rest.split_once("</triangles>").unwrap();
        let input = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
        let primitive = primitive.replace("INPUT", input);
        read("t.dae", format!("{start}{primitive}{end}").as_bytes())
    };
    let list = "<polylist>INPUT<vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 0 3 2 1 2 3</p></polylist>";
    assert!((mesh(list).unwrap().volume().unwrap() - 1.0 / 6.0).abs() < 1e-15);
    let strip = "<tristrips>INPUT<p>0 2 1 3 0 2</p></tristrips>";
    assert!((mesh(strip).unwrap().volume().unwrap() - 1.0 / 6.0).abs() < 1e-15);
    let fan = "<trifans>INPUT<p>0 2 1 3 2</p></trifans>";
    assert_eq!(mesh(fan).unwrap().triangles().len(), 3);
    let error = mesh("<polylist>INPUT<vcount>3 4</vcount><p>0 2 1</p></polylist>").unwrap_err();
    assert!(error.to_string().contains("fewer indices"), "{error}");
}

#[test]
fn errors_name_file_and_place() {
    let cases: [(&str, Vec<u8>, &[&str]); 13] = [
        ("t.txt", vec![], &["t.txt", ".stl, .obj or .dae"]),
        (
            "t.obj",
            b"v 0 0 0\nv 1 x 0\n".to_vec(),
            &["t.obj", "line 2"],
        ),
        (
            "t.obj",
            b"v 0 0 0\nv 1 0 0\nf 1 2 9\n".to_vec(),
            &["t.obj", "line 3"],
        ),
        ("t.obj", b"v 0 0 0\n".to_vec(), &["t.obj", "no triangle"]),
        (
            "t.obj",
            b"v 0 0 0\nv nan 0 0\nv 1 1 0\nf 1 2 3".to_vec(),
            &["line 2", "not finite"],
        ),
        ("t.stl", b"nonsense".to_vec(), &["t.stl"]),
        (
            "t.stl",
            b"solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0".to_vec(),
            &["t.stl"],
        ),
        (
            "t.dae",
            b"<COLLADA>\n<a>\n</COLLADA>".to_vec(),
            &["t.dae", "line 3"],
        ),
        ("t.dae", b"<html/>".to_vec(), &["line 1", "COLLADA"]),
        ("t.dae", vec![b'<', 0xff, 0xfe], &["t.dae", "line 1"]),
        (
            "t.dae",
            dae("<unit meter=\"-1\"/>", PLAIN).into(),
            &["line 3", "<unit>", "positive"],
        ),
        (
            "t.dae",
            dae(Z_UP, "<node><skew>1</skew></node>").into(),
            &["<skew>", "not read"],
        ),
        (
            "t.dae",
            dae(Z_UP, r##"<node><instance_geometry url="#x"/></node>"##).into(),
            &["no element \"#x\""],
        ),
    ];
    for (name, bytes, parts) in cases {
        let message = message(name, &bytes);
        for part in parts {
            assert!(message.contains(part), "{name}: {message:?} lacks {part:?}");
        }
    }
    let missing = read_mesh("/no/such/file.stl", &ReadLimits::default()).unwrap_err();
    assert!(missing.to_string().starts_with("/no/such/file.stl: "));
}

#[test]
fn hostile_files_end_in_errors() {
    // Nodes that instance themselves, or each other twice, many times over.
    let itself = r##"<node id="n"><instance_node url="#n"/></node>"##;
    assert!(message("t.dae", dae(Z_UP, itself).as_bytes()).contains("deep"));
    let mut doubling = r##"<node id="n0"><instance_geometry url="#g"/></node>"##.to_string();
    for k in 1..40 {
        let before = format!(r##"<instance_node url="#n{}"/>"##, k - 1);
        doubling += &format!(r##"<node id="n{k}">{before}{before}</node>"##);
    }
    assert!(message("t.dae", dae(Z_UP, &doubling).as_bytes()).contains("instances"));
    let deep = format!("{}{}", "<node>".repeat(5000), "</node>".repeat(5000));
    assert!(message("t.dae", dae(Z_UP, &deep).as_bytes()).contains("deep"));
    let entity = "<!DOCTYPE a [<!ENTITY b \"b\">]><COLLADA/>";
    assert!(read("t.dae", entity.as_bytes()).is_err());

    let limits = ReadLimits::default().with_triangles(3);
    for (name, bytes) in [
        ("t.stl", binary_stl()),
        ("t.stl", text_stl().into_bytes()),
        ("t.obj", obj().into_bytes()),
        ("t.dae", dae(Z_UP, PLAIN).into_bytes()),
    ] {
        let error = read_with(name, &bytes, &limits).unwrap_err().to_string();
        assert!(error.contains("more than 3 triangles"), "{error}");
        // Cut off anywhere, a file is read or refused, without a panic.
        for end in (0..bytes.len()).step_by(5) {
            let _ = read(name, &bytes[..end]);
        }
    }
    let limits = ReadLimits::default().with_bytes(10);
    let error = read_with("t.obj", obj().as_bytes(), &limits).unwrap_err();
    assert!(error.to_string().contains("more than 10 bytes"));
}
