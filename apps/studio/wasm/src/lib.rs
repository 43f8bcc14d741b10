//! The queries of superovoid for JavaScript. Bodies, poses and answers are arrays of numbers, in the orders that
//! [`numbers`] tells; a wrong input is an exception with the library's message.

pub mod mesh;
pub mod numbers;
mod pong;
pub mod queries;
pub mod robot;
pub mod simulation;
mod sketch;
mod terrain;

use wasm_bindgen::prelude::*;

/// A triangle mesh for drawing.
#[wasm_bindgen]
pub struct Mesh(queries::DrawnMesh);

#[wasm_bindgen]
impl Mesh {
    /// The vertices, three numbers each.
    #[wasm_bindgen(getter)]
    pub fn positions(&self) -> Vec<f32> {
        self.0.positions.clone()
    }

    /// The outward unit normals at the vertices.
    #[wasm_bindgen(getter)]
    pub fn normals(&self) -> Vec<f32> {
        self.0.normals.clone()
    }

    /// The vertices of each triangle.
    #[wasm_bindgen(getter)]
    pub fn triangles(&self) -> Vec<u32> {
        self.0.triangles.clone()
    }
}

/// A triangle mesh as a body.
#[wasm_bindgen]
pub struct MeshBody(mesh::Model);

#[wasm_bindgen]
impl MeshBody {
    /// Reads an STL, OBJ or COLLADA file by the end of its name, about the origin, with a box whose largest edge is
    /// `size` if that is not 0.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: &[u8], size: f64) -> Result<MeshBody, JsError> {
        mesh::Model::read(name, bytes, size)
            .map(MeshBody)
            .map_err(thrown)
    }

    /// Returns what is drawn.
    pub fn drawn(&self) -> Mesh {
        Mesh(self.0.drawn())
    }

    /// Returns by what the lengths of the file were multiplied.
    pub fn scale(&self) -> f64 {
        self.0.scale
    }

    /// Answers a superovoid and the mesh: 14 numbers, and the nearest triangle.
    pub fn contact(
        &self,
        body: &[f64],
        pose: &[f64],
        mesh_pose: &[f64],
    ) -> Result<Vec<f64>, JsError> {
        let found = self.0.contact(body, pose, mesh_pose);
        found.map(Vec::from).map_err(thrown)
    }
}

/// The triangles of a robot's mesh, as its file has them.
#[wasm_bindgen]
pub struct ReadMesh(superovoid::TriangleMesh);

#[wasm_bindgen]
impl ReadMesh {
    /// Reads an STL, OBJ or COLLADA file by the end of its name; an exception tells the place of what is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: &[u8]) -> Result<ReadMesh, JsError> {
        robot::read_mesh(name, bytes).map(ReadMesh).map_err(thrown)
    }

    /// The vertices, three numbers each.
    #[wasm_bindgen(getter)]
    pub fn vertices(&self) -> Vec<f64> {
        let vertices = self.0.vertices.iter();
        vertices.flat_map(|p| [p.x, p.y, p.z]).collect()
    }

    /// The vertices of each triangle.
    #[wasm_bindgen(getter)]
    pub fn triangles(&self) -> Vec<u32> {
        self.0.triangles.concat()
    }
}

/// The meshes that go with a URDF: they are read before, in a worker.
#[wasm_bindgen]
#[derive(Default)]
pub struct Files(Vec<(String, Result<superovoid::TriangleMesh, String>)>);

#[wasm_bindgen]
impl Files {
    /// Makes room for files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Files {
        Files::default()
    }

    /// Adds a mesh by the name of its file, which may have folders.
    #[wasm_bindgen(js_name = addMesh)]
    pub fn add_mesh(&mut self, name: &str, vertices: &[f64], triangles: &[u32]) {
        let mesh = robot::mesh_of(vertices, triangles);
        self.0.push((name.to_owned(), Ok(mesh)));
    }

    /// Adds a file that could not be read, with what is wrong with it.
    #[wasm_bindgen(js_name = addProblem)]
    pub fn add_problem(&mut self, name: &str, problem: &str) {
        self.0.push((name.to_owned(), Err(problem.to_owned())));
    }
}

/// A robot, read from the text of a URDF file.
#[wasm_bindgen]
pub struct Robot(robot::Model);

