//! Simple linear regression by least squares.

/// The regression line of a set of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    /// `None` where all points have the same x.
    pub(crate) slope: Option<f64>,
    /// The mean of the points, which lies on the line.
    pub(crate) mean: (f64, f64),
}

impl Line {
    /// Fits a line to `points`, of which there must be at least one.
    pub(crate) fn fit(points: impl Iterator<Item = (f64, f64)> + Clone) -> Self {
        let count = points.clone().count() as f64;
        let sum = points
            .clone()
            .fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
        let mean = (sum.0 / count, sum.1 / count);
        let (variance, covariance) = points.fold((0.0, 0.0), |sum, point| {
            let deviation = point.0 - mean.0;
            (sum.0 + deviation * deviation, sum.1 + deviation * (point.1 - mean.1))
        });
        Self {
            slope: (variance > 0.0).then(|| covariance / variance),
            mean,
        }
    }
}
