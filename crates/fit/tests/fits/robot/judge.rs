//! What a text says of its superovoids, with maths that the library does not share.

/// A matrix of rows.
pub type Matrix = [[f64; 3]; 3];
pub type Vector = [f64; 3];

pub fn product(a: Matrix, b: Matrix) -> Matrix {
    let entry = |i: usize, j: usize| (0..3).map(|k| a[i][k] * b[k][j]).sum();
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}

pub fn times(a: Matrix, v: Vector) -> Vector {
    a.map(|row| (0..3).map(|k| row[k] * v[k]).sum())
}

fn transposed(a: Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| a[j][i]))
}

/// Rz(yaw) Ry(pitch) Rx(roll).
pub fn rotation([roll, pitch, yaw]: Vector) -> Matrix {
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    let x = [[1.0, 0.0, 0.0], [0.0, cr, -sr], [0.0, sr, cr]];
    let y = [[cp, 0.0, sp], [0.0, 1.0, 0.0], [-sp, 0.0, cp]];
    let z = [[cy, -sy, 0.0], [sy, cy, 0.0], [0.0, 0.0, 1.0]];
    product(z, product(y, x))
}

/// An origin and a point in its frame: the point in the frame around.
pub fn moved(xyz: Vector, rpy: Vector, v: Vector) -> Vector {
    let turned = times(rotation(rpy), v);
    [0, 1, 2].map(|k| xyz[k] + turned[k])
}

/// A superovoid, its origin and its fallback as the text has them.
#[derive(Clone, Debug)]
pub struct Written {
    pub xyz: Vector,
    pub rpy: Vector,
    a: Vector,
    e: [f64; 2],
    t: [f64; 2],
    /// Name and numbers.
    fallback: (String, Vec<f64>),
    pub name: Option<String>,
}

impl Written {
    /// The collisions of a link that have a superovoid.
    pub fn all(urdf: &str, link: &str) -> Vec<Written> {
        let document = roxmltree::Document::parse(urdf.trim_start_matches('\u{feff}')).unwrap();
        let named = |name: &'static str| {
            move |n: &roxmltree::Node| n.is_element() && n.tag_name().name() == name
        };
        let mut links = document.root_element().children().filter(named("link"));
        let link = links.find(|l| l.attribute("name") == Some(link)).unwrap();
        let numbers = |text: &str| -> Vec<f64> {
            text.split_whitespace()
                .map(|w| w.parse().unwrap())
                .collect()
        };
        let three = |text: Option<&str>| -> Vector {
            text.map_or([0.0; 3], |text| numbers(text).try_into().unwrap())
        };
        let collisions = link.children().filter(named("collision"));
        let written = collisions.filter_map(|collision| {
            let ovoid = collision.children().find(named("superovoid"))?;
            let number = |name| ovoid.attribute(name).unwrap().parse::<f64>().unwrap();
            let origin = collision.children().find(named("origin"));
            let geometry = collision.children().find(named("geometry")).unwrap();
            let shape = geometry.first_element_child().unwrap();
            let sizes = ["radius", "length", "size"]
                .iter()
                .filter_map(|a| shape.attribute(*a));
            Some(Written {
                xyz: three(origin.and_then(|o| o.attribute("xyz"))),
                rpy: three(origin.and_then(|o| o.attribute("rpy"))),
                a: ["a1", "a2", "a3"].map(number),
                e: ["e1", "e2"].map(number),
                t: ["tx", "ty"].map(number),
                fallback: (
                    shape.tag_name().name().to_owned(),
                    sizes.flat_map(numbers).collect(),
                ),
                name: collision.attribute("name").map(str::to_owned),
            })
        });
        written.collect()
    }

    /// A point of the link's frame in the body's.
    fn local(&self, p: Vector) -> Vector {
        let off = [0, 1, 2].map(|k| p[k] - self.xyz[k]);
        times(transposed(rotation(self.rpy)), off)
    }

    /// 1 on the surface, less inside. Larger coordinates are divided out before powers are taken.
    pub fn gauge(&self, point: Vector) -> f64 {
        let [x, y, z] = self.local(point);
        let zeta = z / self.a[2];
        let norm = |u: f64, v: f64, e: f64| {
            let most = u.abs().max(v.abs());
            if most == 0.0 {
                return 0.0;
            }
            let power = |w: f64| (w.abs() / most).powf(2.0 / e);
            most * (power(u) + power(v)).powf(0.5 * e)
        };
        let u = x / (self.a[0] * (1.0 + self.t[0] * zeta));
        let v = y / (self.a[1] * (1.0 + self.t[1] * zeta));
        norm(norm(u, v, self.e[0]), zeta, self.e[1])
    }

    /// By how much a point of the link's frame is outside of the fallback; negative inside.
    pub fn outside_fallback(&self, point: Vector) -> f64 {
        let [x, y, z] = self.local(point);
        match (&self.fallback.0[..], &self.fallback.1[..]) {
            ("sphere", [radius]) => (x * x + y * y + z * z).sqrt() - radius,
            ("cylinder", [radius, length]) => (x.hypot(y) - radius).max(z.abs() - 0.5 * length),
            ("box", [a, b, c]) => {
                let over = [(x, a), (y, b), (z, c)].map(|(v, size)| v.abs() - 0.5 * size);
                over.into_iter().fold(f64::NEG_INFINITY, f64::max)
            }
            other => panic!("{other:?}"),
        }
    }

    pub fn fallback(&self) -> &str {
        &self.fallback.0
    }

    /// Points of its surface in the frame of the link, from the parametric form.
    pub fn surface(&self) -> Vec<Vector> {
        let signed = |x: f64, e: f64| x.signum() * x.abs().powf(e);
        let mut points = Vec::new();
        for i in 0..=60 {
            let (s, c) = ((f64::from(i) / 60.0 - 0.5) * std::f64::consts::PI).sin_cos();
            let (zeta, rho) = (signed(s, self.e[1]), signed(c, self.e[1]));
            for j in 0..120 {
                let (v, u) = (f64::from(j) / 60.0 * std::f64::consts::PI).sin_cos();
                let across = |k: usize, u: f64| {
                    self.a[k] * (1.0 + self.t[k] * zeta) * rho * signed(u, self.e[0])
                };
                let local = [across(0, u), across(1, v), self.a[2] * zeta];
                points.push(moved(self.xyz, self.rpy, local));
            }
        }
        points
    }
}
