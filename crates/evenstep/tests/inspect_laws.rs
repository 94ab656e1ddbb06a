//! Laws of states that are read field by field: hash, dump and comparison agree with the bits.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use evenstep::Inspect;
use evenstep::inspect::{Dump, DumpError, hash};
use proptest::prelude::*;

/// Values of every kind, nested.
#[derive(Clone, Debug, Inspect)]
enum Value {
    Nothing,
    Flag(bool),
    Single(f32),
    Double { bits: f64 },
    Number(i32),
    Wide(u128),
    Letter(char),
    Text(String),
    Maybe(Option<Box<Value>>),
    Many(Vec<Value>),
    Named(BTreeMap<String, Value>),
    Keyed(BTreeMap<(char, i8), Value>),
    Set(BTreeSet<String>),
    Pair(Pair<Value>),
    Array([u8; 3]),
}

#[derive(Clone, Debug, Inspect)]
struct Pair<T> {
    first: Box<T>,
    second: Box<T>,
    /// Random on both sides.
    #[inspect(skip)]
    #[allow(dead_code, reason = "nothing reads it")]
    note: u8,
}

impl Value {
    /// Every bit that counts, written by another way than the derived one: each value after its kind and its length.
    fn bits(&self, out: &mut Vec<u8>) {
        let text = |text: &str, out: &mut Vec<u8>| {
            out.extend((text.len() as u64).to_le_bytes());
            out.extend(text.as_bytes());
        };
        match self {
            Self::Nothing => out.push(0),
            Self::Flag(flag) => out.extend([1, u8::from(*flag)]),
            Self::Single(float) => {
                out.push(2);
                out.extend(float.to_bits().to_le_bytes());
            }
            Self::Double { bits } => {
                out.push(3);
                out.extend(bits.to_bits().to_le_bytes());
            }
            Self::Number(number) => {
                out.push(4);
                out.extend(number.to_le_bytes());
            }
            Self::Wide(number) => {
                out.push(5);
                out.extend(number.to_le_bytes());
            }
            Self::Letter(letter) => {
                out.push(6);
                out.extend(u32::from(*letter).to_le_bytes());
            }
            Self::Text(string) => {
                out.push(7);
                text(string, out);
            }
            Self::Maybe(value) => {
                out.extend([8, u8::from(value.is_some())]);
                value.iter().for_each(|value| value.bits(out));
            }
            Self::Many(values) => {
                out.extend([9, values.len() as u8]);
                values.iter().for_each(|value| value.bits(out));
            }
            Self::Named(values) => {
                out.extend([10, values.len() as u8]);
                for (name, value) in values {
                    text(name, out);
                    value.bits(out);
                }
            }
            Self::Keyed(values) => {
                out.extend([11, values.len() as u8]);
                for ((letter, number), value) in values {
                    out.extend(u32::from(*letter).to_le_bytes());
                    out.extend(number.to_le_bytes());
                    value.bits(out);
                }
            }
            Self::Set(names) => {
                out.extend([12, names.len() as u8]);
                names.iter().for_each(|name| text(name, out));
            }
            Self::Pair(pair) => {
                out.push(13);
                pair.first.bits(out);
                pair.second.bits(out);
            }
            Self::Array(bytes) => {
                out.push(14);
                out.extend(bytes);
            }
        }
    }
}

/// Strings with all that paths and lines are made of.
fn string() -> impl Strategy<Value = String> {
    "[a\"'\\\\\\[\\]. =\n\u{2028}]{0,4}"
}

/// Few different values, so that pairs of them are often equal.
fn value() -> impl Strategy<Value = Value> {
    let single = prop_oneof![
        Just(0_u32),
        Just(0x8000_0000),
        Just(0x7FC0_0000),
        Just(0x7FC0_0001),
        Just(1),
        any::<u32>()
    ];
    let double = prop_oneof![Just(f64::NAN.to_bits()), Just(f64::NAN.to_bits() ^ 1), any::<u64>()];
    let leaf = prop_oneof![
        Just(Value::Nothing),
        any::<bool>().prop_map(Value::Flag),
        single.prop_map(|bits| Value::Single(f32::from_bits(bits))),
        double.prop_map(|bits| Value::Double {
            bits: f64::from_bits(bits)
        }),
        (-1..2_i32).prop_map(Value::Number),
        prop_oneof![Just(1), Just(1 << 64), any::<u128>()].prop_map(Value::Wide),
        "[a'\"\\\\ ]".prop_map(|text| Value::Letter(text.chars().next().unwrap_or('b'))),
        string().prop_map(Value::Text),
        prop::collection::btree_set(string(), 0..3).prop_map(Value::Set),
        [0..2_u8, 0..2_u8, 0..2_u8].prop_map(Value::Array),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let key = ("[a'\"]".prop_map(|text| text.chars().next().unwrap_or('b')), -1..2_i8);
        prop_oneof![
            prop::option::of(inner.clone().prop_map(Box::new)).prop_map(Value::Maybe),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Many),
            prop::collection::btree_map(string(), inner.clone(), 0..3).prop_map(Value::Named),
            prop::collection::btree_map(key, inner.clone(), 0..3).prop_map(Value::Keyed),
            (inner.clone(), inner, any::<u8>()).prop_map(|(first, second, note)| Value::Pair(Pair {
                first: Box::new(first),
                second: Box::new(second),
                note,
            })),
        ]
    })
}

