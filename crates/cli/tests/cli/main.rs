//! The command `superovoid`. One program, so that it is linked once and its tests run side by side.

mod bite;
mod check;
mod common;
#[path = "common/egg.rs"]
mod egg;
mod export;
mod fit;
mod fit_robot;
mod keep_free;
mod mesh;
mod mesh_files;
mod pairs;
mod plan;
mod simulate;
mod sketch;
mod studio;
mod vertices;
mod visual;
