//! One comparison, one command: contact queries of the library and of other engines, in one process, on the same
//! questions, judged by an oracle.

mod culls;
mod full_check;
mod impacts;
mod instructions;
mod kinds;
mod levels;
mod machine;
mod measure;
mod mesh;
mod peer;
mod planner;
mod plans;
mod plot;
mod profile;
mod reference;
mod report;
mod statistics;
mod support;
mod threads;
mod workload;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use peer::Engines;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Compares superovoid's contact queries with other engines and with the schemes of the 2017 paper.
///
/// Peers in this process: parry3d; FCL, if pkg-config finds it (Debian: libfcl-dev); coal, if pkg-config finds it or
/// SOVO_COAL_PREFIX says where it is (wheels libcoal and cmeel-eigen in a virtual environment:
/// lib/python3.x/site-packages/cmeel.prefix). The drivers of the last two are compiled when first needed. What is not
/// found is named in the report.
///
/// Writes comparison.md, comparison.csv, comparison_mean.svg and comparison_tail.svg.
#[derive(Parser)]
#[command(
    name = "superovoid-compare",
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  cargo run --release -p superovoid-compare -- --output docs/reports
  cargo run --release -p superovoid-compare -- --output report --pairs 20000 --peers 'parry, injected;coal, injected'
  cargo run --release -p superovoid-compare -- --output report --only battery,warm --rounds 15
  cargo run --release -p superovoid-compare -- --output tail --only domain --pairs 1000000 --peers none --unjudged
  cargo run --release -p superovoid-compare -- planner --configurations 1000
  cargo run --release -p superovoid-compare -- plans FOLDER --problems 70 --output plans.md
  cargo run --release -p superovoid-compare -- instructions
  cargo run --profile profiling -p superovoid-compare -- profile --output docs/reports/profile.md
  cargo run --release -p superovoid-compare -- impacts --output docs/reports/comparison_impacts.md
  cargo run --release -p superovoid-compare -- kinds --output docs/reports/comparison_kinds.md"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    comparison: Comparison,
}

#[derive(Subcommand)]
enum Command {
    /// Instructions a query of the library's paths, counted by valgrind's callgrind; prints a table.
    Instructions(Instructions),
    /// Where the instructions of a query go: writes a page, docs/reports/profile.md.
    Profile(Profile),
    /// Times of impact beside parry, FCL and Bullet: writes a page, docs/reports/comparison_impacts.md.
    Impacts(Impacts),
    /// Every two kinds of shape beside FCL, coal and parry: writes a page, docs/reports/comparison_kinds.md.
    Kinds(Kinds),
    /// What a planner asks, beside coal and FCL with their broad phases: prints the section of the report.
    Planner(PlannerArguments),
    /// Problems of motion planning, such as MotionBenchMaker's, with robots from SUPEROVOID_URDF_DIR: prints a report.
    Plans(Plans),
    /// Mean times of pair, warm pair, batch of pairs, point and slice of points, nanoseconds, on one line: for
    /// studies/compare/levels.sh.
    Means(Means),
}

#[derive(Args)]
struct Profile {
    /// File for the page.
    #[arg(long)]
    output: PathBuf,
    /// Queries of each path.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    queries: u32,
}

#[derive(Args)]
struct Impacts {
    /// File for the page.
    #[arg(long)]
    output: PathBuf,
    /// Random motions of two bodies.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    motions: u32,
    /// Seed of the motions.
    #[arg(long, default_value_t = 2017)]
    seed: u64,
}

#[derive(Args)]
struct Kinds {
    /// File for the page.
    #[arg(long)]
    output: PathBuf,
    /// Only pairs with a kind whose name begins so: `ball`, `mesh 1e5`, …
    #[arg(long)]
    only: Option<String>,
    /// Seconds after which a pass of one engine over the poses of one question ends.
    #[arg(long, default_value_t = 0.1)]
    pass: f64,
    /// Seed of the poses.
    #[arg(long, default_value_t = 2017)]
    seed: u64,
}

#[derive(Args)]
struct PlannerArguments {
    /// Configurations of each workload.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    configurations: u32,
    /// Rounds in which every configuration is answered.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Seed of the configurations.
    #[arg(long, default_value_t = 2017)]
    seed: u64,
}