/// A value, and another that is often equal or nearly so.
fn pair() -> impl Strategy<Value = (Value, Value)> {
    prop_oneof![
        2 => (value(), value()),
        1 => value().prop_map(|value| (value.clone(), value)),
        2 => (value(), value(), value()).prop_map(|(same, one, other)| {
            (Value::Many(vec![same.clone(), one]), Value::Many(vec![same, other]))
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn states_differ_by_field_and_by_hash_exactly_where_a_bit_does((here, there) in pair()) {
        let bits = [&here, &there].map(|value| {
            let mut bits = Vec::new();
            value.bits(&mut bits);
            bits
        });
        let [here_dump, there_dump] = [&here, &there].map(|value| Dump::new(3, value));
        let desync = here_dump.compare(&there_dump);
        prop_assert_eq!(bits[0] == bits[1], desync.is_none());
        prop_assert_eq!(bits[0] == bits[1], hash(&here) == hash(&there));
        // From the other side the same paths differ.
        let paths = |desync: Option<evenstep::inspect::Desync>| {
            let differences = desync.into_iter().flat_map(|desync| desync.differences);
            differences.map(|difference| (difference.path, difference.here, difference.there)).collect::<BTreeSet<_>>()
        };
        let mirrored = paths(there_dump.compare(&here_dump)).into_iter().map(|(path, there, here)| (path, here, there));
        let differences = paths(desync);
        prop_assert!(differences.iter().all(|(_, here, there)| here != there));
        prop_assert_eq!(differences, mirrored.collect());
    }

    #[test]
    fn a_dump_that_is_written_and_read_is_the_same(value in value(), tick: u64) {
        let dump = Dump::new(tick, &value);
        prop_assert_eq!(dump.to_string().parse(), Ok(dump));
    }

    #[test]
    fn a_dump_that_was_cut_off_is_refused(value in value(), cut in 0.0..1.0_f64) {
        let text = Dump::new(1, &value).to_string();
        let mut end = (text.len() as f64 * cut) as usize;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let values = text.lines().count() - 1;
        match text[..end].parse::<Dump>() {
            // Only within the last line nobody can tell.
            Ok(dump) => prop_assert!(dump.values().len() == values),
            Err(error) => prop_assert!(error.line() <= values + 1 && !error.to_string().is_empty()),
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_and_a_dump_that_is_read_can_be_compared(
        first in prop::collection::vec("[a.\\[\\]\"'\\\\ =\u{1b}é]{0,12}", 0..4), second in prop::collection::vec("[ab.\\[\\]\"= ]{0,8}", 0..4),
    ) {
        let [first, second] = [first, second].map(|lines| {
            let lines: String = lines.iter().map(|line| format!("{line} = {line}\n")).collect();
            let count = lines.lines().count();
            format!("evenstep state dump 1, tick 5, {count} values\n{lines}").parse::<Dump>()
        });
        if let (Ok(first), Ok(second)) = (first, second) {
            prop_assert_eq!(first.compare(&first), None);
            prop_assert!(first.compare(&second).is_none_or(|desync| !desync.differences.is_empty()));
        }
    }
}

#[derive(Inspect)]
struct Unit;

#[derive(Inspect)]
#[allow(dead_code, reason = "nothing but the derived implementation reads it")]
struct Tuple(u8, #[inspect(skip)] fn(), i16);

#[derive(Inspect)]
enum Never {}

#[derive(Inspect)]
struct Mixed<'a, T: ?Sized, const N: usize> {
    name: &'a T,
    r#type: [Tuple; N],
    queue: VecDeque<Unit>,
    never: Option<Never>,
}

#[test]
fn every_kind_of_type_has_its_paths() {
    let mixed = Mixed {
        name: "a\nb",
        r#type: [Tuple(1, || (), -2)],
        queue: VecDeque::from([Unit]),
        never: None,
    };
    let dump = Dump::new(0, &(mixed, BTreeMap::from([((1_u8, 'x'), BTreeSet::from(["y"]))])));
    let lines = dump.values().map(|(path, value)| format!("{path} = {value}"));
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [
            r#"0.name = "a\nb""#,
            "0.type[0].0 = 1",
            "0.type[0].2 = -2",
            "0.queue.len() = 1",
            "0.queue[0] = ()",
            "0.never = None",
            "1.len() = 1",
            "1[1, 'x'].len() = 1",
            r#"1[1, 'x']["y"] = ()"#,
        ]
    );
}

#[test]
fn a_value_that_only_one_side_has_is_named_once() {
    let here = BTreeMap::from([("bow", ([1, 2], 3)), ("sword", ([4, 5], 6))]);
    let there = BTreeMap::from([("bow", ([1, 2], 3)), ("dagger", ([4, 5], 6)), ("shield", ([4, 5], 7))]);
    let desync = Dump::new(5, &here).compare(&Dump::new(5, &there)).unwrap();
    assert_eq!(
        desync.to_string(),
        "tick 5: len(): 2 here, 3 there\n\
         tick 5: [\"sword\"]: present here, missing there\n\
         tick 5: [\"dagger\"]: missing here, present there\n\
         tick 5: [\"shield\"]: missing here, present there"
    );
}

#[test]
fn a_report_has_no_more_than_32_paths_and_the_number_of_the_rest() {
    let desync = Dump::new(8, &[0_u8; 100]).compare(&Dump::new(8, &[1_u8; 100])).unwrap();
    assert_eq!(desync.differences.len(), 100);
    let report = desync.to_string();
    assert_eq!(report.lines().count(), 33);
    assert_eq!(report.lines().last(), Some("tick 8: 68 more differ"));
}

#[test]
fn dumps_of_different_ticks_say_so_first() {
    let desync = Dump::new(8, &1).compare(&Dump::new(9, &2)).unwrap();
    assert_eq!(
        desync.to_string(),
        "tick 8: tick: 8 here, 9 there\ntick 8: self: 1 here, 2 there"
    );
}

#[test]
fn the_hash_is_the_same_on_every_machine() {
    // By Python's integers, for the words 1, 2, 0x80000000, 4, 0x74786574, 1, 0x78.
    let state = (1_u8, 2_usize, -0.0_f32, "text", Some('x'));
    assert_eq!(hash(&state), 0x28B369EC1BDB8138);
}

#[test]
fn evenstep_s_own_states_are_read_to_the_last_bit() {
    use evenstep::input::{Controls, InputEvent};
    use evenstep::poses::{Motion3, Pose2, Rot2};
    use evenstep::{Angle, Rate, SimTime, Smoothed};

    let smoothed = |current| {
        let mut state = Smoothed::new(Pose2::IDENTITY);
        state.begin_step();
        state.current_mut().rotation = Rot2 { cos: 1.0, sin: current };
        state
    };
    let held = |key| {
        let mut controls = Controls::new();
        controls.apply(InputEvent::Press(key));
        controls
    };
    let state = |sin, key, angle| {
        let time = SimTime::at_tick(7, Rate::hz(60));
        (smoothed(sin), held(key), Angle::new(angle), time, Motion3::default())
    };
    let (here, there) = (state(0.0, 1, -0.0), state(-0.0, 2, 0.0));
    assert_ne!(hash(&here), hash(&there));
    let desync = Dump::new(1, &here).compare(&Dump::new(1, &there)).unwrap();
    let paths: Vec<_> = desync.differences.iter().map(|found| found.path.as_str()).collect();
    assert_eq!(paths, ["0.current.rotation.sin", "1.keys[0].0", "2.radians"]);
}

#[test]
fn a_text_that_is_no_dump_is_refused_with_the_line() {
    let refused = |text: &str| text.parse::<Dump>().unwrap_err();
    assert_eq!(refused(""), DumpError::Header);
    assert_eq!(refused("a = 1\n"), DumpError::Header);
    let header = "evenstep state dump 1, tick 7, 2 values\n";
    assert_eq!(refused(&format!("{header}a = 1\nb: 2\n")), DumpError::Line { line: 3 });
    let error = refused(&format!("{header}a = 1\n"));
    assert_eq!(error, DumpError::Values { expected: 2, found: 1 });
    assert!(error.to_string().contains("copy the whole file"));
}