#[wasm_bindgen]
impl Robot {
    /// Reads a robot; an exception tells what is wrong, with line and column. Its meshes are found among the files.
    #[wasm_bindgen(constructor)]
    pub fn new(urdf: &str, files: &Files) -> Result<Robot, JsError> {
        robot::Model::read(urdf, &files.0)
            .map(Robot)
            .map_err(thrown)
    }

    /// Leaves out what the text of an SRDF file disables; returns what of it does not fit the robot, as JSON.
    #[wasm_bindgen(js_name = applySrdf)]
    pub fn apply_srdf(&mut self, text: &str) -> Result<String, JsError> {
        let warnings = self.0.apply_srdf(text).map_err(thrown)?;
        serde_json::to_string(&warnings).map_err(|error| thrown(error.to_string()))
    }

    /// Returns a mesh of the description, for drawing.
    pub fn mesh(&self, index: usize) -> Result<Mesh, JsError> {
        self.0.mesh(index).map(Mesh).map_err(thrown)
    }

    /// Returns links, joints, bodies, shapes that are not checked, warnings and the neutral configuration, as JSON.
    pub fn description(&self) -> Result<String, JsError> {
        self.0.description().map_err(thrown)
    }

    /// Returns the poses of the links in a configuration, seven numbers each, in the frame of the root.
    pub fn poses(&self, numbers: &[f64]) -> Result<Vec<f64>, JsError> {
        self.0.poses(numbers).map_err(thrown)
    }

    /// Returns the pairs that may be nearer than `max_distance`, closest first. Each has 17 numbers: the places of its
    /// bodies, 0 for free, 1 for a collision, 2 for undecided, and the answer.
    pub fn clearances(&self, numbers: &[f64], max_distance: f64) -> Result<Vec<f64>, JsError> {
        self.0.clearances(numbers, max_distance).map_err(thrown)
    }
}

/// Returns the names of the ready scenes with a line about each, as JSON.
#[wasm_bindgen(js_name = readyScenes)]
pub fn ready_scenes() -> Result<String, JsError> {
    simulation::ready_scenes().map_err(thrown)
}

/// A simulation that is advanced frame by frame.
#[wasm_bindgen]
pub struct Simulation(simulation::Live);

#[wasm_bindgen]
impl Simulation {
    /// Builds the world of a ready scene.
    pub fn ready(name: &str) -> Result<Simulation, JsError> {
        simulation::Live::ready(name)
            .map(Simulation)
            .map_err(thrown)
    }

    /// Builds the world of a scene's JSON; an exception tells what is wrong.
    pub fn scene(json: &str) -> Result<Simulation, JsError> {
        simulation::Live::read(json).map(Simulation).map_err(thrown)
    }

    /// Returns what is drawn, as JSON.
    pub fn description(&self) -> Result<String, JsError> {
        self.0.description().map_err(thrown)
    }

    /// Advances by one frame; an exception tells what diverged.
    pub fn step(&mut self) -> Result<(), JsError> {
        self.0.step().map_err(thrown)
    }

    /// Returns the time since the start, seconds.
    pub fn time(&self) -> f64 {
        self.0.time()
    }

    /// Returns the poses of all bodies, seven numbers each.
    pub fn bodies(&self) -> Vec<f64> {
        self.0.bodies()
    }

    /// Returns the vertices of a cloth.
    pub fn cloth(&self, index: usize) -> Result<Vec<f64>, JsError> {
        self.0.cloth(index).map_err(thrown)
    }

    /// Returns what pressed in the last frame, six numbers each: a point and the normal impulse there, N·s.
    pub fn contacts(&self) -> Vec<f64> {
        self.0.contacts()
    }

    /// Returns the deepest penetration, metres, by code that the simulation does not share.
    pub fn penetration(&self) -> f64 {
        self.0.penetration()
    }

    /// Pulls a point of a body, in the frame of its shape, to a target.
    #[wasm_bindgen(js_name = pullBody)]
    pub fn pull_body(&mut self, body: usize, point: &[f64], target: &[f64]) -> Result<(), JsError> {
        self.0.pull_body(body, point, target).map_err(thrown)
    }

    /// Pulls a vertex of a cloth to a target.
    #[wasm_bindgen(js_name = pullVertex)]
    pub fn pull_vertex(
        &mut self,
        cloth: usize,
        vertex: usize,
        target: &[f64],
    ) -> Result<(), JsError> {
        self.0.pull_vertex(cloth, vertex, target).map_err(thrown)
    }

