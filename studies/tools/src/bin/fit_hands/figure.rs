//! A figure of each finger: the collision meshes' hulls and the superovoids, of both hands, from two sides.
//!
//! Both are convex, so that their outlines are the convex hulls of their projected vertices. The superovoids are filled;
//! of the meshes the edges that face the viewer are drawn.

use crate::fits::LinkFit;
use anyhow::{Context, Result, anyhow};
use nalgebra::{Isometry3, Point2, Point3, UnitQuaternion, Vector3};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::collections::HashMap;
use std::f64::consts::FRAC_PI_2;
use std::path::Path;
use superovoid_fit::Mesh;
use superovoid_robot::Robot;

const WIDTH: i32 = 1800;
const MARGIN: i32 = 40;
const TOP: i32 = 70;
/// Room above each panel for its name.
const CAPTION: i32 = 44;
const BODY: RGBColor = RGBColor(0xf0, 0x8a, 0x24);
const BODY_LINE: RGBColor = RGBColor(0xd4, 0x5f, 0x00);
const MESH: RGBColor = RGBColor(0x1f, 0x5f, 0xa8);
/// Edges between triangles that meet at a smaller angle than this (radians) lie in a face and are left out.
const FLAT: f64 = 0.03;
/// Segments of the triangulation whose outline stands for the superovoid's.
const SEGMENTS: usize = 96;
/// Opacity of the mesh's edges.
const EDGES: f64 = 0.45;
/// Length of the scale, metres.
const SCALE: f64 = 0.01;

/// A link's outlines in the frame of a view: x right, y up, z towards the viewer; metres.
struct Drawn {
    outline: Vec<Point2<f64>>,
    mesh_outline: Vec<Point2<f64>>,
    /// Lines along edges.
    mesh_edges: Vec<Vec<Point2<f64>>>,
}

struct Panel {
    name: String,
    links: Vec<Drawn>,
}

/// Draws `icub_hands_FINGER.svg` for every finger and the palms.
pub fn draw_all(folder: &Path, robot: &Robot, fits: &[LinkFit]) -> Result<()> {
    for finger in ["palm", "thumb", "index", "middle", "ring", "little"] {
        let mut panels = Vec::new();
        for (side, prefix) in [("left", "l_"), ("right", "r_")] {
            let links: Vec<&LinkFit> = fits
                .iter()
                .filter(|f| f.finger == finger && f.name.starts_with(prefix))
                .collect();
            for (view, turn) in views(finger) {
                panels.push(Panel {
                    name: format!("{side} hand, {view}"),
                    links: drawn(robot, &links, &turn)?,
                });
            }
        }
        let path = folder.join(format!("icub_hands_{finger}.svg"));
        let failed = |e: Box<dyn std::error::Error + '_>| anyhow!("{}: {e}", path.display());
        draw(&path, finger, &panels).map_err(failed)?;
    }
    Ok(())
}

/// Views in the frame of a finger's last link, x along the finger and z the axis that it bends about, or of the
/// hand, z on the thumb's side and the palm at −y: along z, and along y.
fn views(finger: &str) -> [(&'static str, UnitQuaternion<f64>); 2] {
    let names = match finger {
        "palm" => ["from the thumb's side", "onto the palm"],
        _ => ["along the axis of bending", "across it"],
    };
    let along_y = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), -FRAC_PI_2);
    [(names[0], UnitQuaternion::identity()), (names[1], along_y)]
}

fn drawn(robot: &Robot, links: &[&LinkFit], turn: &UnitQuaternion<f64>) -> Result<Vec<Drawn>> {
    let poses = robot.forward_kinematics(&robot.neutral())?;
    let index = |name: &str| robot.link_index(name).context("a link of the robot");
    let last = links.last().context("a finger has links")?;
    let view = turn * poses[index(&last.name)?].inverse();
    links
        .iter()
        .map(|link| {
            let pose = view * poses[index(&link.name)?];
            let bodies = robot.superovoid_bodies();
            let link_index = index(&link.name)?;
            let body = bodies
                .iter()
                .find(|b| b.link == link_index)
                .context("a body")?;
            let to_view = pose * body.pose;
            let surface = body.shape.tessellate(SEGMENTS);
            let flat = |p: Point3<f64>| Point2::new(p.x, p.y);
            let projected = surface.vertices.iter().map(|v| flat(to_view * v));
            let corners = link.hull.vertices().iter().map(|v| flat(pose * v));
            Ok(Drawn {
                outline: outline(projected.collect()),
                mesh_outline: outline(corners.collect()),
                mesh_edges: edges(&link.hull, &pose),
            })
        })
        .collect()
}

