//! The reader of SRDF.

mod corpus;
mod fuzz;
mod hostile;
mod peer;

use crate::properties::{tells_where_and_why, warnings_lie_within};
use superovoid_robot::{Robot, Srdf, UrdfError};

/// Reads a text and checks what must hold of the answer, whatever it is; `robot` is one that the text may
/// have been written for.
fn read(text: &str, robot: &Robot) -> Result<Srdf, UrdfError> {
    let result = Srdf::from_srdf_str(text);
    match &result {
        Ok(srdf) => {
            warnings_lie_within(&srdf.warnings(robot), text);
            agrees_with_peer(srdf, text);
        }
        Err(error) => tells_where_and_why(error, text),
    }
    result
}

/// What is accepted is what the other reader finds, to the place of every statement.
fn agrees_with_peer(srdf: &Srdf, text: &str) {
    let found = peer::read(text).unwrap_or_else(|error| panic!("the other reader fails: {error}"));
    assert_eq!(*srdf, found);
}
