//! COLLADA 1.4 and 1.5: the triangles of the scene, on top of roxmltree.
//!
//! Read are the unit and the up axis, the nodes of the scene with their transforms, instances of geometry and
//! of nodes, and triangles, polygons, strips and fans. Polygons are cut into fans from their first corner. Lines
//! are left out. What would change the shape and is not read (skew, look-at, skins) is an error.

use super::soup::{Problem, Soup, UpAxis, problem};
use nalgebra::{Matrix4, Point3, Rotation3, Unit, Vector3};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::HashMap;

/// Nodes within nodes, instances included.
const DEEPEST: usize = 64;
/// Node instances of a scene.
const MOST_INSTANCES: usize = 100_000;
/// Coordinates that all instances repeat together.
const MOST_COORDINATES: usize = 300_000_000;
/// XML nodes.
const MOST_NODES: u32 = 20_000_000;

pub(super) fn read(bytes: &[u8], soup: &mut Soup, up: UpAxis) -> Result<(), Problem> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let place = format!("byte {}", e.valid_up_to());
        problem(place, "the text is not UTF-8")
    })?;
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text.trim_start_matches('\u{feff}'), options)
        .map_err(|e| problem(format!("line {}", e.pos().row), e.to_string()))?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(at(root, "the root element must be COLLADA"));
    }
    let ids = document.descendants().filter(Node::is_element);
    let ids = ids.filter_map(|n| Some((n.attribute("id")?, n))).collect();
    let mut scene = Scene {
        ids,
        soup,
        instances: 0,
        coordinates: 0,
    };
    let frame = frame(root, up)?;
    let visual_scene = child(root, "scene").and_then(|s| child(s, "instance_visual_scene"));
    match visual_scene {
        Some(instance) => {
            let nodes = scene.target(instance, "url")?;
            scene.children(nodes, &frame, 0)
        }
        // Without a scene every geometry counts once.
        None => {
            let libraries = children(root, "library_geometries");
            let geometries = libraries
                .into_iter()
                .flat_map(|library| children(library, "geometry"));
            geometries
                .into_iter()
                .try_for_each(|g| scene.geometry(g, &frame))
        }
    }
}

/// Unit and up axis: to metres, and with z up if the up axis is honoured.
fn frame(root: Node, up: UpAxis) -> Result<Matrix4<f64>, Problem> {
    let asset = child(root, "asset");
    let unit = asset.and_then(|a| child(a, "unit"));
    let meter = match unit.and_then(|u| Some((u, u.attribute("meter")?))) {
        None => 1.0,
        Some((node, text)) => match text.trim().parse() {
            Ok(meter) if meter > 0.0 && f64::is_finite(meter) => meter,
            _ => return Err(at(node, "the unit must be a positive number of metres")),
        },
    };
    let named = asset.and_then(|a| child(a, "up_axis"));
    let axes = match named.map(|u| (u, u.text().unwrap_or("").trim())) {
        _ if up == UpAxis::Ignored => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        // Right, up and out of the screen are (x, y, z), here (x, z, −y).
        None | Some((_, "Y_UP")) => [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
        Some((_, "Z_UP")) => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        // They are (−y, x, z).
        Some((_, "X_UP")) => [[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]],
        Some((node, _)) => return Err(at(node, "the up axis must be X_UP, Y_UP or Z_UP")),
    };
    let mut frame = Matrix4::identity();
    for (i, row) in axes.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            frame[(i, j)] = meter * x;
        }
    }
    Ok(frame)
}

struct Scene<'a, 'b, 's> {
    ids: HashMap<&'a str, Node<'a, 'b>>,
    soup: &'s mut Soup,
    instances: usize,
    coordinates: usize,
}

