//! The macros of `evenstep-derive`, with examples, which are tests: a macro that depended on this crate, even for its tests, would have it
//! compiled once more.

/// # Example
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

/// # Example
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
