//! Writes the results of `verify` as JUnit XML.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::commands::verify::verdict::{Outcome, Verdict};

/// The verdicts as JUnit XML: a recording that differs has failed, one that cannot be replayed is an error.
pub(super) fn write(verdicts: &[Verdict], output: &mut dyn Write) -> io::Result<()> {
    let mut suite = TestSuite::new("evenstep-lab verify");
    for verdict in verdicts {
        let mut status = match verdict.outcome {
            Outcome::Same => TestCaseStatus::success(),
            Outcome::Differs => TestCaseStatus::non_success(NonSuccessKind::Failure),
            Outcome::Unreadable => TestCaseStatus::non_success(NonSuccessKind::Error),
        };
        if let Some(message) = &verdict.message {
            status.set_message(message.as_str());
        }
        let mut case = TestCase::new(verdict.file.as_str(), status);
        if let Some(scene) = &verdict.scene {
            case.set_classname(scene.as_str());
        }
        suite.add_test_case(case);
    }
    let mut report = Report::new("evenstep-lab verify");
    report.add_test_suite(suite);
    report.serialize(output).map_err(io::Error::other)
}
