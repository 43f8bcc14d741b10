//! The match and its physics, against closed forms and a judge that knows only points of the ball's curve.

use nalgebra::{Point2, Vector2};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use superovoid_pong::{
    Ball, Event, Flight, Input, Match, Paddle, Player, Replay, ReplayError, STEP, Settings, Struck,
    Table, Wall, advance,
};

fn unit(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

fn table(friction: f64) -> Table {
    let paddle = |x: f64| Paddle {
        position: Point2::new(x, 0.0),
        angle: 0.0,
        half: [0.02, 0.15],
        velocity: 0.0,
        turning: 0.0,
    };
    Table {
        width: 2.0,
        height: 1.2,
        paddles: [paddle(-0.9), paddle(0.9)],
        friction,
        largest: f64::INFINITY,
    }
}

/// Points of the curve of a ball, by its polar form.
fn curve(ball: &Ball, count: usize) -> Vec<Point2<f64>> {
    let [a1, a2] = ball.shape.semi_axes();
    let p = 2.0 / ball.shape.exponent();
    (0..count)
        .map(|k| {
            let turn = std::f64::consts::TAU * (k as f64) / (count as f64);
            let (sin, cos) = turn.sin_cos();
            let r = ((cos / a1).abs().powf(p) + (sin / a2).abs().powf(p)).powf(-1.0 / p);
            ball.pose() * Point2::new(r * cos, r * sin)
        })
        .collect()
}

/// How deep the ball is in walls or paddles, metres, by points of its curve and the corners of the paddles.
fn depth(table: &Table, ball: &Ball, count: usize) -> f64 {
    let mut deepest = f64::NEG_INFINITY;
    for x in curve(ball, count) {
        deepest = deepest.max(x.y.abs() - 0.5 * table.height);
        for paddle in &table.paddles {
            let local = nalgebra::Rotation2::new(-paddle.angle) * (x - paddle.position);
            let inside = (paddle.half[0] - local.x.abs()).min(paddle.half[1] - local.y.abs());
            deepest = deepest.max(inside);
        }
    }
    let ([a1, a2], p) = (ball.shape.semi_axes(), 2.0 / ball.shape.exponent());
    for corner in table.paddles.iter().flat_map(Paddle::corners) {
        let x = ball.pose().inverse() * corner;
        let gauge = ((x.x / a1).abs().powf(p) + (x.y / a2).abs().powf(p)).powf(1.0 / p);
        if gauge < 1.0 {
            deepest = deepest.max((1.0 - gauge) * a1.min(a2));
        }
    }
    deepest
}

fn some_ball(random: &mut ChaCha8Rng) -> Ball {
    let mut within = |low: f64, high: f64| low + (high - low) * unit(random);
    let mut ball = Ball::new([within(0.02, 0.08), within(0.02, 0.08)], within(0.1, 1.9)).unwrap();
    ball.position = Point2::new(within(-0.5, 0.5), within(-0.4, 0.4));
    ball.angle = within(-4.0, 4.0);
    ball.velocity = Vector2::new(within(-3.0, 3.0), within(-3.0, 3.0));
    ball.spin = within(-20.0, 20.0);
    ball
}

/// Balls between walls and turned paddles that stand still: energy is kept without friction, never grows with it, and
/// the ball is never in anything.
fn energy_and_depth(hits: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut count, mut lost) = (0, 0.0);
    while count < hits {
        let friction = if random.next_u32() & 1 == 0 {
            0.0
        } else {
            unit(&mut random)
        };
        let mut table = table(friction);
        for paddle in &mut table.paddles {
            // Behind them a wall of paddles: the ball stays.
            paddle.half = [0.05, 0.7];
            paddle.angle = 0.3 * (2.0 * unit(&mut random) - 1.0);
        }
        let mut ball = some_ball(&mut random);
        let energy = ball.energy();
        let mut before = energy;
        for step in 0..600 {
            let flight = advance(&mut table, &mut ball, STEP);
            count += flight.hits.len();
            lost += flight.lost;
            let now = ball.energy();
            if friction == 0.0 {
                assert!((now / energy - 1.0).abs() < 1e-9, "step {step}: {ball:?}");
            } else {
                assert!(now <= before * (1.0 + 1e-12), "step {step}: {ball:?}");
            }
            before = now;
            if step % 10 == 0 || !flight.hits.is_empty() {
                let depth = depth(&table, &ball, 180);
                assert!(depth < 1e-9, "step {step}: {depth:e} {ball:?}");
            }
        }
    }
    println!("{count} hits, {lost} s lost");
    assert!(lost < 1e-4 * STEP * count as f64, "{lost} s");
}

