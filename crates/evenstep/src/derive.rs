//! The macros of `evenstep-derive`, with examples, which are tests: a macro that depended on this crate, even for its tests, would have it
//! compiled once more.

/// Implements `evenstep::Blend` field by field.
///
/// A field is blended by its own `Blend` implementation, unless it has an attribute:
///
/// | attribute | result |
/// |---|---|
/// | `#[blend(step)]` | the newer value, for discrete values; the type must be `Clone` |
/// | `#[blend(skip)]` | the default value, for data that drawing does not need and that is costly to copy; the type must be `Default` |
/// | `#[blend(with = path)]` | the result of `path(&older, &newer, t)` |
///
/// Structs of every kind and enums can derive it. Two values of the same enum variant are blended; for different variants the
/// result is the newer value, for which the enum must be `Clone`. A generic type implements `Blend` if its fields do, and may contain itself; an enum with
/// several variants must also be `Clone`.
///
/// At `t ≤ 0` and `t ≥ 1` the result is bit-identical to the older and the newer state, except for fields with an attribute.
///
/// ```
/// use evenstep::{Angle, Blend};
///
/// #[derive(Blend, Clone)]
/// struct Ship {
///     position: [f32; 2],
///     heading: Angle,
///     #[blend(step)]
///     frame_of_animation: u8,
///     #[blend(skip)]
///     path_ahead: Vec<[f32; 2]>,
///     #[blend(with = logarithmic)]
///     brightness: f64,
/// }
///
/// fn logarithmic(older: &f64, newer: &f64, t: f64) -> f64 {
///     older.ln().blend(&newer.ln(), t).exp()
/// }
///
/// let older = Ship {
///     position: [0.0, 0.0],
///     heading: Angle::degrees(350.0),
///     frame_of_animation: 1,
///     path_ahead: vec![[1.0, 1.0]],
///     brightness: 1.0,
/// };
/// let newer = Ship { position: [4.0, 0.0], frame_of_animation: 2, brightness: 100.0, ..older.clone() };
/// let drawn = older.blend(&newer, 0.5);
/// assert_eq!((drawn.position, drawn.frame_of_animation), ([2.0, 0.0], 2));
/// assert!((drawn.brightness - 10.0).abs() < 1e-12 && drawn.path_ahead.is_empty());
/// ```
///
/// An unknown option is a compile error that lists the known ones:
///
/// ```compile_fail
/// #[derive(evenstep::Blend)]
/// struct Ship {
///     #[blend(discrete)]
///     frame: u8,
/// }
/// ```
///
/// A union is a compile error, too:
///
/// ```compile_fail
/// #[derive(evenstep::Blend)]
/// union Bits {
///     float: f32,
///     integer: u32,
/// }
/// ```
pub use evenstep_derive::Blend;

/// Implements `evenstep::Inspect`: visits every field under its name, or under its index in a tuple.
///
/// Structs of every kind and enums can derive it. A generic type implements `Inspect` if its fields do, and may contain
/// itself. `#[inspect(skip)]` leaves
/// out a field that no step reads, such as a cache or data that is only drawn.
///
/// ```
/// use evenstep::Inspect;
/// use evenstep::inspect::Dump;
///
/// #[derive(Inspect)]
/// enum Order {
///     Wait,
///     Walk { to: [i32; 2] },
/// }
///
/// #[derive(Inspect)]
/// struct Unit<T> {
///     health: u8,
///     orders: Vec<Order>,
///     #[inspect(skip)]
///     sprite: T,
/// }
///
/// let unit = |health, orders| Dump::new(9, &Unit { health, orders, sprite: || () });
/// let here = unit(5, vec![Order::Wait, Order::Walk { to: [1, 2] }]);
/// let there = unit(5, vec![Order::Wait, Order::Wait]);
/// let desync = here.compare(&there).expect("they differ");
/// assert_eq!(desync.to_string(), "tick 9: orders[1]: Walk here, Wait there");
/// ```
///
/// A field without a fixed order of elements, such as a `HashMap`, is a compile error, and so is an unknown option:
///
/// ```compile_fail
/// #[derive(evenstep::Inspect)]
/// struct Game {
///     scores: std::collections::HashMap<String, u32>,
/// }
/// ```
///
/// ```compile_fail
/// #[derive(evenstep::Inspect)]
/// struct Game {
///     #[inspect(ignore)]
///     frame: u8,
/// }
/// ```
pub use evenstep_derive::Inspect;
