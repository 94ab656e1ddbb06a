//! The share of the files that one of several machines verifies.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use evenstep_cli::failure::Failure;

/// A share of files. The shard of a file depends only on its name, so that the shards of several machines cover all files even if their
/// folders differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// The number of this shard, from 1 to `count`.
    number: u64,
    count: u64,
}

/// The argument of `--shard`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardChoice {
    Given(Shard),
    /// The environment has the shard, but may lack the number of shards.
    Environment(Option<u64>),
}

impl Shard {
    pub(crate) const ALL: Self = Self { number: 1, count: 1 };

    fn new(number: u64, count: u64) -> Option<Self> {
        (1..=count).contains(&number).then_some(Self { number, count })
    }

    /// Whether the file with this name belongs to the shard.
    pub(crate) fn has(self, name: &Path) -> bool {
        hash(name) % self.count == self.number - 1
    }
}

/// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo, 1991) of the parts of a path, mixed once more, because its lowest bits are not random enough.
fn hash(name: &Path) -> u64 {
    let bytes = name
        .iter()
        .flat_map(|part| part.as_encoded_bytes().iter().copied().chain([b'/']));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16
}

impl fmt::Display for Shard {
    /// Empty if there is only one shard.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return Ok(());
        }
        write!(f, "shard {}/{}: ", self.number, self.count)
    }
}

impl FromStr for ShardChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "is not K/N with K from 1 to N, auto, or auto/N";
        let number = |text: &str| text.parse::<u64>().ok().filter(|number| *number > 0);
        match text.split_once('/') {
            None if text == "auto" => Ok(Self::Environment(None)),
            Some(("auto", count)) => number(count).map(|count| Self::Environment(Some(count))).ok_or(WRONG),
            Some((one, count)) => {
                let shard = number(one)
                    .zip(number(count))
                    .and_then(|(one, count)| Shard::new(one, count));
                shard.map(Self::Given).ok_or(WRONG)
            }
            None => Err(WRONG),
        }
    }
}

impl ShardChoice {
    /// The shard, completed with the environment variables.
    pub(crate) fn shard(self, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, Failure> {
        let given = match self {
            Self::Given(shard) => return Ok(shard),
            Self::Environment(count) => count,
        };
        let number = |name: &str| -> Result<Option<u64>, Failure> {
            let Some(text) = variable(name) else { return Ok(None) };
            let number = text.trim().parse().map(Some);
            number.map_err(|_| wrong(&format!("{name}={text} is not a number")))
        };
        let (number, count) = if let Some(task) = number("SLURM_ARRAY_TASK_ID")? {
            let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
            let apart = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
            let place = task.checked_sub(first).map(|after| after / apart + 1);
            (place, number("SLURM_ARRAY_TASK_COUNT")?)
        } else if let Some(index) = number("JOB_COMPLETION_INDEX")? {
            (index.checked_add(1), None)
        } else if let Some(index) = number("CI_NODE_INDEX")? {
            (Some(index), number("CI_NODE_TOTAL")?)
        } else if let Some(index) = number("CIRCLE_NODE_INDEX")? {
            (index.checked_add(1), number("CIRCLE_NODE_TOTAL")?)
        } else {
            return Err(wrong(
                "the environment has none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, CI_NODE_INDEX, CIRCLE_NODE_INDEX",
            ));
        };
        let Some(count) = given.or(count) else {
            return Err(wrong(
                "the environment does not say how many shards there are; give auto/N",
            ));
        };
        let shard = number.and_then(|number| Shard::new(number, count));
        shard.ok_or_else(|| {
            wrong(&format!(
                "the environment has a shard that is not one of {count}; give K/N"
            ))
        })
    }
}

fn wrong(text: &str) -> Failure {
    Failure::Usage(format!("--shard: {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_split_covers_each_file_once() {
        for number in 0..200 {
            let name = format!("{}/{number}.rec", number % 3);
            for count in 1..40 {
                let shards = (1..=count).filter_map(|number| Shard::new(number, count));
                assert_eq!(shards.filter(|shard| shard.has(Path::new(&name))).count(), 1);
            }
        }
    }

    #[test]
    fn shards_are_about_equally_large() {
        let names: Vec<String> = (0..10_000)
            .map(|number| format!("night-{}/run-{number}.rec", number % 7))
            .collect();
        for count in [2, 3, 16] {
            for number in 1..=count {
                let shard = Shard::new(number, count).unwrap();
                let size = names.iter().filter(|name| shard.has(Path::new(name))).count() as f64;
                let fair = 10_000.0 / count as f64;
                // Five standard deviations of a fair draw.
                assert!((size - fair).abs() < 5.0 * fair.sqrt(), "{size} of {fair}");
            }
        }
    }

    #[test]
    fn a_shard_parses_its_own_text_and_nothing_else() {
        assert_eq!("3/16".parse(), Ok(ShardChoice::Given(Shard { number: 3, count: 16 })));
        assert_eq!("auto".parse(), Ok(ShardChoice::Environment(None)));
        assert_eq!("auto/4".parse(), Ok(ShardChoice::Environment(Some(4))));
        for wrong in ["", "0/4", "5/4", "3", "/", "a/b", "1/0", "auto/0", "-1/4", "auto/"] {
            assert!(wrong.parse::<ShardChoice>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_environments_of_job_arrays_and_ci_systems_are_understood() {
        let shard = |choice: &str, variables: &[(&str, &str)]| {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            let choice: ShardChoice = choice.parse().unwrap();
            choice.shard(variable).map(|shard| (shard.number, shard.count)).ok()
        };
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "14"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
            ("SLURM_ARRAY_TASK_COUNT", "5"),
        ];
        assert_eq!(shard("auto", &slurm), Some((3, 5)));
        assert_eq!(
            shard("auto", &[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "4")]),
            Some((2, 4))
        );
        assert_eq!(
            shard("auto", &[("CIRCLE_NODE_INDEX", "0"), ("CIRCLE_NODE_TOTAL", "4")]),
            Some((1, 4))
        );
        assert_eq!(shard("auto/8", &[("JOB_COMPLETION_INDEX", "7")]), Some((8, 8)));
        assert_eq!(shard("auto", &[("JOB_COMPLETION_INDEX", "7")]), None);
        assert_eq!(shard("auto/8", &[("JOB_COMPLETION_INDEX", "8")]), None);
        assert_eq!(shard("auto", &[("CI_NODE_INDEX", "two"), ("CI_NODE_TOTAL", "4")]), None);
        assert_eq!(shard("auto", &[]), None);
        assert_eq!(shard("2/3", &[]), Some((2, 3)));
    }
}