#[derive(Args)]
struct Plans {
    /// Folder of the problems: panda.txt or panda.txt.gz, and so on for ur5 and fetch.
    folder: PathBuf,
    /// File for the report [default: standard output].
    #[arg(long)]
    output: Option<PathBuf>,
    /// Problems of each robot, taken evenly from all.
    #[arg(long, default_value_t = 70, value_parser = clap::value_parser!(u32).range(1..))]
    problems: u32,
    /// Rounds in which the states of a problem are asked.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Only robots whose names begin so: `Panda`, `UR5`, …
    #[arg(long)]
    robot: Option<String>,
    /// Seed of random states and plans.
    #[arg(long, default_value_t = 2017)]
    seed: u64,
    /// Paths of any planner to be judged, and nothing else: `P scenario index`, then a line of positions for each point.
    #[arg(long)]
    paths: Option<PathBuf>,
    /// Seconds after which the plan of a problem ends.
    #[arg(long, default_value_t = 2.0)]
    max_time: f64,
}

#[derive(Args)]
struct Means {
    /// Cases of each workload.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(14..))]
    pairs: u32,
    /// Rounds in which every case is answered.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

#[derive(Args)]
struct Comparison {
    /// Folder for the report.
    #[arg(long)]
    output: Option<PathBuf>,
    /// Cases of each workload. FCL's meshes take 0.6 MB a pair: for many thousands leave them out (--peers).
    #[arg(long, default_value_t = 1_500, value_parser = clap::value_parser!(u32).range(14..))]
    pairs: u32,
    /// Rounds in which every peer answers every case.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Configurations of the full check of both hands; 0 leaves it out.
    #[arg(long, default_value_t = 6)]
    configurations: u32,
    /// Seed of the random cases.
    #[arg(long, default_value_t = 2017)]
    seed: u64,
    /// Only these workloads, separated by commas.
    #[arg(long, value_delimiter = ',', value_parser = clap::builder::PossibleValuesParser::new(workload::ALL))]
    only: Vec<String>,
    /// Only the library and the peers whose names begin so, separated by semicolons: `parry`, `coal, injected`, …
    #[arg(long, value_delimiter = ';')]
    peers: Vec<String>,
    /// Without the oracle, which takes milliseconds a case: times only.
    #[arg(long)]
    unjudged: bool,
    /// Name of the machine, for the heading.
    #[arg(long)]
    machine: Option<String>,
}

#[derive(Args)]
struct Instructions {
    /// Queries of each path.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    queries: u32,
    /// What this program runs itself with.
    #[arg(long, hide = true)]
    path: Option<usize>,
    /// The same.
    #[arg(long, hide = true)]
    ask: bool,
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    match cli.command {
        Some(Command::Instructions(args)) => {
            let queries = args.queries as usize;
            match args.path {
                Some(path) => instructions::run(path, queries, args.ask)?,
                None => print!("{}", instructions::table(queries)?),
            }
            Ok(())
        }
        Some(Command::Profile(args)) => {
            let page = profile::page(args.queries as usize)?;
            fs::write(&args.output, page).with_context(|| args.output.display().to_string())
        }
        Some(Command::Impacts(args)) => {
            let page = impacts::page(args.motions as usize, args.seed)?;
            fs::write(&args.output, page).with_context(|| args.output.display().to_string())
        }
        Some(Command::Kinds(args)) => {
            let wanted = kinds::Wanted {
                output: args.output.display().to_string(),
                only: args.only,
                pass: args.pass,
                seed: args.seed,
            };
            let page = threads::pool(1)?.install(|| kinds::page(&wanted))?;
            fs::write(&args.output, page).with_context(|| args.output.display().to_string())
        }
        Some(Command::Planner(args)) => {
            let (count, rounds) = (args.configurations as usize, args.rounds as usize);
            let bar = ProgressBar::new(planner::STEPS);
            let found = planner::run(count, rounds, args.seed, &bar)?;
            bar.finish_and_clear();
            print!("{}", planner::markdown(&found));
            Ok(())
        }
        Some(Command::Plans(args)) => {
            let wanted = plans::Wanted {
                folder: args.folder,
                problems: args.problems as usize,
                rounds: args.rounds as usize,
                robot: args.robot,
                seed: args.seed,
                max_time: Duration::try_from_secs_f64(args.max_time)?,
                paths: args.paths,
            };
            let page = threads::pool(1)?.install(|| plans::page(&wanted))?;
            match &args.output {
                Some(output) => {
                    fs::write(output, page).with_context(|| output.display().to_string())?
                }
                None => print!("{page}"),
            }
            Ok(())
        }
        Some(Command::Means(args)) => {
            let (pairs, rounds) = (args.pairs as usize, args.rounds as usize);
            println!(
                "{}",
                threads::pool(1)?.install(|| levels::means(pairs, rounds))?
            );
            Ok(())
        }
        // One thread, as the report says, also where the library hands out work to those of the pool.
        None => threads::pool(1)?.install(|| compare(&cli.comparison)),
    }
}

/// The configurations of each workload of the planner's questions.
const PLANNER_CONFIGURATIONS: usize = 1000;

fn compare(args: &Comparison) -> Result<()> {
    let Some(output) = &args.output else {
        bail!("where to? (--output FOLDER; --help has examples)");
    };
    fs::create_dir_all(output).with_context(|| output.display().to_string())?;
    let load = machine::load();
    let engines = Engines::load();
    let missing = engines.missing();
    for line in &missing {
        eprintln!("not found: {line}");
    }
    let clock = machine::clock_overhead();
    let (count, rounds) = (args.pairs as usize, args.rounds as usize);
    let plan = measure::Plan {
        rounds,
        clock,
        judged: !args.unjudged,
        peers: args.peers.clone(),
    };
    let configurations = args.configurations as usize;
    let names: Vec<&str> = workload::ALL
        .into_iter()
        .filter(|name| args.only.is_empty() || args.only.iter().any(|only| only == name))
        .collect();
    let workloads = names.iter().map(|name| {
        workload::make(name, count, args.seed)?.with_context(|| format!("no workload {name}"))
    });
    let workloads = workloads.collect::<Result<Vec<_>>>()?;
    let everything = args.only.is_empty();
    let with_check = everything && configurations > 0;
    let steps: u64 = workloads
        .iter()
        .map(|workload| measure::steps(workload.cases.len(), rounds))
        .sum();
    let progress = ProgressBar::new(steps).with_style(
        ProgressStyle::with_template("{msg:<40} {wide_bar} {percent} %, {eta} left")
            .context("progress bar")?,
    );
    let mut measured = Vec::new();
    for workload in workloads {
        progress.set_message(workload.title);
        measured.push(measure::measure(workload, &engines, &plan, &progress));
    }
    let check = if with_check {
        progress.set_message("Full check of both hands");
        progress.set_length(steps + full_check::steps(configurations, rounds));
        Some(full_check::run(
            configurations,
            rounds,
            &engines,
            &progress,
        )?)
    } else {
        None
    };
    let (mut culls, mut threads, mut asked) = (None, None, None);
    if everything {
        if with_check {
            progress.set_message("What a planner asks");
            progress.set_length(progress.length().unwrap_or(0) + planner::STEPS);
            let count = PLANNER_CONFIGURATIONS.min(100 * configurations);
            asked = Some(planner::run(count, rounds, args.seed, &progress)?);
        }
        progress.set_message("Culls, threads");
        culls = Some(culls::times(rounds));
        threads = Some(threads::run(rounds)?);
    }
    progress.finish_and_clear();
    let run = report::Run {
        command: command(args),
        machine: args.machine.clone(),
        load: [load, machine::load()],
        rounds,
        clock,
        missing,
    };
    let mut text = report::markdown(&run, &measured, check.as_ref());
    text += &asked.map_or(String::new(), |asked| planner::markdown(&asked));
    text += &culls.map_or(String::new(), |times| report::culls(&times));
    text += &threads.map_or(String::new(), |found| report::threads(&found));
    let path = output.join("comparison.md");
    fs::write(&path, text).with_context(|| path.display().to_string())?;
    report::csv(&output.join("comparison.csv"), &measured, check.as_ref())?;
    plot::means(&output.join("comparison_mean.svg"), &measured)?;
    plot::tail(&output.join("comparison_tail.svg"), &measured)?;
    eprint!("{}", report::warnings(&measured, check.as_ref()));
    println!("{}", path.display());
    Ok(())
}

/// The command that repeats this run.
fn command(args: &Comparison) -> String {
    let mut text = "cargo run --release -p superovoid-compare -- --output docs/reports".to_owned();
    text += &format!(
        " --pairs {} --rounds {} --configurations {} --seed {}",
        args.pairs, args.rounds, args.configurations, args.seed
    );
    if args.unjudged {
        text += " --unjudged";
    }
    if !args.peers.is_empty() {
        text += &format!(" --peers '{}'", args.peers.join(";"));
    }
    if !args.only.is_empty() {
        text += &format!(" --only {}", args.only.join(","));
    }
    text
}