#[test]
fn energy_is_kept_and_nothing_is_entered() {
    energy_and_depth(1_000);
}

#[test]
#[ignore = "a million hits: minutes"]
fn a_million_hits_keep_the_energy_and_enter_nothing() {
    energy_and_depth(1_000_000);
}

/// The hits of a circle between two walls and a still paddle are those of a point between lines, in closed form.
#[test]
fn a_circle_hits_when_a_point_would() {
    let mut table = table(0.5);
    let mut ball = Ball::new([0.05, 0.05], 1.0).unwrap();
    ball.velocity = Vector2::new(0.85, 0.0);
    let flight = advance(&mut table, &mut ball, 2.0);
    // 0.88 m less the radius to the paddle at 0.85 m/s, and 1.66 m back.
    let time = 0.83 / 0.85;
    assert_eq!(flight.hits.len(), 1, "{flight:?}");
    assert_eq!(flight.hits[0].struck, Struck::Paddle(1));
    assert!((flight.hits[0].time - time).abs() < 2e-6);
    assert!((flight.hits[0].point - Point2::new(0.88, 0.0)).norm() < 1e-6);
    assert!((ball.position.x - (0.83 - 0.85 * (2.0 - time))).abs() < 4e-6);

    // Against the upper wall at 45 degrees with much friction: a full disc leaves with a third of the sliding as spin.
    let mut ball = Ball::new([0.05, 0.05], 1.0).unwrap();
    ball.velocity = Vector2::new(0.6, 0.6);
    table.friction = 10.0;
    let flight = advance(&mut table, &mut ball, 1.0);
    assert_eq!(flight.hits[0].struck, Struck::Wall(Wall::Upper));
    assert!(
        (ball.velocity - Vector2::new(0.4, -0.6)).norm() < 1e-6,
        "{ball:?}"
    );
    // The top of the disc, where it touched, stands still along the wall: v_x = ω R.
    assert!((ball.spin * 0.05 - 0.4).abs() < 1e-6);
}

/// A paddle that moves towards a ball at rest gives it twice its speed along the normal; one that turns gives spin.
#[test]
fn the_speed_and_the_turning_of_a_paddle_count() {
    let mut still = table(0.0);
    still.paddles[0].position = Point2::new(0.0, -0.3);
    still.paddles[0].velocity = 1.0;
    let mut ball = Ball::new([0.05, 0.05], 1.0).unwrap();
    let flight = advance(&mut still, &mut ball, 0.2);
    assert_eq!(flight.hits.len(), 1);
    assert!((ball.velocity - Vector2::new(0.0, 2.0)).norm() < 1e-9);

    let mut turning = table(1.0);
    turning.paddles[1].turning = 4.0;
    let mut ball = Ball::new([0.05, 0.05], 1.0).unwrap();
    ball.position = Point2::new(0.8, 0.1);
    let flight = advance(&mut turning, &mut ball, 0.1);
    assert!(
        !flight.hits.is_empty() && ball.velocity.norm() > 0.1 && ball.spin != 0.0,
        "{ball:?}"
    );
    assert!(depth(&turning, &ball, 360) < 1e-9);
}

/// Fast balls and thin paddles: by the judge's steps the ball is on one side all the time.
fn check_that_nothing_is_tunnelled_through(cases: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for case in 0..cases {
        let mut table = table(0.3);
        let mut ball = some_ball(&mut random);
        ball.position = Point2::origin();
        ball.velocity = Vector2::new(200.0, 2.0 * (unit(&mut random) - 0.5));
        for paddle in &mut table.paddles {
            paddle.half = [0.001, 0.7];
        }
        let flight = advance(&mut table, &mut ball, 0.1);
        assert!(flight.hits.len() >= 2, "case {case}: {flight:?}");
        assert!(ball.position.x.abs() < 0.9, "case {case}: {ball:?}");
    }
}

#[test]
fn nothing_is_tunnelled_through() {
    check_that_nothing_is_tunnelled_through(80);
}

#[test]
#[ignore = "four times the balls"]
fn nothing_is_tunnelled_through_long() {
    check_that_nothing_is_tunnelled_through(300);
}

