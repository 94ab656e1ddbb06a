//! A straight line through points.

/// The line from which points are least off, by the squares of what they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    /// None where all points are above each other.
    pub(crate) slope: Option<f64>,
    /// The middle of the points. It is on the line.
    pub(crate) middle: (f64, f64),
}

impl Line {
    /// Through at least one point.
    pub(crate) fn through(points: impl Iterator<Item = (f64, f64)> + Clone) -> Self {
        let count = points.clone().count() as f64;
        let sum = points
            .clone()
            .fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
        let middle = (sum.0 / count, sum.1 / count);
        let (squares, products) = points.fold((0.0, 0.0), |sum, point| {
            let off = point.0 - middle.0;
            (sum.0 + off * off, sum.1 + off * (point.1 - middle.1))
        });
        Self {
            slope: (squares > 0.0).then(|| products / squares),
            middle,
        }
    }
}