impl<'a, 'b> Scene<'a, 'b, '_> {
    /// The element that a reference `#id` names.
    fn target(&self, node: Node, attribute: &str) -> Result<Node<'a, 'b>, Problem> {
        let missing = || at(node, &format!("the attribute {attribute} is missing"));
        let reference = node.attribute(attribute).ok_or_else(missing)?;
        let id = reference.strip_prefix('#').unwrap_or(reference);
        let unknown = || {
            at(
                node,
                &format!("there is no element {reference:?} in this file"),
            )
        };
        self.ids.get(id).copied().ok_or_else(unknown)
    }

    /// The nodes and instances in a scene or node.
    fn children(
        &mut self,
        parent: Node,
        frame: &Matrix4<f64>,
        depth: usize,
    ) -> Result<(), Problem> {
        if depth > DEEPEST {
            let reason = format!("nodes may be nested {DEEPEST} deep, instances included");
            return Err(at(parent, &reason));
        }
        self.instances += 1;
        if self.instances > MOST_INSTANCES {
            let reason = format!("the scene has more than {MOST_INSTANCES} instances of nodes");
            return Err(at(parent, &reason));
        }
        for node in parent.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "node" => self.children(node, &(frame * transform(node)?), depth + 1)?,
                "instance_node" => {
                    let node = self.target(node, "url")?;
                    self.children(node, &(frame * transform(node)?), depth + 1)?;
                }
                "instance_geometry" => {
                    let geometry = self.target(node, "url")?;
                    self.geometry(geometry, frame)?;
                }
                "instance_controller" => return Err(at(node, "skins and morphs are not read")),
                _ => {}
            }
        }
        Ok(())
    }

    fn geometry(&mut self, geometry: Node, frame: &Matrix4<f64>) -> Result<(), Problem> {
        let Some(mesh) = child(geometry, "mesh") else {
            return Err(at(geometry, "only geometry made of a mesh is read"));
        };
        for primitive in mesh.children().filter(Node::is_element) {
            let kind = primitive.tag_name().name();
            if matches!(
                kind,
                "triangles" | "polylist" | "polygons" | "tristrips" | "trifans"
            ) {
                self.primitive(primitive, kind, frame)?;
            }
        }
        Ok(())
    }

    fn primitive(&mut self, node: Node, kind: &str, frame: &Matrix4<f64>) -> Result<(), Problem> {
        let mut stride = 1;
        let mut vertices = None;
        for input in children(node, "input") {
            let offset: usize = number(input, "offset")?.unwrap_or(0);
            if offset > 64 {
                return Err(at(input, "the offset must be at most 64"));
            }
            stride = stride.max(offset + 1);
            if input.attribute("semantic") == Some("VERTEX") {
                vertices = Some((self.target(input, "source")?, offset));
            }
        }
        let Some((vertices, offset)) = vertices else {
            return Err(at(node, "there is no input with the semantic VERTEX"));
        };
        let positions = self.positions(vertices, frame)?;
        let corner = |index: usize| {
            let missing = || {
                let count = positions.len();
                at(
                    node,
                    &format!("vertex {index} is named; there are {count} (from 0)"),
                )
            };
            positions.get(index).copied().ok_or_else(missing)
        };
        let counts: Option<Vec<usize>> = match child(node, "vcount") {
            Some(vcount) => Some(numbers(vcount)?),
            None => None,
        };
        for list in children(node, "p") {
            let all: Vec<usize> = numbers(list)?;
            let indices: Vec<usize> = all.chunks_exact(stride).map(|c| c[offset]).collect();
            let whole = [indices.len()];
            let sizes = match (kind, &counts) {
                ("triangles", _) => &vec![3; indices.len() / 3][..],
                ("polylist", Some(counts)) => counts,
                ("polylist", None) => return Err(at(node, "a polylist must have vcount")),
                _ => &whole,
            };
            let mut rest = &indices[..];
            for &size in sizes {
                let Some((polygon, after)) = rest.split_at_checked(size) else {
                    return Err(at(list, "there are fewer indices than vcount asks for"));
                };
                rest = after;
                for k in 2..polygon.len() {
                    // Strips turn about with each triangle, all others are fans.
                    let names = match (kind, k % 2) {
                        ("tristrips", 0) => [k - 2, k - 1, k],
                        ("tristrips", _) => [k - 1, k - 2, k],
                        _ => [0, k - 1, k],
                    };
                    let [a, b, c] = names.map(|n| corner(polygon[n]));
                    self.soup.triangle([a?, b?, c?])?;
                }
            }
        }
        Ok(())
    }

    /// The positions of a `vertices` element, in the scene's frame.
    fn positions(
        &mut self,
        vertices: Node,
        frame: &Matrix4<f64>,
    ) -> Result<Vec<Point3<f64>>, Problem> {
        let inputs = children(vertices, "input");
        let position = inputs
            .into_iter()
            .find(|i| i.attribute("semantic") == Some("POSITION"));
        let Some(position) = position else {
            return Err(at(vertices, "there is no input with the semantic POSITION"));
        };
        let source = self.target(position, "source")?;
        let accessor = child(source, "technique_common").and_then(|t| child(t, "accessor"));
        let Some(accessor) = accessor else {
            return Err(at(source, "there is no accessor"));
        };
        let stride: usize = number(accessor, "stride")?.unwrap_or(1);
        let offset: usize = number(accessor, "offset")?.unwrap_or(0);
        if stride < 3 {
            return Err(at(accessor, "the stride of positions must be at least 3"));
        }
        let array = self.target(accessor, "source")?;
        let values: Vec<f64> = numbers(array)?;
        self.coordinates += values.len();
        if self.coordinates > MOST_COORDINATES {
            let reason = format!("instances repeat more than {MOST_COORDINATES} coordinates");
            return Err(at(array, &reason));
        }
        let rest = values.get(offset..).unwrap_or(&[]);
        let points = rest.chunks(stride).filter(|c| c.len() >= 3);
        let points: Vec<Point3<f64>> = points
            .map(|c| frame.transform_point(&Point3::new(c[0], c[1], c[2])))
            .collect();
        if !points.iter().all(|p| p.iter().all(|x| x.is_finite())) {
            return Err(at(array, "a position is not finite"));
        }
        Ok(points)
    }
}

