//! COLLADA 1.4 and 1.5: the triangles of the scene, on top of roxmltree.
//!
//! Read are the unit and the up axis, the nodes of the scene with their transforms, instances of geometry and
//! of nodes, and triangles, polygons with their holes, strips and fans. Lines are no surface. What would change the
//! shape and is not read (skew, look-at, skins, splines, units within the file) is an error, and so are counts that
//! are not those of what is there. An instance that mirrors its geometry keeps the outside.

use super::soup::{Problem, Soup, UpAxis, problem};
use super::text::decoded;
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
    let text = decoded(bytes);
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&text, options)
        .map_err(|e| problem(format!("line {}", e.pos().row), e.to_string()))?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(at(root, "the root element must be COLLADA"));
    }
    let mut ids = HashMap::new();
    for node in document.descendants().filter(Node::is_element) {
        if let Some(id) = node.attribute("id") {
            let named = ids.entry((node.tag_name().name(), id));
            named.and_modify(|n| *n = None).or_insert(Some(node));
        }
    }
    let mut scene = Scene {
        ids,
        soup,
        instances: 0,
        coordinates: 0,
    };
    let frame = frame(root, up)?;
    for node in root.children().filter(Node::is_element) {
        let name = node.tag_name().name();
        if !(matches!(name, "asset" | "scene" | "extra") || name.starts_with("library_")) {
            return Err(at(node, "this is not read"));
        }
    }
    let in_scene = child(root, "scene");
    for node in in_scene
        .iter()
        .flat_map(Node::children)
        .filter(Node::is_element)
    {
        let name = node.tag_name().name();
        if !(name == "extra" || name.starts_with("instance_") && name.ends_with("_scene")) {
            return Err(at(node, "this is not read"));
        }
    }
    let visual_scene = in_scene.and_then(|s| child(s, "instance_visual_scene"));
    match visual_scene {
        Some(instance) => {
            let nodes = scene.target(instance, "url", &["visual_scene"])?;
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
    let within = root.descendants().filter(|n| {
        let parent = n.parent().map(|p| p.tag_name().name());
        matches!(n.tag_name().name(), "unit" | "up_axis") && parent == Some("asset")
    });
    if let Some(second) = within
        .into_iter()
        .find(|n| n.parent().and_then(|a| a.parent()) != Some(root))
    {
        return Err(at(second, "this is read of the whole file only"));
    }
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
    /// The elements by their kind and id; none where two have the same.
    ids: HashMap<(&'a str, &'a str), Option<Node<'a, 'b>>>,
    soup: &'s mut Soup,
    instances: usize,
    coordinates: usize,
}

impl<'a, 'b> Scene<'a, 'b, '_> {
    /// The element of one of some kinds that a reference `#id` names.
    fn target(
        &self,
        node: Node,
        attribute: &str,
        kinds: &[&'a str],
    ) -> Result<Node<'a, 'b>, Problem> {
        let missing = || at(node, &format!("the attribute {attribute} is missing"));
        let reference = node.attribute(attribute).ok_or_else(missing)?;
        let id = reference.strip_prefix('#').unwrap_or(reference);
        let problem = |found: &str| {
            let kinds = kinds.join("> or <");
            at(
                node,
                &format!("there is {found} element {reference:?} that is a <{kinds}>"),
            )
        };
        // The lifetime of the key is that of the reference only.
        let found = kinds.iter().find_map(|kind| self.ids.get(&(*kind, id)));
        let found = found.ok_or_else(|| problem("in this file no"))?;
        found.ok_or_else(|| problem("more than one"))
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
                    let node = self.target(node, "url", &["node"])?;
                    self.children(node, &(frame * transform(node)?), depth + 1)?;
                }
                "instance_geometry" => {
                    let geometry = self.target(node, "url", &["geometry"])?;
                    self.geometry(geometry, frame)?;
                }
                "instance_controller" => return Err(at(node, "skins and morphs are not read")),
                "asset" | "extra" | "evaluate_scene" | "instance_camera" | "instance_light" => {}
                name if TRANSFORMS.contains(&name) => {}
                _ => return Err(at(node, "this is not read")),
            }
        }
        Ok(())
    }

    fn geometry(&mut self, geometry: Node, frame: &Matrix4<f64>) -> Result<(), Problem> {
        let meshes = children(geometry, "mesh");
        let is_other =
            |n: &Node| n.is_element() && !matches!(n.tag_name().name(), "mesh" | "asset" | "extra");
        if meshes.is_empty() || geometry.children().any(|n| is_other(&n)) {
            return Err(at(geometry, "only geometry made of a mesh is read"));
        }
        self.soup.is_mirrored = frame.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        for primitive in meshes
            .iter()
            .flat_map(Node::children)
            .filter(Node::is_element)
        {
            match primitive.tag_name().name() {
                kind @ ("triangles" | "polylist" | "polygons" | "tristrips" | "trifans") => {
                    self.primitive(primitive, kind, frame)?;
                }
                "source" | "vertices" | "lines" | "linestrips" | "extra" => {}
                _ => return Err(at(primitive, "this is not read")),
            }
        }
        Ok(())
    }

    fn primitive(&mut self, node: Node, kind: &str, frame: &Matrix4<f64>) -> Result<(), Problem> {
        let mut stride = 1;
        let mut vertices = None;
        for input in node.children().filter(Node::is_element) {
            match input.tag_name().name() {
                "input" => {}
                "p" | "ph" | "vcount" | "extra" => continue,
                _ => return Err(at(input, "this is not read")),
            }
            let missing = || at(input, "the attribute offset is missing");
            let offset: usize = number(input, "offset")?.ok_or_else(missing)?;
            if offset > 64 {
                return Err(at(input, "the offset must be at most 64"));
            }
            stride = stride.max(offset + 1);
            if input.attribute("semantic") == Some("VERTEX") {
                vertices = Some((self.target(input, "source", &["vertices"])?, offset));
            }
        }
        let lists = children(node, "p");
        let holed = children(node, "ph");
        let Some((vertices, offset)) = vertices else {
            if lists.is_empty() && holed.is_empty() {
                return Ok(());
            }
            return Err(at(node, "there is no input with the semantic VERTEX"));
        };
        let positions = self.positions(vertices, frame)?;
        let corners = |list: Node| -> Result<Vec<Point3<f64>>, Problem> {
            let indices: Vec<i64> = numbers(list)?;
            if !indices.len().is_multiple_of(stride) {
                let reason = format!(
                    "there are {} indices, {stride} are needed for each corner",
                    indices.len()
                );
                return Err(at(list, &reason));
            }
            let named = indices.iter().skip(offset).step_by(stride);
            named
                .map(|&index| {
                    let position = usize::try_from(index).ok();
                    let position = position.and_then(|k| positions.get(k)).copied();
                    position.ok_or_else(|| {
                        let count = positions.len();
                        let reason = format!("vertex {index} is named; there are {count} (from 0)");
                        at(list, &reason)
                    })
                })
                .collect()
        };
        let placed = |list: Node, problem: Problem| problem.within(|| place(list));
        let mut count = lists.len() + holed.len();
        if kind != "polygons"
            && let Some(holed) = holed.first()
        {
            return Err(at(*holed, "only polygons have holes"));
        }
        match kind {
            "triangles" => {
                count = 0;
                for list in lists {
                    let corners = corners(list)?;
                    let (triangles, []) = corners.as_chunks::<3>() else {
                        let reason = format!("{} corners make no triangles", corners.len());
                        return Err(at(list, &reason));
                    };
                    count += triangles.len();
                    triangles.iter().try_for_each(|t| self.soup.triangle(*t))?;
                }
            }
            "polylist" => {
                let vcount = children(node, "vcount");
                let (list, sizes) = match (&lists[..], &vcount[..]) {
                    ([list], [sizes]) => (*list, numbers::<usize>(*sizes)?),
                    ([], [sizes]) => (node, numbers::<usize>(*sizes)?),
                    ([], []) => (node, Vec::new()),
                    (_, []) => return Err(at(node, "a polylist must have vcount")),
                    _ => return Err(at(node, "a polylist has one p and one vcount")),
                };
                count = sizes.len();
                let corners = if list == node {
                    Vec::new()
                } else {
                    corners(list)?
                };
                let mut rest = &corners[..];
                for size in sizes {
                    let Some((polygon, after)) = rest.split_at_checked(size) else {
                        return Err(at(list, "there are fewer indices than vcount asks for"));
                    };
                    rest = after;
                    self.soup
                        .polygon(polygon, &[])
                        .map_err(|e| placed(list, e))?;
                }
                if !rest.is_empty() {
                    return Err(at(list, "there are more indices than vcount asks for"));
                }
            }
            "polygons" => {
                for list in lists {
                    self.soup
                        .polygon(&corners(list)?, &[])
                        .map_err(|e| placed(list, e))?;
                }
                for list in holed {
                    let Some(outline) = child(list, "p") else {
                        return Err(at(list, "there is no outline p"));
                    };
                    let holes: Result<Vec<_>, _> =
                        children(list, "h").into_iter().map(corners).collect();
                    let polygon = self.soup.polygon(&corners(outline)?, &holes?);
                    polygon.map_err(|e| placed(list, e))?;
                }
            }
            _ => {
                for list in lists {
                    let corners = corners(list)?;
                    for k in 2..corners.len() {
                        // Strips turn about with each triangle.
                        let names = match (kind, k % 2) {
                            ("tristrips", 0) => [k - 2, k - 1, k],
                            ("tristrips", _) => [k - 1, k - 2, k],
                            _ => [0, k - 1, k],
                        };
                        self.soup.triangle(names.map(|k| corners[k]))?;
                    }
                }
            }
        }
        counted(node, count)
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
        let source = self.target(position, "source", &["source"])?;
        let accessor = child(source, "technique_common").and_then(|t| child(t, "accessor"));
        let Some(accessor) = accessor else {
            return Err(at(source, "there is no accessor"));
        };
        let stride: usize = number(accessor, "stride")?.unwrap_or(1);
        let offset: usize = number(accessor, "offset")?.unwrap_or(0);
        // Those named X, Y and Z, and the first three if none is.
        let params = children(accessor, "param");
        let named = ["X", "Y", "Z"].map(|axis| {
            let mut names = params.iter().map(|param| param.attribute("name"));
            names.position(|name| name == Some(axis))
        });
        let columns = match named {
            [None, None, None] => [0, 1, 2],
            [Some(x), Some(y), Some(z)] => [x, y, z],
            _ => return Err(at(accessor, "positions must have X, Y and Z")),
        };
        if columns.iter().any(|column| *column >= stride) {
            return Err(at(
                accessor,
                "the stride must be that of three coordinates at least",
            ));
        }
        let array = self.target(accessor, "source", &["float_array", "int_array"])?;
        let values: Vec<f64> = numbers(array)?;
        counted(array, values.len())?;
        self.coordinates += values.len();
        if self.coordinates > MOST_COORDINATES {
            let reason = format!("instances repeat more than {MOST_COORDINATES} coordinates");
            return Err(at(array, &reason));
        }
        let rest = values.get(offset..).unwrap_or(&[]);
        let points = rest.chunks_exact(stride);
        let points: Vec<Point3<f64>> = points
            .map(|c| frame.transform_point(&columns.map(|k| c[k]).into()))
            .collect();
        if number(accessor, "count")?.is_some_and(|count: usize| count > points.len()) {
            return Err(at(accessor, "the count is more than the numbers are for"));
        }
        if !points.iter().all(|p| p.iter().all(|x| x.is_finite())) {
            return Err(at(array, "a position is not finite"));
        }
        Ok(points)
    }
}

/// What a node's frame may be made of.
const TRANSFORMS: [&str; 6] = ["matrix", "rotate", "translate", "scale", "skew", "lookat"];

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
        if kind == "matrix" && v[12..] != [0.0, 0.0, 0.0, 1.0] {
            return Err(at(step, "the last row of the matrix must be 0 0 0 1"));
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

/// Whether an element's `count`, if it has one, is what was found.
fn counted(node: Node, found: usize) -> Result<(), Problem> {
    match number::<usize>(node, "count")? {
        Some(count) if count != found => {
            let reason = format!("the count is {count}, and there are {found}");
            Err(at(node, &reason))
        }
        _ => Ok(()),
    }
}

fn place(node: Node) -> String {
    let line = node.document().text_pos_at(node.range().start).row;
    let name = node.tag_name().name();
    format!("line {line}, <{name}>")
}

fn at(node: Node, reason: &str) -> Problem {
    problem(place(node), reason)
}
