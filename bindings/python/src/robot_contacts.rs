//! `RobotContacts`: the contacts of a robot among obstacles, and how they name their bodies.

use crate::array_output::array;
use crate::arrow::{Column, stream, table};
use crate::contacts::Contacts;
use crate::state::{self, CONTACT, Reduced, Table, reduced};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyType};
use superovoid::Contact;
use superovoid_robot::scene::{BodyId, Counterpart, RobotContact, RobotScene};

/// The contacts of a robot in configurations, with its own links and with obstacles: a row for each pair.
#[pyclass(frozen, module = "superovoid")]
pub struct RobotContacts {
    all: Vec<Row>,
}

/// A pair of a configuration.
pub struct Row {
    /// The index of the configuration in the flattened array.
    configuration: usize,
    found: RobotContact,
    ids: BodyIds,
}

/// The numbers by which a contact names its bodies; −1 for what a body is not.
#[derive(Clone, Copy)]
pub struct BodyIds {
    /// The link of body A, or the one that carries it.
    pub link_a: i64,
    pub collision_a: i64,
    pub attached_a: i64,
    /// The link of body B, or the one that carries it.
    pub link_b: i64,
    pub collision_b: i64,
    pub attached_b: i64,
    pub obstacle: i64,
}

impl BodyIds {
    /// Takes the scene of the contact, which tells what carries an attached body.
    pub fn of(scene: &RobotScene, found: &RobotContact) -> Self {
        let carrier = |id| {
            let body = scene.attached().find(|body| body.id == id);
            body.map_or(-1, |body| body.link as i64)
        };
        let number = |id: BodyId| id.number() as i64;
        let (link_b, collision_b, attached_b, obstacle) = match found.with {
            Counterpart::Link { link, collision } => (link as i64, collision as i64, -1, -1),
            Counterpart::Attached(id) => (carrier(id), -1, number(id), -1),
            Counterpart::Obstacle(id) => (-1, -1, -1, number(id)),
        };
        BodyIds {
            link_a: found.link as i64,
            collision_a: found.attached.map_or(found.collision as i64, |_| -1),
            attached_a: found.attached.map_or(-1, number),
            link_b,
            collision_b,
            attached_b,
            obstacle,
        }
    }

    /// Returns the contact with these bodies.
    fn restored(&self, part: i64, contact: Contact) -> PyResult<RobotContact> {
        let at = |number: i64| usize::try_from(number).map_err(|_| state::odd());
        let id = |number: i64| BodyId::from_number(number as u64);
        let with = match (self.attached_b, self.collision_b) {
            (-1, -1) => Counterpart::Obstacle(id(self.obstacle)),
            (-1, collision) => Counterpart::Link {
                link: at(self.link_b)?,
                collision: at(collision)?,
            },
            (attached, _) => Counterpart::Attached(id(attached)),
        };
        let collision = self.collision_a.max(0);
        let (link, collision) = (at(self.link_a)?, at(collision)?);
        let mut found = RobotContact::new(link, collision, with, u32::try_from(part).ok(), contact);
        found.attached = (self.attached_a != -1).then(|| id(self.attached_a));
        Ok(found)
    }
}

impl RobotContacts {
    /// Takes the pairs of configurations, by their indices, and the scene in which they were found.
    pub fn new(scene: &RobotScene, found: impl Iterator<Item = (usize, RobotContact)>) -> Self {
        let row = |(configuration, found)| Row {
            configuration,
            ids: BodyIds::of(scene, &found),
            found,
        };
        RobotContacts {
            all: found.map(row).collect(),
        }
    }
}

impl RobotContacts {
    fn whole<'py>(&self, py: Python<'py>, of: impl Fn(&Row) -> i64) -> PyResult<Bound<'py, PyAny>> {
        let all = self.all.iter().map(of).collect();
        array(py, &[self.all.len()], &[], all)
    }

    fn columns(&self) -> PyResult<Vec<Column>> {
        let rows = || self.all.iter();
        let mut columns = vec![
            Column::whole("configuration", rows().map(|row| row.configuration as i64)),
            Column::whole("link_a", rows().map(|row| row.ids.link_a)),
            Column::indices("collision_a", rows().map(|row| row.ids.collision_a)),
            Column::indices("attached_a", rows().map(|row| row.ids.attached_a)),
            Column::indices("link_b", rows().map(|row| row.ids.link_b)),
            Column::indices("collision_b", rows().map(|row| row.ids.collision_b)),
            Column::indices("attached_b", rows().map(|row| row.ids.attached_b)),
            Column::indices("obstacle", rows().map(|row| row.ids.obstacle)),
        ];
        columns.extend(self.contacts().columns()?);
        Ok(columns)
    }
}

