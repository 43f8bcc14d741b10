//! The order of constraints: by greedy colours, so that constraints of one colour share no particle.
//!
//! In this order neighbours in the list are independent: the processor overlaps them, and no direction of the mesh is
//! preferred, as it would be where a sweep runs along the rows.

/// Returns the order in which to take constraints on the given particles: by colour, and by index within a colour.
pub(crate) fn color_order<const N: usize>(
    particles: usize,
    constraints: &[[u32; N]],
) -> Vec<usize> {
    let mut taken = vec![0u64; particles];
    let mut colors = Vec::with_capacity(constraints.len());
    for ends in constraints {
        let used = ends.iter().fold(0, |used, &end| used | taken[end as usize]);
        // With more than 63 colours the last one is shared, which is slower but not wrong.
        let color = (!used).trailing_zeros().min(63);
        ends.iter()
            .for_each(|&end| taken[end as usize] |= 1 << color);
        colors.push(color);
    }
    let mut order: Vec<usize> = (0..constraints.len()).collect();
    order.sort_by_key(|&i| colors[i]);
    order
}
