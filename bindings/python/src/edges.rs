//! `Edges`: what is proven of the straight lines between configurations.

use crate::array_output::array;
use crate::codes;
use crate::robot_contacts::BodyIds;
use crate::state::{self, Reduced, Table, reduced};
use pyo3::prelude::*;
use pyo3::types::PyType;
use superovoid_robot::scene::{RobotContact, RobotScene};
use superovoid_robot::{Clearance, EdgeAnswer, EdgeStatus};

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
    attached: [i64; 2],
}

#[pymethods]
impl Edges {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        let numbers = |edge: &Edge| {
            let [safe, touching] = [edge.safe, edge.touching].map(|t| t.unwrap_or(f64::NAN));
            [
                f64::from(codes::of_edge(edge.status)),
                safe,
                touching,
                edge.proven,
            ]
        };
        let rows = state::table(py, me.all.iter().map(numbers))?;
        let ids = |edge: &Edge| {
            let ([a, b], [c, d]) = (edge.links, edge.attached);
            [a, b, edge.obstacle, c, d]
        };
        let ids = state::table(py, me.all.iter().map(ids))?;
        reduced(slf, "_restored", (me.axes.clone(), rows, ids))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        axes: Vec<usize>,
        rows: Table<4>,
        ids: Table<5, i64>,
    ) -> PyResult<Self> {
        state::check(&axes, rows.0.len())?;
        let some = |t: f64| (!t.is_nan()).then_some(t);
        let all = rows.with(
            &ids,
            |&[status, safe, touching, proven], &[a, b, obstacle, c, d]| {
                Ok(Edge {
                    status: codes::edge(status).ok_or_else(state::odd)?,
                    safe: some(safe),
                    touching: some(touching),
                    proven,
                    links: [a, b],
                    obstacle,
                    attached: [c, d],
                })
            },
        )?;
        Ok(Edges { axes, all })
    }

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

    /// The links of the pair that touches, or is undecided, or those that carry it, int64, shape (..., 2); -1 where there is
    /// none, or where the second one is an obstacle.
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

    /// The ids of the attached bodies of that pair, int64, shape (..., 2); -1 for what is none.
    #[getter]
    fn attached<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let attached = self.all.iter().flat_map(|edge| edge.attached).collect();
        array(py, &self.axes, &[2], attached)
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
            attached: [-1, -1],
        }
    }
}

impl Edge {
    /// Takes the answer of a scene, and the scene.
    pub fn of(scene: &RobotScene, answer: EdgeAnswer<RobotContact>) -> Self {
        let ids = answer.contact.map(|found| BodyIds::of(scene, &found));
        Edge {
            status: answer.status,
            safe: answer.safe,
            touching: answer.touching,
            proven: answer.proven,
            links: ids.map_or([-1, -1], |ids| [ids.link_a, ids.link_b]),
            obstacle: ids.map_or(-1, |ids| ids.obstacle),
            attached: ids.map_or([-1, -1], |ids| [ids.attached_a, ids.attached_b]),
        }
    }
}
