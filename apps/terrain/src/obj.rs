//! The cloth as an OBJ file.

use crate::terrain::Terrain;
use std::fmt::Write;

impl Terrain {
    /// Returns the cloth as the text of an OBJ file: vertices in metres with z up, triangles counter-clockwise seen from
    /// above where the cloth lies flat.
    pub fn to_obj(&self) -> String {
        let mut text = String::from("# A terrain: metres, z up.\no terrain\n");
        for [x, y, z] in self.cloth() {
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        for [a, b, c] in self.triangles() {
            let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
        }
        text
    }
}