/// Up and down are alike: the mirror image of a flight is the flight of the mirror image.
#[test]
fn a_mirror_changes_nothing() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for case in 0..200 {
        let mut tables = [table(0.4), table(0.4)];
        let mut balls = [some_ball(&mut random); 2];
        for k in 0..2 {
            let sign = [1.0, -1.0][k];
            balls[k].position.y *= sign;
            balls[k].angle *= sign;
            balls[k].velocity.y *= sign;
            balls[k].spin *= sign;
            for (side, paddle) in tables[k].paddles.iter_mut().enumerate() {
                paddle.angle = sign * [0.2, -0.1][side];
                paddle.velocity = sign * 0.3;
            }
        }
        let [a, b] = [0, 1].map(|k| advance(&mut tables[k], &mut balls[k], 0.7));
        // Errors of rounding grow with every impact: later ones need not be alike.
        let first = |flight: &Flight| {
            flight
                .hits
                .iter()
                .take(4)
                .map(|hit| hit.time)
                .collect::<Vec<_>>()
        };
        for (a, b) in first(&a).into_iter().zip(first(&b)) {
            assert!((a - b).abs() < 1e-7, "case {case}: {a} {b}");
        }
        assert_eq!(a.hits.len().min(4), b.hits.len().min(4), "case {case}");
        if a.hits.len() <= 4 {
            assert!(
                (balls[0].position.x - balls[1].position.x).abs() < 1e-7,
                "case {case}"
            );
            assert!(
                (balls[0].position.y + balls[1].position.y).abs() < 1e-7,
                "case {case}"
            );
            assert!((balls[0].spin + balls[1].spin).abs() < 1e-4, "case {case}");
        }
    }
}

fn computers(levels: [u8; 2], seed: u64) -> Settings {
    Settings {
        players: levels.map(|level| Player::Computer { level }),
        seed,
        ..Settings::default()
    }
}

/// Rallies of computers end, the ball is never in anything, and the stronger player wins more.
fn check_rallies(matches: u64) {
    let mut points = [0, 0];
    for seed in 0..matches {
        let mut game = Match::new(&computers([0, 8], seed)).unwrap();
        let (mut since, mut strokes) = (0, 0);
        while game.winner().is_none() {
            let events = game.step(&[Input::default(); 2]);
            since += 1;
            strokes = strokes.max(game.strokes());
            // 200 strokes with at least 0.5 m/s over less than 2 m.
            assert!(
                since < (200.0 * 4.0 / STEP) as u32,
                "seed {seed}: the rally does not end"
            );
            if events
                .iter()
                .any(|e| matches!(e, Event::Point(_) | Event::Let))
            {
                since = 0;
            }
            if since % 16 == 0 {
                let depth = depth(game.table(), game.ball(), 90);
                assert!(depth < 1e-9, "seed {seed}: {depth:e}");
            }
        }
        assert!(game.lost() < 0.1, "{} s", game.lost());
        points = [0, 1].map(|side| points[side] + game.score()[side]);
    }
    assert!(points[1] > 2 * points[0], "{points:?}");
}

#[test]
fn rallies_end_and_the_stronger_player_wins() {
    check_rallies(2);
}

#[test]
#[ignore = "three times the matches"]
fn rallies_end_and_the_stronger_player_wins_long() {
    check_rallies(6);
}

/// Paddles that never miss the ball: there is a let.
#[test]
fn a_rally_of_players_who_never_miss_ends() {
    let settings = Settings {
        players: [Player::Person; 2],
        changes: false,
        ..Settings::default()
    };
    let mut game = Match::new(&settings).unwrap();
    let mut steps = 0;
    let mut let_or_point = false;
    while !let_or_point {
        let follow = Input {
            target: game.ball().position.y,
            angle: 0.0,
        };
        let events = game.step(&[follow; 2]);
        let_or_point = events
            .iter()
            .any(|e| matches!(e, Event::Let | Event::Point(_)));
        steps += 1;
        assert!(steps < 100_000);
    }
}

/// Paddles that press the ball against a wall, turn and come again: it stays out of everything, and no faster than the
/// rules allow.
#[test]
fn a_ball_that_is_pressed_against_a_wall_comes_out() {
    let settings = Settings {
        players: [Player::Person; 2],
        seed: 3,
        points: 1000,
        ..Settings::default()
    };
    let mut game = Match::new(&settings).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut strokes = 0;
    for step in 0..30_000 {
        // Towards the ball and past it, at every angle.
        let wild = Input {
            target: game.ball().position.y.signum() * 0.6,
            angle: 3.0 * (unit(&mut random) - 0.5),
        };
        let follow = Input {
            target: game.ball().position.y,
            angle: 1.5,
        };
        let events = game.step(&if step % 40 < 20 {
            [wild; 2]
        } else {
            [follow; 2]
        });
        strokes += events
            .iter()
            .filter(|e| matches!(e, Event::Stroke(_)))
            .count();
        let ball = game.ball();
        assert!(
            ball.velocity.norm() < 6.0 + 0.5 + 1e-9 && ball.spin.abs() <= 60.0 + 1e-9,
            "{ball:?}"
        );
        if step % 8 == 0 {
            let depth = depth(game.table(), ball, 60);
            assert!(depth < 1e-9, "step {step}: {depth:e} {ball:?}");
        }
    }
    assert!(strokes > 100, "{strokes} strokes");
    assert!(game.lost() < 5.0, "{} s lost", game.lost());
}

