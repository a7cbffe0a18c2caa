//! `drowse network`: counts, distances, cuts, and a picture.

use std::path::{Path, PathBuf, absolute};

use clap::{Args, Subcommand, ValueEnum};
use drowse_describe::draw::{Drawing, Parts};
use drowse_describe::{deadlock, network as described, sound};
use drowse_experiment::{Diagnostic, Kinds, LoadError, Location, System};
use drowse_report::{Results, charts};
use drowse_run::files::target::Target;
use drowse_tables::schema::network as columns;
use drowse_tables::{Row, Value, json};

use super::network_convert as convert;
use super::picture_file::{self, Format as Picture};
use super::to_file::Force;
use crate::failure::Failure;
use crate::output::{self, deadlock as verdict, network, sound as verdict_of_tables};

/// Describe the network of an experiment file, or of a file that describes one
///
/// Prints counts of switches, links and ports, distances, bisection, costs, the time of a hop and the memory of a run,
/// or draws the network. Nothing is simulated, and the file needs no job. The exit code is 1 where --check finds that
/// the routing may deadlock.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// Experiment file (.toml), or a file that describes a network: a dump of a fabric, a graph and the like
    #[arg(required = true)]
    file: Option<PathBuf>,

    /// Replace a key of the file, such as network.trunk=2 (can be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,

    /// A table, JSON, or a picture [default: as the name of --output ends, else a table]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,

    /// The file to write, instead of standard output; a failed command leaves none
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    /// What a picture shows [default: switches where they can be told apart, else blocks]
    #[arg(long, value_enum, value_name = "PARTS")]
    parts: Option<Shown>,

    /// Colour the links of the picture by what they did in a run: the folder that `drowse run --out` has written
    #[arg(long, value_name = "DIR")]
    colour: Option<PathBuf>,

    /// The figure that colours them: utilisation, flits, asleep, energy_j, wakes, delayed_messages or time_lost_us
    /// [default: the first that is there]
    #[arg(long, value_name = "FIGURE", requires = "colour")]
    by: Option<String>,

    /// Prove that the routing cannot deadlock, or print the channels of a cycle; where forwarding tables are named, follow the
    /// routes that stand there, too
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    dump: Dump,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a network in another format
    ///
    /// A list of edges, GraphML and node-link JSON have the switches, links, classes, bandwidths and nodes; ports and tables are
    /// left out. `kind` is the section [network] that builds a regular network without the file.
    Convert(convert::Arguments),
}

/// The tables of a fabric that stands somewhere.
#[derive(Debug, Args)]
pub struct Dump {
    /// Forwarding tables of an InfiniBand subnet, whose topology FILE is: the output of dump_fts, or opensm-lfts.dump
    #[arg(long, value_name = "LFT")]
    tables: Option<PathBuf>,

    /// The service level of each pair: lines `slid dlid sl`
    #[arg(long, value_name = "SL", requires_all = ["tables", "lane_maps"])]
    service_levels: Option<PathBuf>,

    /// Which virtual lane each switch has for a service level: opensm-sl2vl.dump
    #[arg(long, value_name = "SL2VL", requires_all = ["tables", "service_levels"])]
    lane_maps: Option<PathBuf>,
}

impl Dump {
    /// Returns the keys of an experiment that say the same.
    pub fn keys(&self) -> Result<Vec<String>, Failure> {
        let named =
            [("tables", &self.tables), ("service_levels", &self.service_levels), ("lane_maps", &self.lane_maps)];
        let named = named.into_iter().filter_map(|(key, file)| Some((key, file.as_ref()?)));
        let key = |(key, file): (&str, &PathBuf)| {
            // The keys of an experiment are relative to its folder, the options of a command are not.
            let file =
                absolute(file).map_err(|error| Failure::Refused(format!("error: {}: {error}", file.display())))?;
            Ok(format!("network.{key}={}", serde_json::Value::from(file.to_string_lossy())))
        };
        named.map(key).collect()
    }