/// The edges of a hull that face the viewer, but for those within a face.
fn edges(hull: &Mesh, pose: &Isometry3<f64>) -> Vec<Vec<Point2<f64>>> {
    let vertices: Vec<Point3<f64>> = hull.vertices().iter().map(|v| pose * v).collect();
    let mut normals: HashMap<[u32; 2], Vector3<f64>> = HashMap::new();
    let mut edges = Vec::new();
    for triangle in hull.triangles() {
        let [a, b, c] = triangle.map(|v| vertices[v as usize]);
        let normal = (b - a).cross(&(c - a)).normalize();
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let (u, v) = (triangle[from], triangle[to]);
            let Some(other) = normals.insert([u.min(v), u.max(v)], normal) else {
                continue;
            };
            if other.angle(&normal) > FLAT && other.z.max(normal.z) > 0.0 {
                edges.push([u, v]);
            }
        }
    }
    let on_paper = |k: &u32| vertices[*k as usize].xy();
    let lines = lines_of(edges);
    lines
        .iter()
        .map(|line| line.iter().map(on_paper).collect())
        .collect()
}

/// Edges joined to lines, which take less room.
fn lines_of(mut edges: Vec<[u32; 2]>) -> Vec<Vec<u32>> {
    let mut lines = Vec::new();
    while let Some([from, to]) = edges.pop() {
        let mut line = vec![from, to];
        let mut end = to;
        while let Some(next) = edges.iter().position(|edge| edge.contains(&end)) {
            let [u, v] = edges.swap_remove(next);
            end = if u == end { v } else { u };
            line.push(end);
        }
        lines.push(line);
    }
    lines
}