/// A person's wishes, drawn anew now and then.
fn wishes(random: &mut ChaCha8Rng, last: &mut [Input; 2]) -> [Input; 2] {
    if random.next_u32().is_multiple_of(20) {
        let side = (random.next_u32() & 1) as usize;
        last[side] = Input {
            target: 1.2 * (unit(random) - 0.5),
            angle: unit(random) - 0.5,
        };
    }
    *last
}

#[test]
fn a_replay_is_its_match_and_a_changed_one_is_told() {
    let settings = Settings {
        players: [Player::Person, Player::Computer { level: 6 }],
        seed: 11,
        points: 3,
        ..Settings::default()
    };
    let mut game = Match::new(&settings).unwrap();
    let mut replay = Replay::new(&settings);
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let mut last = [Input::default(); 2];
    let mut seen = Vec::new();
    while game.winner().is_none() {
        let mut inputs = wishes(&mut random, &mut last);
        if seen.len() == 100 {
            inputs[0].target = f64::NAN; // read as the middle, and kept so
        }
        game.step(&inputs);
        replay.push(&inputs, &game);
        seen.push(*game.ball());
    }
    let text = replay.to_json();
    let read = Replay::from_json(&text).unwrap();
    assert_eq!(read, replay);
    let mut k = 0;
    let end = read
        .play(|game| {
            assert_eq!(*game.ball(), seen[k], "step {k}");
            k += 1;
        })
        .unwrap();
    assert_eq!((end.score(), k), (game.score(), seen.len()));

    let other = text.replace("\"seed\":11", "\"seed\":12");
    assert!(matches!(
        Replay::from_json(&other).unwrap().play(|_| ()),
        Err(ReplayError::Ends)
    ));
    for (bad, word) in [
        (
            text.replace("\"version\":1", "\"version\":2"),
            "version = 2",
        ),
        (text.replace("\"points\":3", "\"points\":0"), "points = 0"),
        (text.replace("\"level\":6", "\"level\":60"), "level = 60"),
        (
            text.replace("\"friction\":0.3", "\"friction\":-1"),
            "friction = -1",
        ),
        (
            text.replacen("\"step\":", "\"step\":99999999", 1),
            "changes[0]",
        ),
        (
            text.replace("\"steps\":", "\"steps\":9999999"),
            "steps: must be",
        ),
        (text[..text.len() / 2].to_owned(), "line 1"),
        (text.replace("\"score\"", "\"scores\""), "scores"),
        (String::new(), "line 1"),
    ] {
        let error = Replay::from_json(&bad).unwrap_err().to_string();
        assert!(error.contains(word), "{error} lacks {word}");
    }
}

#[test]
fn settings_out_of_their_domain_are_refused_and_wild_inputs_are_not_followed() {
    for (settings, word) in [
        (
            Settings {
                points: 0,
                ..Settings::default()
            },
            "points = 0",
        ),
        (
            Settings {
                friction: f64::NAN,
                ..Settings::default()
            },
            "friction = NaN",
        ),
        (computers([10, 0], 0), "level = 10"),
    ] {
        let error = Match::new(&settings).unwrap_err().to_string();
        assert!(error.starts_with(word), "{error}");
    }
    let settings = Settings {
        players: [Player::Person; 2],
        ..Settings::default()
    };
    let mut game = Match::new(&settings).unwrap();
    for wild in [f64::NAN, f64::INFINITY, 1e300, -1e300, -0.0] {
        for _ in 0..200 {
            game.step(
                &[Input {
                    target: wild,
                    angle: wild,
                }; 2],
            );
            for paddle in game.table().paddles {
                assert!(paddle.position.y.abs() <= 0.6 && paddle.angle.is_finite());
            }
            assert!(game.ball().position.iter().all(|x| x.is_finite()));
        }
    }
}