    /// Tells an error at the option that it is about, and names files as the options do.
    fn as_given(&self, error: Diagnostic) -> Diagnostic {
        let options = [
            ("--tables", "network.tables", &self.tables),
            ("--service-levels", "network.service_levels", &self.service_levels),
            ("--lane-maps", "network.lane_maps", &self.lane_maps),
        ];
        let given = options.into_iter().filter_map(|(option, key, file)| Some((option, key, file.as_ref()?)));
        given.fold(error, |mut error, (option, key, file)| {
            let named = file.display().to_string();
            let full = absolute(file).map_or_else(|_| named.clone(), |full| full.display().to_string());
            if matches!(&error.location, Location::Override { path } if path.as_str() == key) {
                error.location = Location::File { file: format!("{option} {named}") };
                error.snippet = None;
                if error.message.starts_with("unknown key") {
                    error.message = String::from("forwarding tables go with a network from a file");
                    error.help = String::from("name the topology of their subnet, such as the output of ibnetdiscover");
                }
            } else if let Location::Position { file, .. } | Location::File { file } = &mut error.location
                && *file == full
            {
                file.clone_from(&named);
            }
            // The place says which file it is.
            error.message = error.message.replace(&format!("{full}: "), "").replace(&full, &named);
            error
        })
    }
}

/// Tells an error of a network at the options of its tables.
fn of_options(error: LoadError, dump: &Dump) -> LoadError {
    match error {
        LoadError::Wrong(error) => LoadError::Wrong(dump.as_given(error)),
        unreadable @ LoadError::Unreadable { .. } => unreadable,
    }
}

/// Follows the routes of the tables that the options name, or the experiment; `None` where there are none.
fn follow(file: &Path, overrides: &[String], kinds: &Kinds, dump: &Dump) -> Result<Option<Row>, Failure> {
    let files = kinds.load_subnet_files(file, overrides).map_err(|error| of_options(error, dump))?;
    let found = files.map(|files| sound::row(&files));
    found.transpose().map_err(|error| Failure::Refused(dump.as_given(error).to_string()))
}

/// How a network is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table to read
    #[default]
    Table,
    /// JSON, its keys those of the result tables
    Json,
    /// A picture for Graphviz
    Dot,
    /// A picture
    Svg,
    /// A picture for papers, its font in it
    Pdf,
    /// A picture of dots, 300 an inch
    Png,
}

/// The parts that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shown {
    /// Each switch
    Switches,
    /// Switches together, by groups, levels or neighbourhood, with counts of what is in them and between them
    Blocks,
}

/// Runs the command.
pub fn execute(arguments: &Arguments, kinds: &Kinds) -> Result<(), Failure> {
    match (&arguments.command, &arguments.file) {
        (Some(Command::Convert(convert)), _) => convert::execute(convert, kinds),
        (None, Some(file)) => show(arguments, file, kinds),
        // The parser asks for one of both.
        (None, None) => Ok(()),
    }
}

/// Describes a network, or draws it.
fn show(arguments: &Arguments, file: &Path, kinds: &Kinds) -> Result<(), Failure> {
    let overrides: Vec<String> =
        arguments.dump.keys()?.into_iter().chain(arguments.overrides.iter().cloned()).collect();
    let sound = if arguments.check { follow(file, &overrides, kinds, &arguments.dump)? } else { None };
    let system = kinds.load_network(file, &overrides).map_err(|error| of_options(error, &arguments.dump));
    let (system, sound) = match (system, sound) {
        (Ok(system), sound) => (system, sound),
        (Err(error), None) => return Err(error.into()),
        (Err(error), Some(sound)) => return unsound(arguments, &sound, error),
    };
    let format = format(arguments);
    let is_picture = matches!(format, Format::Svg | Format::Pdf | Format::Png);
    if arguments.colour.is_some() && !is_picture {
        return Err(Failure::Refused("error: --colour needs --format svg, pdf or png".into()));
    }
    if arguments.parts.is_some() && !is_picture && format != Format::Dot {
        return Err(Failure::Refused("error: --parts needs a picture: --format svg, pdf, png or dot".into()));
    }
    match format {
        Format::Table | Format::Json => describe(arguments, &system, sound),
        Format::Dot => draw(arguments, &system, None),
        Format::Svg => draw(arguments, &system, Some(Picture::Svg)),
        Format::Pdf => draw(arguments, &system, Some(Picture::Pdf)),
        Format::Png => draw(arguments, &system, Some(Picture::Png)),
    }
}