    /// Lets go what is pulled.
    #[wasm_bindgen(js_name = letGo)]
    pub fn let_go(&mut self) -> Result<(), JsError> {
        self.0.pull(None).map_err(thrown)
    }

    /// Returns the kinetic and the potential energy, joules.
    pub fn energy(&self) -> Vec<f64> {
        self.0.energy().to_vec()
    }
}

/// A match of Pong with a superellipse.
#[wasm_bindgen]
pub struct Court(pong::Court);

#[wasm_bindgen]
impl Court {
    /// Begins a match; a level below 0 is a person.
    #[wasm_bindgen(constructor)]
    pub fn new(
        left: i32,
        right: i32,
        seed: u32,
        points: u32,
        friction: f64,
    ) -> Result<Court, JsError> {
        pong::Court::new([left, right], seed, points, friction)
            .map(Court)
            .map_err(thrown)
    }

    /// Plays steps; returns what happened, or nothing at the end of a record or a match.
    pub fn play(
        &mut self,
        steps: u32,
        left: f64,
        right: f64,
        left_angle: f64,
        right_angle: f64,
    ) -> Option<Vec<u8>> {
        let (mut events, mut any) = (Vec::new(), false);
        for _ in 0..steps {
            any |= self
                .0
                .step([left, right], [left_angle, right_angle], &mut events);
        }
        any.then_some(events)
    }

    /// Returns the numbers of ball, paddles and score.
    pub fn numbers(&self) -> Vec<f64> {
        self.0.numbers()
    }

    /// Returns the numbers of the field.
    pub fn field(&self) -> Vec<f64> {
        self.0.field()
    }

    /// Returns the levels of the players; that of a person is −1.
    pub fn levels(&self) -> Vec<i32> {
        self.0.levels()
    }

    /// Returns the record so far as JSON.
    pub fn record(&self) -> String {
        self.0.record()
    }
}

/// The record of a match, which is played some steps at a time, so that the page stays live, and then taken up or watched.
#[wasm_bindgen]
pub struct CourtReader(pong::Reader);

#[wasm_bindgen]
impl CourtReader {
    /// Reads a record; an exception tells what is wrong with its text.
    #[wasm_bindgen(constructor)]
    pub fn new(json: &str) -> Result<CourtReader, JsError> {
        pong::Reader::new(json).map(CourtReader).map_err(thrown)
    }

    /// Plays steps; returns whether there are more.
    pub fn advance(&mut self, steps: u32) -> bool {
        self.0.advance(steps)
    }

    /// Returns the match, at its end or at its beginning to be watched; an exception tells that it ends otherwise.
    pub fn finish(self, watch: bool) -> Result<Court, JsError> {
        self.0.finish(watch).map(Court).map_err(thrown)
    }
}

/// A recording of a simulation.
#[wasm_bindgen]
pub struct Recording(simulation::Recorded);

#[wasm_bindgen]
impl Recording {
    /// Reads a whole recording; an exception tells what is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Recording, JsError> {
        simulation::Recorded::read(bytes)
            .map(Recording)
            .map_err(thrown)
    }

    /// Returns what is drawn, as JSON.
    pub fn description(&self) -> Result<String, JsError> {
        self.0.description().map_err(thrown)
    }

    /// Returns the number of frames.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// Returns the time of a frame, seconds.
    pub fn time(&self, frame: usize) -> Result<f64, JsError> {
        self.0.time(frame).map_err(thrown)
    }

    /// Returns the poses of all bodies in a frame, seven numbers each.
    pub fn bodies(&self, frame: usize) -> Result<Vec<f64>, JsError> {
        self.0.bodies(frame).map_err(thrown)
    }

    /// Returns the vertices of a cloth in a frame.
    pub fn cloth(&self, frame: usize, index: usize) -> Result<Vec<f64>, JsError> {
        self.0.cloth(frame, index).map_err(thrown)
    }
}

fn thrown(error: String) -> JsError {
    JsError::new(&error)
}

