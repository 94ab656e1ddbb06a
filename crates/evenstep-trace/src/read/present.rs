/// A present: a frame that a program handed to the display, or that a driver generated.
///
/// Times are in milliseconds from the first row of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Present {
    /// The number of its row in the file, counted from 0 without the header.
    pub row: u64,
    /// When the program began to work on it, where the file tells.
    pub started: Option<f64>,
    /// When the call to present began.
    pub presented: f64,
    /// When it was on the screen; none if it never was.
    pub displayed: Option<f64>,
    /// The time that its picture shows; where the file does not tell, when the program began to work on it.
    pub simulated: Option<f64>,
    /// Whether [`simulated`](Self::simulated) is the program's word, on a clock of its own.
    pub is_simulated_told: bool,
    /// Whether a driver generated it.
    pub is_generated: bool,
    /// How long the program worked on it.
    pub cpu_busy: Option<f64>,
    /// How long the graphics card worked on it.
    pub gpu_busy: Option<f64>,
}