/// A node's transforms, the first of them applied last.
fn transform(node: Node) -> Result<Matrix4<f64>, Problem> {
    let mut result = Matrix4::identity();
    for step in node.children().filter(Node::is_element) {
        let kind = step.tag_name().name();
        let count = match kind {
            "matrix" => 16,
            "rotate" => 4,
            "translate" | "scale" => 3,
            "skew" | "lookat" => return Err(at(step, "this transform is not read")),
            _ => continue,
        };
        let v: Vec<f64> = numbers(step)?;
        if v.len() != count || !v.iter().all(|x| x.is_finite()) {
            return Err(at(step, &format!("{count} finite numbers are needed")));
        }
        result *= match kind {
            "matrix" => Matrix4::from_row_slice(&v),
            "translate" => Matrix4::new_translation(&Vector3::new(v[0], v[1], v[2])),
            "scale" => Matrix4::new_nonuniform_scaling(&Vector3::new(v[0], v[1], v[2])),
            _ => {
                let axis = Vector3::new(v[0], v[1], v[2]);
                let axis = Unit::try_new(axis, 0.0);
                let axis = axis.ok_or_else(|| at(step, "the axis of rotation has no length"))?;
                Rotation3::from_axis_angle(&axis, v[3].to_radians()).to_homogeneous()
            }
        };
    }
    Ok(result)
}

fn children<'a, 'b>(node: Node<'a, 'b>, name: &str) -> Vec<Node<'a, 'b>> {
    let named = |n: &Node| n.is_element() && n.tag_name().name() == name;
    node.children().filter(named).collect()
}

fn child<'a, 'b>(node: Node<'a, 'b>, name: &str) -> Option<Node<'a, 'b>> {
    children(node, name).into_iter().next()
}

/// The numbers of an element's text.
fn numbers<T: std::str::FromStr>(node: Node) -> Result<Vec<T>, Problem> {
    let parse = |text: &str| {
        let shown: String = text.chars().take(30).collect();
        text.parse()
            .map_err(|_| at(node, &format!("{shown:?} is not a number")))
    };
    let texts = node.children().filter_map(|t| t.text());
    texts.flat_map(str::split_whitespace).map(parse).collect()
}

fn number<T: std::str::FromStr>(node: Node, attribute: &str) -> Result<Option<T>, Problem> {
    let Some(text) = node.attribute(attribute) else {
        return Ok(None);
    };
    let wrong = || at(node, &format!("{attribute} must be a whole number"));
    text.trim().parse().map(Some).map_err(|_| wrong())
}

fn at(node: Node, reason: &str) -> Problem {
    let line = node.document().text_pos_at(node.range().start).row;
    let name = node.tag_name().name();
    problem(format!("line {line}, <{name}>"), reason)
}
