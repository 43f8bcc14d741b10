//! The player that predicts: where the ball will cross its rail, with an error, a delay and a speed by level.

use crate::ball::Ball;
use crate::flight::STEP;
use crate::table::Table;

/// The strongest level.
pub(crate) const STRONGEST: u8 = 9;

/// What a computer player thinks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Computer {
    /// Where it wants to be, metres.
    target: f64,
    /// Steps until it sees what has changed.
    delay: u32,
    /// Whether the ball came towards it when it last looked.
    coming: bool,
    /// The share of its largest error in this rally, from −1 to 1.
    error: f64,
}

/// Returns the speed of a player of a level along its rail, metres a second.
pub(crate) fn speed(level: u8) -> f64 {
    0.7 + 0.25 * f64::from(level)
}

impl Computer {
    /// Looks at the ball and returns where the paddle `side` is to go; `draw` gives numbers from −1 to 1.
    pub fn look(
        &mut self,
        level: u8,
        side: usize,
        ball: &Ball,
        table: &Table,
        draw: impl FnOnce() -> f64,
    ) -> f64 {
        let weakness = f64::from(STRONGEST - level.min(STRONGEST)) / f64::from(STRONGEST);
        let coming = (ball.velocity.x > 0.0) == (side == 1) && ball.velocity.x != 0.0;
        if coming != self.coming {
            self.coming = coming;
            self.delay = (0.3 * weakness / STEP) as u32;
            self.error = draw();
        }
        if self.delay > 0 {
            self.delay -= 1;
        } else if coming {
            let error = self.error * (0.3 * weakness + 0.02);
            self.target = intercept(ball, table, table.paddles[side].position.x) + error;
        } else {
            self.target *= 0.98;
        }
        self.target
    }
}

/// Returns where the centre of the ball crosses the line x, metres, with its path folded at the walls as that of a
/// circle of its radius.
fn intercept(ball: &Ball, table: &Table, x: f64) -> f64 {
    let time = (x - ball.position.x) / ball.velocity.x;
    let reach = (0.5 * table.height - ball.radius()).max(1e-3);
    let y = ball.position.y + ball.velocity.y * time + reach;
    let folded = y.rem_euclid(4.0 * reach);
    (if folded > 2.0 * reach {
        4.0 * reach - folded
    } else {
        folded
    }) - reach
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Match, Settings};
    use nalgebra::{Point2, Vector2};

    #[test]
    fn a_path_is_folded_at_the_walls() {
        let mut ball = Ball::new([0.1, 0.1], 1.0).unwrap();
        let mut table = *Match::new(&Settings::default()).unwrap().table();
        table.height = 1.2; // the centre of the ball stays within 0.5 m of the middle
        ball.position = Point2::new(0.0, 0.2);
        for (velocity, expected) in [(0.1, 0.3), (0.4, 0.4), (-0.9, -0.3), (2.0, 0.2), (2.1, 0.3)] {
            ball.velocity = Vector2::new(1.0, velocity);
            let found = intercept(&ball, &table, 1.0);
            assert!((found - expected).abs() < 1e-12, "{velocity}: {found}");
        }
    }
}