/// The convex hull of points in the plane, counter-clockwise: both chains of the points in the order of x.
fn outline(mut points: Vec<Point2<f64>>) -> Vec<Point2<f64>> {
    points.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    let chain = |points: &mut dyn Iterator<Item = Point2<f64>>| {
        let mut chain: Vec<Point2<f64>> = Vec::new();
        for p in points {
            while let [.., a, b] = chain.as_slice() {
                if (b - a).perp(&(p - b)) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut outline = chain(&mut points.iter().copied());
    outline.extend(chain(&mut points.iter().rev().copied()));
    outline
}

/// Range of x and y of a panel.
fn extent(panel: &Panel) -> [[f64; 2]; 2] {
    let points: Vec<Point2<f64>> = panel
        .links
        .iter()
        .flat_map(|l| l.outline.iter().chain(&l.mesh_outline).copied())
        .collect();
    [0, 1].map(|k| {
        let low = points.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
        let high = points
            .iter()
            .map(|p| p[k])
            .fold(f64::NEG_INFINITY, f64::max);
        [low, high]
    })
}

fn draw(
    path: &Path,
    finger: &str,
    panels: &[Panel],
) -> Result<(), Box<dyn std::error::Error + 'static>> {
    // The palms stand side by side.
    let columns = if finger == "palm" { 2 } else { 1 };
    let extents: Vec<[[f64; 2]; 2]> = panels.iter().map(extent).collect();
    let widest = extents.iter().map(|[x, _]| x[1] - x[0]).fold(0.0, f64::max);
    let column = (WIDTH - MARGIN) / columns;
    let pixels = f64::from(column - MARGIN) / widest;
    // The views of one hand are a column, or all views are.
    let rows = panels.len().div_ceil(columns as usize);
    let heights: Vec<i32> = (0..rows)
        .map(|row| {
            let in_row = extents.iter().skip(row).step_by(rows);
            let tallest = in_row.map(|[_, y]| y[1] - y[0]).fold(0.0, f64::max);
            (tallest * pixels).ceil() as i32 + CAPTION + MARGIN / 2
        })
        .collect();
    let height = TOP + heights.iter().sum::<i32>();
    let root = SVGBackend::new(path, (WIDTH as u32, height as u32)).into_drawing_area();
    root.fill(&WHITE)?;
    legend(&root, finger, pixels)?;
    for (k, (panel, [x, y])) in panels.iter().zip(&extents).enumerate() {
        let left = MARGIN + (k / rows) as i32 * column;
        let top = TOP + heights[..k % rows].iter().sum::<i32>();
        let at = |p: &Point2<f64>| {
            let right = f64::from(left) + (p.x - x[0]) * pixels;
            let down = f64::from(top + CAPTION) + (y[1] - p.y) * pixels;
            (right.round() as i32, down.round() as i32)
        };
        root.draw(&Text::new(panel.name.as_str(), (left, top), text(30)))?;
        draw_panel(&root, panel, &at)?;
    }
    root.present()?;
    Ok(())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn text(size: i32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&BLACK)
}

fn draw_panel(
    root: &Area,
    panel: &Panel,
    at: &dyn Fn(&Point2<f64>) -> (i32, i32),
) -> Result<(), Box<dyn std::error::Error + 'static>> {
    let closed = |points: &[Point2<f64>]| -> Vec<(i32, i32)> {
        points.iter().chain(points.first()).map(at).collect()
    };
    for link in &panel.links {
        root.draw(&Polygon::new(closed(&link.outline), BODY.mix(0.35)))?;
    }
    for link in &panel.links {
        for line in &link.mesh_edges {
            let line: Vec<(i32, i32)> = line.iter().map(at).collect();
            root.draw(&PathElement::new(line, MESH.mix(EDGES).stroke_width(2)))?;
        }
        let outline = closed(&link.mesh_outline);
        root.draw(&PathElement::new(outline, MESH.stroke_width(3)))?;
        let outline = closed(&link.outline);
        root.draw(&PathElement::new(outline, BODY_LINE.stroke_width(4)))?;
    }
    Ok(())
}

fn legend(
    root: &Area,
    finger: &str,
    pixels: f64,
) -> Result<(), Box<dyn std::error::Error + 'static>> {
    let title = match finger {
        "palm" => "Palms".to_owned(),
        "thumb" => "Thumbs".to_owned(),
        other => format!("{}{} fingers", other[..1].to_uppercase(), &other[1..]),
    };
    root.draw(&Text::new(title, (MARGIN, 20), text(38)))?;
    let [first, second, third] = [520, 900, 1310];
    let swatch = [(first, 26), (first + 60, 50)];
    root.draw(&Rectangle::new(swatch, BODY.mix(0.35).filled()))?;
    root.draw(&Rectangle::new(swatch, BODY_LINE.stroke_width(4)))?;
    root.draw(&Text::new("superovoid", (first + 76, 22), text(30)))?;
    let swatch = [(second, 26), (second + 60, 50)];
    root.draw(&Rectangle::new(swatch, MESH.stroke_width(3)))?;
    root.draw(&PathElement::new(
        [(second, 50), (second + 60, 26)],
        MESH.mix(0.55),
    ))?;
    root.draw(&Text::new("collision mesh", (second + 76, 22), text(30)))?;
    let length = (SCALE * pixels).round() as i32;
    let bar = [(third, 32), (third, 44), (third, 38), (third + length, 38)];
    let end = [(third + length, 32), (third + length, 44)];
    root.draw(&PathElement::new(bar, BLACK.stroke_width(3)))?;
    root.draw(&PathElement::new(end, BLACK.stroke_width(3)))?;
    root.draw(&Text::new("10 mm", (third + length + 16, 22), text(30)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_is_the_hull_counter_clockwise() {
        let at = |x: f64, y: f64| Point2::new(x, y);
        let square = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
        let mut points = square.to_vec();
        points.extend([at(0.5, 0.5), at(0.5, 0.0), at(0.2, 0.9), at(1.0, 1.0)]);
        assert_eq!(outline(points), square);
    }

    #[test]
    fn lines_go_along_each_edge_once() {
        let edges = [[0, 1], [1, 2], [2, 0], [5, 6], [2, 3]];
        let mut drawn: Vec<[u32; 2]> = lines_of(edges.to_vec())
            .iter()
            .flat_map(|line| {
                line.windows(2)
                    .map(|w| [w[0].min(w[1]), w[0].max(w[1])])
                    .collect::<Vec<_>>()
            })
            .collect();
        drawn.sort_unstable();
        assert_eq!(drawn, [[0, 1], [0, 2], [1, 2], [2, 3], [5, 6]]);
    }
}