#[pymethods]
impl RobotContacts {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        let numbers = |row: &Row| {
            let ids = &row.ids;
            [
                row.configuration as i64,
                ids.link_a,
                ids.collision_a,
                ids.attached_a,
                ids.link_b,
                ids.collision_b,
                ids.attached_b,
                ids.obstacle,
                row.found.part.map_or(-1, i64::from),
            ]
        };
        let numbers = state::table(py, me.all.iter().map(numbers))?;
        let contacts = me.all.iter();
        let contacts = contacts.map(|row| state::of_contact(&row.found.contact));
        reduced(slf, "_restored", (numbers, state::table(py, contacts)?))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        numbers: Table<9, i64>,
        contacts: Table<CONTACT>,
    ) -> PyResult<Self> {
        let all = numbers.with(&contacts, |numbers, contact| {
            let &[configuration, link_a, collision_a, attached_a, ..] = numbers;
            let &[.., link_b, collision_b, attached_b, obstacle, part] = numbers;
            let ids = BodyIds {
                link_a,
                collision_a,
                attached_a,
                link_b,
                collision_b,
                attached_b,
                obstacle,
            };
            Ok(Row {
                configuration: usize::try_from(configuration).map_err(|_| state::odd())?,
                found: ids.restored(part, state::contact(contact)?)?,
                ids,
            })
        })?;
        Ok(RobotContacts { all })
    }

    /// The configuration of each row, its index in the flattened array, int64, shape (rows,).
    #[getter]
    fn configuration<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| row.configuration as i64)
    }

    /// The index of the link of body A, or of the one that carries it, int64, shape (rows,).
    #[getter]
    fn link_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| row.ids.link_a)
    }

    /// The index of body A among the collisions of its link, int64, shape (rows,); -1 for an attached body.
    #[getter]
    fn collision_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| row.ids.collision_a)
    }

    /// The id of the attached body A, int64, shape (rows,); -1 for a collision of a link.
    #[getter]
    fn attached_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| row.ids.attached_a)
    }

    /// The index of the link of body B, or of the one that carries it, int64, shape (rows,); -1 for an obstacle.
    #[getter]
    fn link_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| row.ids.link_b)
    }

    /// The index of body B among the collisions of its link, int64, shape (rows,); -1 for an obstacle or an attached body.
    #[getter]
    fn collision_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| row.ids.collision_b)
    }

    /// The id of the attached body B, int64, shape (rows,); -1 for a collision of a link or an obstacle.
    #[getter]
    fn attached_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| row.ids.attached_b)
    }

    /// The id of the obstacle B, int64, shape (rows,); -1 for a link or an attached body.
    #[getter]
    fn obstacle<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| row.ids.obstacle)
    }

    /// The contacts of the rows, in the world; ``part_b`` is the triangle or box of B.
    #[getter]
    fn contacts(&self) -> Contacts {
        let part = |row: &Row| row.found.part.map_or(-1, i64::from);
        Contacts {
            parts: [None, Some(self.all.iter().map(part).collect())],
            ..Contacts::new(
                vec![self.all.len()],
                self.all.iter().map(|row| row.found.contact).collect(),
            )
        }
    }

    /// Returns a capsule of an Arrow stream with one row for each answer, so that pyarrow, polars, pandas, DuckDB and others
    /// read the answers (https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html).
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // What is asked for is a wish, which the interface allows to leave unheard.
        let _ = requested_schema;
        stream(py, self.columns()?)
    }

    /// Returns a `pyarrow.Table` with one row for each answer.
    fn to_arrow(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        table(slf.into_any())
    }

    fn __len__(&self) -> usize {
        self.all.len()
    }
}
