//! The tables of the report.

use super::edges::Edges;
use super::solve::Plans;
use super::states::{OURS, Peers, STEPS, Tally};
use crate::report::number;
use crate::statistics::quantile;
use std::fmt::Write;

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Median, mean and 95 % quantile.
fn spread(values: &[f64]) -> String {
    let sorted = sorted(values);
    let [median, high] = [0.5, 0.95].map(|p| number(quantile(&sorted, p)));
    format!("{median} | {} | {high}", number(mean(values)))
}

fn bold(count: usize) -> String {
    if count == 0 {
        "0".to_owned()
    } else {
        format!("**{count}**")
    }
}

pub fn states(tallies: &[Tally], peers: &Peers) -> String {
    let mut text = String::from(
        "\n### States\n\nAt most 1/32 rad apart on lines and paths. *Missed*: colliding by coal and free by us; *false \
         alarms*: the reverse; *near*: missed and false alarms within 1e-6 m by both; *enclosed*: false alarms where a body \
         lies wholly in a closed mesh, which coal takes for a surface (by winding numbers, Van Oosterom and Strackee 1983); \
         *differing*: our answers in one batch, in blocks and one by one.\n\n\
         | states | count | colliding | missed | false alarms | near | enclosed | differing | coal failed |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for tally in tallies {
        let [missed, alarms] = tally.wrong;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {alarms} | {} / {} | {} | {} | {} |",
            tally.title,
            tally.states,
            tally.colliding,
            bold(missed),
            tally.touching[0],
            tally.touching[1],
            tally.enclosed,
            bold(tally.differing),
            tally.failed,
        );
    }
    for told in tallies.iter().flat_map(|tally| &tally.told) {
        let _ = writeln!(text, "\n- {told}");
    }
    text += "\n| checker |";
    for tally in tallies {
        let _ = write!(text, " {}, µs a state | times ours |", tally.title);
    }
    let _ = writeln!(text, "\n| --- |{}", " ---: | ---: |".repeat(tallies.len()));
    let ours = OURS.iter().map(ToString::to_string);
    for (k, name) in ours.chain(peers.names.iter().cloned()).enumerate() {
        let _ = write!(text, "| {name} |");
        for tally in tallies {
            let (time, blocks) = (tally.mean(k), tally.mean(1));
            let _ = write!(text, " {} | {} |", number(time), number(time / blocks));
        }
        text.push('\n');
    }
    text += "\nThe last step that was asked before the verdict of a state was known, in blocks of 8:\n\n| states |";
    for step in STEPS {
        let _ = write!(text, " {step} |");
    }
    let _ = writeln!(text, "\n| --- |{}", " ---: |".repeat(STEPS.len()));
    for tally in tallies {
        let all = tally.steps.iter().sum::<u64>().max(1) as f64;
        let _ = write!(text, "| {} |", tally.title);
        for count in tally.steps {
            let _ = write!(text, " {:.2} % |", 100.0 * count as f64 / all);
        }
        text.push('\n');
    }
    text
}

pub fn edges(all: &[Edges]) -> String {
    let mut text = String::from(
        "\n### Proven edges\n\n`edge_free` without the first contact, beside coal at states 1e-3 rad apart until one touches \
         (without kinematics). *Contradicted*: proven free by us and touching by coal; *only free in states*: not proven \
         free by us, and free in all of coal's states. Times are of the fastest round; *first*: of the first, before \
         which coal has judged another edge; coal asks once.\n\n\
         | edges | count | free | hit | undecided | touching by coal | contradicted | only free in states | µs median | mean | 95 % | first, µs median | mean | 95 % | coal µs median | mean | 95 % |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for edges in all {
        let [free, hit, undecided] = edges.answers;
        let _ = writeln!(
            text,
            "| {} | {} | {free} | {hit} | {undecided} | {} | {} | {} | {} | {} | {} |",
            edges.title,
            edges.count(),
            edges.touching,
            bold(edges.contradicted),
            edges.only_free_in_states,
            spread(&edges.times),
            spread(&edges.first),
            spread(&edges.coal),
        );
    }
    for edges in all.iter().filter(|edges| !edges.pairs.is_empty()) {
        let pairs = edges
            .pairs
            .iter()
            .map(|(pair, count)| format!("{pair} ({count})"));
        let pairs: Vec<String> = pairs.collect();
        let _ = writeln!(
            text,
            "\n{}, what touches: {}.",
            edges.title,
            pairs.join(", ")
        );
    }
    for told in all.iter().flat_map(|edges| &edges.told) {
        let _ = writeln!(text, "\n- contradicted: {told}");
    }
    text
}

pub fn plans(all: &[Plans]) -> String {
    let mut text = String::from(
        "\n### Plans\n\nTimes of the problems that are solved, shortcuts included; the edges of their paths judged by coal at \
         states 1e-3 rad apart.\n\n\
         | plan | problems | solved | start collides | goal collides | not found | ms median | mean | 95 % | proof, ms mean | path edges | touching by coal | length, rad mean |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for plans in all {
        let solved = plans.times.len();
        let [edges, touching] = plans.edges;
        let _ = writeln!(
            text,
            "| {} | {} | {solved} | {} | {} | {} | {} | {} | {edges} | {} | {} |",
            plans.title,
            plans.asked(),
            plans.start_collides,
            plans.goal_collides,
            plans.not_found,
            spread(&plans.times),
            number(mean(&plans.proofs)),
            bold(touching),
            number(plans.length / solved as f64),
        );
    }
    for plans in all {
        let scenarios = plans.scenarios.iter().map(|(scenario, (times, count))| {
            let median = number(quantile(&sorted(times), 0.5));
            format!("{scenario} {} of {count} ({median})", times.len())
        });
        let scenarios: Vec<String> = scenarios.collect();
        let _ = writeln!(
            text,
            "\nSolved {} (ms median): {}.",
            plans.title,
            scenarios.join(", ")
        );
    }
    text
}
