//! The C interface, from C, C++ and as it is installed. One program, so that it is linked once and its tests run side by side.

mod abi;
mod abuse;
mod c;
mod call_times;
mod cpp;
mod fcl;
mod header;
mod install;
mod readme;
mod reference;
mod robot;
mod scene;
