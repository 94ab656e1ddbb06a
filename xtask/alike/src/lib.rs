//! Nothing: the package is its dependencies.