/// Answers a pair: 28 numbers, body and pose of A, body and pose of B. Returns 14 numbers.
#[wasm_bindgen(js_name = pairContact)]
pub fn pair_contact(numbers: &[f64], certified_depth: bool) -> Result<Vec<f64>, JsError> {
    let found = queries::pair(numbers, certified_depth);
    found.map(Vec::from).map_err(thrown)
}

/// Answers many pairs, one after another.
#[wasm_bindgen(js_name = pairContacts)]
pub fn pair_contacts(numbers: &[f64], certified_depth: bool) -> Result<Vec<f64>, JsError> {
    queries::pairs(numbers, certified_depth).map_err(thrown)
}

/// Answers a pair by the four published schemes, one answer of 14 numbers after another.
#[wasm_bindgen(js_name = publishedContacts)]
pub fn published_contacts(numbers: &[f64]) -> Result<Vec<f64>, JsError> {
    queries::published(numbers).map_err(thrown)
}

/// Returns the cells of the guesses and the iterates of the published scheme with this place, as JSON.
#[wasm_bindgen(js_name = publishedTrace)]
pub fn published_trace(numbers: &[f64], scheme: usize) -> Result<String, JsError> {
    queries::trace(numbers, scheme).map_err(thrown)
}

/// Returns the iterates of the library's own query, as JSON.
#[wasm_bindgen(js_name = contactTrace)]
pub fn contact_trace(numbers: &[f64], certified_depth: bool) -> Result<String, JsError> {
    queries::own_trace(numbers, certified_depth).map_err(thrown)
}

/// Returns the gradient of the distance by the motions of A and B, twelve numbers, for an answer of 14 numbers; nothing
/// where there is none.
#[wasm_bindgen(js_name = distanceGradient)]
pub fn distance_gradient(
    pose_a: &[f64],
    pose_b: &[f64],
    answer: &[f64],
) -> Result<Vec<f64>, JsError> {
    queries::gradient(pose_a, pose_b, answer).map_err(thrown)
}

/// Answers a body and a point. Returns 14 numbers.
#[wasm_bindgen(js_name = pointContact)]
pub fn point_contact(body: &[f64], pose: &[f64], point: &[f64]) -> Result<Vec<f64>, JsError> {
    let found = queries::body_point(body, pose, point);
    found.map(Vec::from).map_err(thrown)
}

/// Answers a body and a plane `normal · x = offset`, or the solid half-space below it. Returns 14 numbers.
#[wasm_bindgen(js_name = planeContact)]
pub fn plane_contact(
    body: &[f64],
    pose: &[f64],
    normal: &[f64],
    offset: f64,
    solid: bool,
) -> Result<Vec<f64>, JsError> {
    let found = queries::body_plane(body, pose, normal, offset, solid);
    found.map(Vec::from).map_err(thrown)
}

/// Casts a ray. Returns t, the point and the normal, or nothing where the ray misses.
#[wasm_bindgen(js_name = rayCast)]
pub fn ray_cast(
    body: &[f64],
    pose: &[f64],
    origin: &[f64],
    direction: &[f64],
    solid: bool,
) -> Result<Vec<f64>, JsError> {
    let found = queries::body_ray(body, pose, origin, direction, solid);
    found
        .map(|hit| hit.map_or_else(Vec::new, Vec::from))
        .map_err(thrown)
}

/// Returns the support value in a direction of the body's frame, and the support point.
#[wasm_bindgen]
pub fn support(body: &[f64], direction: &[f64]) -> Result<Vec<f64>, JsError> {
    let found = queries::support(body, direction);
    found.map(Vec::from).map_err(thrown)
}

/// Returns the mesh of a body with as many edges around, 8 to 512.
#[wasm_bindgen]
pub fn mesh(body: &[f64], segments: u32) -> Result<Mesh, JsError> {
    queries::mesh(body, segments).map(Mesh).map_err(thrown)
}

/// Whether a body is convex. An exception tells which of its numbers is out of its domain.
#[wasm_bindgen(js_name = isConvex)]
pub fn is_convex(body: &[f64]) -> Result<bool, JsError> {
    queries::about(body)
        .map(|(convex, _)| convex)
        .map_err(thrown)
}

/// Returns the volume of a body, cubic metres.
#[wasm_bindgen]
pub fn volume(body: &[f64]) -> Result<f64, JsError> {
    queries::about(body)
        .map(|(_, volume)| volume)
        .map_err(thrown)
}