/// Returns the format, by its option or by the name of the file.
fn format(arguments: &Arguments) -> Format {
    let ending = arguments.output.as_ref().and_then(|path| path.extension()?.to_str());
    let of_name = ending.and_then(|ending| Format::from_str(ending, false).ok());
    arguments.format.or(of_name).unwrap_or_default()
}

/// Returns where to write; refuses a file that would be lost.
fn target(arguments: &Arguments) -> Result<Target, Failure> {
    let inputs: Vec<&Path> = arguments.file.as_deref().into_iter().collect();
    arguments.output.as_ref().map_or(Ok(Target::Stdout), |path| arguments.force.target(path, &inputs))
}

/// Writes a picture, or a file for Graphviz where there is no format of pictures.
fn draw(arguments: &Arguments, system: &System, format: Option<Picture>) -> Result<(), Failure> {
    if arguments.check {
        let message = "error: --check has no picture: leave it out, or choose --format table or json";
        return Err(Failure::Refused(message.into()));
    }
    let target = target(arguments)?;
    let parts = match arguments.parts {
        None => Parts::Fitting,
        Some(Shown::Switches) => Parts::Switches,
        Some(Shown::Blocks) => Parts::Blocks,
    };
    let drawing = Drawing::of(system, parts).map_err(|error| Failure::Refused(format!("error: {error}")))?;
    let Some(format) = format else { return output::save(&target, &drawing.dot()) };
    let colour = |folder: &PathBuf| {
        let results = Results::read(folder).map_err(Failure::Report)?;
        charts::colours(&results, drawing.diagram(), arguments.by.as_deref()).map_err(Failure::Report)
    };
    let colours = arguments.colour.as_ref().map(colour).transpose()?;
    picture_file::save(&target, &drawing.picture(colours.as_ref()), format)
}

/// Prints what was found of tables that cannot be simulated, and why not.
fn unsound(arguments: &Arguments, sound: &Row, error: LoadError) -> Result<(), Failure> {
    let text = match format(arguments) {
        Format::Json => format!("{:#}\n", json::from_row(sound)),
        _ => verdict_of_tables::text(sound),
    };
    output::print(&text)?;
    Err(error.into())
}

/// Prints counts and the like.
fn describe(arguments: &Arguments, system: &System, sound: Option<Row>) -> Result<(), Failure> {
    let mut row = described::describe(system);
    let mut text = network::table(&system.title, &row);
    let mut failure = None;
    if let Some(sound) = sound {
        failure = (sound.get(columns::SOUND) != Some(&Value::Bool(true))).then_some(Failure::Unsound);
        text = format!("{text}\n{}", verdict_of_tables::text(&sound));
        row.append(sound);
    } else if arguments.check {
        let checked = deadlock::check(system).map_err(|error| Failure::Refused(format!("error: {error}")))?;
        failure = (checked.get(columns::DEADLOCK_PROVEN) != Some(&Value::Bool(true))).then_some(Failure::Deadlock);
        text = format!("{text}\n{}{}", verdict::sentence(&checked), verdict::whose(system));
        row.append(checked);
    }
    match (format(arguments), &arguments.output) {
        (Format::Json, _) => output::save(&target(arguments)?, &format!("{:#}\n", json::from_row(&row)))?,
        (_, None) => output::print_table(&text)?,
        (_, Some(_)) => output::save(&target(arguments)?, &text)?,
    }
    failure.map_or(Ok(()), Err)
}
