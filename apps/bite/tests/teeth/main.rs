//! Teeth as unions of superovoids, their fits and their bite.

mod bite;
mod fits;
mod molars;
