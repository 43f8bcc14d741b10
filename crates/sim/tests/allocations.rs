//! A step allocates nothing on the heap after warm-up. The only test of its binary, so that no other thread allocates
//! while it counts.

#![allow(unsafe_code)] // a global allocator cannot be written without

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use superovoid_sim::{World, scenes};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_step_allocates_nothing_after_warm_up() {
    let mut bowl = scenes::bowl(5, 2);
    for body in &mut bowl.bodies[2..] {
        body.position[2] -= 18.0;
    }
    for scene in [scenes::tablecloth(20, 18), scenes::stack(4), bowl] {
        let mut world = World::new(&scene).expect("a ready scene is valid");
        for _ in 0..90 {
            world.step().expect("nothing diverges");
        }
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let mut pressed = 0;
        for _ in 0..60 {
            world.step().expect("nothing diverges");
            pressed += world.contacts().count() + world.cloth_contacts().count();
        }
        let made = ALLOCATIONS.load(Ordering::Relaxed) - before;
        assert_eq!(made, 0, "{}", scene.name);
        assert!(pressed > 0, "{}", scene.name);
    }
}
