//! States as differences: a state is read field by field through serde, and what changed since another state is entropy-coded.
//!
//! [`Tree`] is a state as a list of numbers with the structure that serde reports. [`encode`] writes a tree as its difference from
//! another one, or from nothing, and [`decode`] reads it back, bit for bit. Containers that did not change cost a fraction of a bit;
//! numbers are differences in units of the last place. All probabilities are learned within one message, separately for each field,
//! so a message depends on nothing but the two states.

mod decode;
mod encode;
mod model;
mod range_coder;
mod tree;

pub(crate) use decode::{decode, read};
pub(crate) use encode::encode;
pub(crate) use tree::{Tree, TreeError};

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Clone, Debug, Serialize, Deserialize)]
    enum Order {
        Wait,
        Walk([f32; 2]),
        Trade { with: u64, price: i16 },
        Shout(char, String),
    }

    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Unit {
        position: [f32; 3],
        velocity: (f64, f64),
        target: Option<i32>,
        is_awake: bool,
        marker: (),
        orders: Vec<Order>,
    }

    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct World {
        units: BTreeMap<u16, Unit>,
        map: Vec<u8>,
        seed: u128,
        offset: i128,
        names: Vec<Option<String>>,
    }

    fn order() -> impl Strategy<Value = Order> {
        prop_oneof![
            Just(Order::Wait),
            any::<[u32; 2]>().prop_map(|bits| Order::Walk(bits.map(f32::from_bits))),
            any::<(u64, i16)>().prop_map(|(with, price)| Order::Trade { with, price }),
            any::<(char, String)>().prop_map(|(symbol, text)| Order::Shout(symbol, text)),
        ]
    }

    prop_compose! {
        fn unit()(
            position in any::<[u32; 3]>(),
            velocity in any::<(f64, f64)>(),
            target in any::<Option<i32>>(),
            is_awake in any::<bool>(),
            orders in prop::collection::vec(order(), 0..4),
        ) -> Unit {
            Unit { position: position.map(f32::from_bits), velocity, target, is_awake, marker: (), orders }
        }
    }

    prop_compose! {
        fn world()(
            units in prop::collection::btree_map(0_u16..100, unit(), 0..12),
            map in prop::collection::vec(any::<u8>(), 0..40),
            (seed, offset) in any::<(u128, i128)>(),
            names in prop::collection::vec(any::<Option<String>>(), 0..3),
        ) -> World {
            World { units, map, seed, offset, names }
        }
    }

    /// Sends a world as its difference from another one, or from nothing, and returns the number of bytes.
    fn send(world: &World, before: Option<&World>) -> usize {
        let tree = Tree::new(world).unwrap();
        let before = before.map(|before| Tree::new(before).unwrap());
        let bytes = encode(&tree, before.as_ref());
        let (received, received_tree) = decode::<World>(&bytes, before.as_ref()).unwrap();
        // `Debug` would take two NaNs for equal.
        assert_eq!(postcard::to_allocvec(&received), postcard::to_allocvec(world));
        assert_eq!(received_tree, tree);
        bytes.len()
    }

    proptest! {
        #[test]
        fn a_state_arrives_bit_for_bit_as_a_difference_from_any_other(one in world(), mut other in world(), keep in 0_usize..12) {
            send(&one, None);
            send(&one, Some(&other));
            // Most of a state is as it was: entries come and go, and fields change.
            other.units.extend(one.units.clone().into_iter().skip(keep));
            send(&one, Some(&other));
            send(&other, Some(&one));
            prop_assert!(send(&one, Some(&one)) <= 1);
        }

        #[test]
        fn any_bytes_decode_to_a_state_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200), before in world()) {
            let tree = Tree::new(&before).unwrap();
            for before in [None, Some(&tree)] {
                if let Ok((world, tree)) = decode::<World>(&bytes, before) {
                    prop_assert_eq!(Tree::new(&world).unwrap(), tree);
                }
            }
        }
    }

    #[test]
    fn a_thousand_units_of_which_one_moves_take_less_than_twenty_bytes() {
        let unit = Unit {
            position: [1.0, 2.0, 3.0],
            velocity: (0.5, -0.5),
            target: None,
            is_awake: true,
            marker: (),
            orders: vec![Order::Wait],
        };
        let before = World {
            units: (0..1000).map(|id| (id, unit.clone())).collect(),
            map: vec![7; 1000],
            seed: 1,
            offset: -1,
            names: Vec::new(),
        };
        let mut world = before.clone();
        world.units.get_mut(&500).unwrap().position = [1.01, 2.0, 2.99];
        let bytes = send(&world, Some(&before));
        assert!(bytes < 20, "{bytes} bytes");
    }

    #[test]
    fn a_state_that_is_nested_too_deep_is_refused_on_both_sides() {
        #[derive(Serialize, Deserialize)]
        struct List(Option<Box<List>>);
        let list = |depth| (0..depth).fold(List(None), |rest, _| List(Some(Box::new(rest))));
        assert!(Tree::new(&list(50)).is_ok() && Tree::new(&list(1000)).is_err());
        // Each bit that is set is one more level.
        assert!(decode::<List>(&[0; 400], None).is_err());
    }
}
