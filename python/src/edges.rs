//! `Edges`: what is proven of the straight lines between configurations.

use crate::array_output::array;
use crate::codes;
use pyo3::prelude::*;
use superovoid::robot::{Clearance, EdgeAnswer, EdgeStatus};
use superovoid::scene::{Counterpart, RobotContact};

/// What is proven of the straight lines between configurations, shape ``(...)``.
#[pyclass(frozen, module = "superovoid")]
pub struct Edges {
    pub axes: Vec<usize>,
    pub all: Vec<Edge>,
}

/// What is proven of one edge.
#[derive(Clone)]
pub struct Edge {
    status: EdgeStatus,
    safe: Option<f64>,
    touching: Option<f64>,
    proven: f64,
    links: [i64; 2],
    obstacle: i64,
}

#[pymethods]
impl Edges {
    /// What is proven, uint8, shape (...): see `superovoid.EdgeStatus`.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let code = |edge: &Edge| codes::of_edge(edge.status);
        array(py, &self.axes, &[], self.all.iter().map(code).collect())
    }

    /// Every configuration up to this share of the edge is proven free, shape (...); NaN where not even the first one is.
    #[getter]
    fn safe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self.all.iter().map(|edge| edge.safe.unwrap_or(f64::NAN));
        array(py, &self.axes, &[], all.collect())
    }

    /// The least share of the edge at which a pair is proven to touch, shape (...); NaN unless the edge is a hit.
    #[getter]
    fn touching<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self
            .all
            .iter()
            .map(|edge| edge.touching.unwrap_or(f64::NAN));
        array(py, &self.axes, &[], all.collect())
    }

    /// The share of each edge that is proven free, shape (...).
    #[getter]
    fn proven<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(
            py,
            &self.axes,
            &[],
            self.all.iter().map(|edge| edge.proven).collect(),
        )
    }

    /// The links of the pair that touches, or is undecided, int64, shape (..., 2); -1 where there is none, or where the
    /// second one is an obstacle.
    #[getter]
    fn links<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let links = self.all.iter().flat_map(|edge| edge.links).collect();
        array(py, &self.axes, &[2], links)
    }

    /// The id of the obstacle of that pair, int64, shape (...); -1 where there is none.
    #[getter]
    fn obstacle<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let obstacles = self.all.iter().map(|edge| edge.obstacle).collect();
        array(py, &self.axes, &[], obstacles)
    }
}

impl From<EdgeAnswer<Clearance>> for Edge {
    fn from(answer: EdgeAnswer<Clearance>) -> Self {
        let links = |pair: Clearance| [pair.link_a as i64, pair.link_b as i64];
        Edge {
            status: answer.status,
            safe: answer.safe,
            touching: answer.touching,
            proven: answer.proven,
            links: answer.contact.map_or([-1, -1], links),
            obstacle: -1,
        }
    }
}

impl From<EdgeAnswer<RobotContact>> for Edge {
    fn from(answer: EdgeAnswer<RobotContact>) -> Self {
        let (links, obstacle) = answer.contact.map_or(([-1, -1], -1), |found| {
            let (with, obstacle) = counterpart(&found);
            ([found.link as i64, with], obstacle)
        });
        Edge {
            status: answer.status,
            safe: answer.safe,
            touching: answer.touching,
            proven: answer.proven,
            links,
            obstacle,
        }
    }
}

/// Returns the link of body B of a contact and the id of the obstacle; −1 for the one that it is not.
pub fn counterpart(found: &RobotContact) -> (i64, i64) {
    match found.with {
        Counterpart::Link { link, .. } => (link as i64, -1),
        Counterpart::Obstacle(id) => (-1, id.number() as i64),
    }
}
