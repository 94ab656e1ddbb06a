//! The graph of files and their imports, and its cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The files that each file imports from.
pub(crate) type Graph = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

/// The files that import themselves through others, and the files between them; empty if there is no cycle.
pub(crate) fn circles(mut graph: Graph) -> Graph {
    for (file, imports) in &mut graph {
        imports.remove(file);
    }
    loop {
        let imported: BTreeSet<PathBuf> = graph.values().flatten().cloned().collect();
        let before = graph.len();
        graph.retain(|file, imports| !imports.is_empty() && imported.contains(file));
        let left: BTreeSet<PathBuf> = graph.keys().cloned().collect();
        graph
            .values_mut()
            .for_each(|imports| imports.retain(|file| left.contains(file)));
        if graph.len() == before {
            return graph;
        }
    }
}

#[test]
fn a_cycle_is_found_without_the_files_that_lead_to_it_or_away_from_it() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry(from.into()).or_default().insert(to.into());
            graph.entry(to.into()).or_default();
        }
        graph
    };
    let files = |graph: Graph| graph.into_keys().collect::<Vec<_>>();
    let line = [("a", "b"), ("b", "c"), ("a", "c")];
    assert_eq!(files(circles(graph(&line))), [""; 0].map(PathBuf::from));
    let circle = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "b"), ("d", "e")];
    assert_eq!(files(circles(graph(&circle))), ["b", "c", "d"].map(PathBuf::from));
}
