//! The programs that the page shows under its loops run as they are copied.

macro_rules! programs {
    ($($name:ident $file:literal),*) => {
        $(mod $name {
            include!($file);

            pub(crate) fn run() {
                main();
            }
        })*

        const PROGRAMS: &[fn()] = &[$($name::run),*];
    };
}

programs! {
    fixed_delta "loops/fixed_delta.rs",
    variable_delta "loops/variable_delta.rs",
    semi_fixed "loops/semi_fixed.rs",
    accumulator "loops/accumulator.rs",
    interpolated "loops/interpolated.rs"
}

#[test]
fn each_program_under_a_loop_of_the_page_runs_to_its_end() {
    for run in PROGRAMS {
        run();
    }
}
