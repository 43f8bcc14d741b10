//! Configurations as arguments.

use crate::array_input::Rows;
use crate::broadcast::Broadcast;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use superovoid_robot::Configuration;

/// Configurations that arguments broadcast to, a list for each argument.
pub struct Configurations {
    pub all: Broadcast,
    pub lists: Vec<Vec<Configuration>>,
}

impl Configurations {
    pub fn new(
        robot: &superovoid_robot::Robot,
        arguments: &[(&Bound<'_, PyAny>, &str)],
    ) -> PyResult<Self> {
        let count = robot.position_count();
        let rows = arguments.iter();
        let rows = rows.map(|(value, name)| Rows::of_width(value, name, count));
        let rows = rows.collect::<PyResult<Vec<_>>>()?;
        let named = arguments.iter().zip(&rows);
        let named: Vec<_> = named
            .map(|((_, name), rows)| (*name, rows.lead()))
            .collect();
        let all = Broadcast::of(&named)?;
        let list = |rows: &Rows| {
            let reader = rows.reader(&all.axes);
            let read = |k: usize| {
                let configuration = robot.configuration(&reader.numbers(k, count));
                configuration.map_err(|error| all.error(k, &error))
            };
            (0..all.count).map(read).collect::<PyResult<Vec<_>>>()
        };
        let lists = rows.iter().map(list).collect::<PyResult<_>>()?;
        Ok(Configurations { all, lists })
    }
}

/// Takes an argument that is one configuration.
pub fn one_configuration(
    robot: &superovoid_robot::Robot,
    (value, name): (&Bound<'_, PyAny>, &str),
) -> PyResult<Configuration> {
    let mut of = Configurations::new(robot, &[(value, name)])?;
    if !of.all.axes.is_empty() {
        let problem = format!(
            "{name} has the axes {:?}: one configuration is wanted",
            of.all.axes
        );
        return Err(PyValueError::new_err(problem));
    }
    Ok(of.lists.remove(0).remove(0))
}
