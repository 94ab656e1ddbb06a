//! Poses are drawn before the game's own systems after the fixed loop, whichever were added first.

use std::collections::BTreeSet;

use bevy_app::RunFixedMainLoopSystems;
use bevy_ecs::schedule::graph::{DiGraph, Direction, GraphNodeId};
use bevy_ecs::schedule::{
    FlattenedDependencies, NodeId, ScheduleBuildError, ScheduleBuildPass, ScheduleGraph, SystemKey, SystemSet,
    SystemSetKey,
};
use bevy_ecs::world::World;
use bevy_platform::hash::FixedHasher;
use indexmap::IndexSet;

use crate::system_sets::EvenstepSystems;

/// Orders [`EvenstepSystems::Ease`] before all other systems of [`RunFixedMainLoopSystems::AfterFixedMainLoop`], except systems that are
/// ordered before it. A set alone cannot: if it were before that set, it would have no order with systems that others put between the loop and that
/// set, which have to come first.
#[derive(Debug)]
pub(super) struct EaseFirst;

impl ScheduleBuildPass for EaseFirst {
    type EdgeOptions = ();

    fn add_dependency(&mut self, _: NodeId, _: NodeId, _: Option<&()>) {}

    fn collapse_set(
        &mut self,
        _: SystemSetKey,
        _: &IndexSet<SystemKey, FixedHasher>,
        _: &DiGraph<NodeId>,
    ) -> impl Iterator<Item = (NodeId, NodeId)> {
        core::iter::empty()
    }

    fn build(
        &mut self,
        _: &mut World,
        graph: &mut ScheduleGraph,
        mut dependencies: FlattenedDependencies,
    ) -> Result<(), ScheduleBuildError> {
        let ours = systems_in(graph, EvenstepSystems::Ease);
        let not_after = reachable(dependencies.graph(), ours.clone(), Direction::Incoming);
        for other in systems_in(graph, RunFixedMainLoopSystems::AfterFixedMainLoop) {
            if !not_after.contains(&other) {
                ours.iter().for_each(|ours| dependencies.add_edge(*ours, other));
            }
        }
        Ok(())
    }
}

fn systems_in(graph: &ScheduleGraph, set: impl SystemSet) -> Vec<SystemKey> {
    let set = graph.system_sets.get_key(set.intern()).map(NodeId::Set);
    let members = reachable(graph.hierarchy().graph(), Vec::from_iter(set), Direction::Outgoing);
    members.into_iter().filter_map(|node| node.as_system()).collect()
}

/// These nodes, and all that lie in a direction from them.
fn reachable<N: GraphNodeId>(graph: &DiGraph<N>, mut next: Vec<N>, direction: Direction) -> BTreeSet<N> {
    let mut reached = BTreeSet::new();
    while let Some(node) = next.pop() {
        if reached.insert(node) {
            next.extend(graph.neighbors_directed(node, direction));
        }
    }
    reached
}
