//! Android's atrace as text: lines of the kernel's ftrace. Choreographer's lines hold the start times of frames.

use std::time::Duration;

use crate::error::TraceError;
use crate::read::lines::Line;
use crate::read::reorder_buffer::Ordered;
use crate::read::row::Row;

/// Marks lines that a program wrote.
const MARK: &str = ": tracing_mark_write: ";

/// How Android's Choreographer announces a frame.
const FRAME: &str = "|Choreographer#doFrame";

/// What `atrace` prints before the lines of the kernel.
pub(crate) fn is_preface(text: &str) -> bool {
    let text = text.trim();
    let has_lost_events = text.starts_with("CPU:") && text.ends_with("EVENTS]");
    text.starts_with("capturing trace") || text == "TRACE:" || has_lost_events
}

/// Whether a line is an event, and so may be the first line of an atrace.
pub(crate) fn begins(text: &str) -> bool {
    text.contains(MARK) || is_kernel_event(text)
}

/// `TASK-TID (TGID) [CPU] FLAGS SECONDS: EVENT: …`, where the group of threads and the flags may be missing.
fn is_kernel_event(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_cpu = |word: &str| {
        let cpu = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
        cpu.is_some_and(is_digits)
    };
    let is_time = |word: &str| {
        let time = word.strip_suffix(':').and_then(|word| word.split_once('.'));
        time.is_some_and(|(whole, decimals)| is_digits(whole) && is_digits(decimals))
    };
    let mut words = text.split_ascii_whitespace().skip_while(|word| !is_cpu(word));
    // The processor's flags may come before the time.
    words.next().is_some()
        && words.by_ref().take(2).any(is_time)
        && words.next().is_some_and(|word| word.ends_with(':'))
}

/// Reads a line, which may be the start of a frame.
///
/// A line is `TASK-TID (TGID) [CPU] FLAGS SECONDS: tracing_mark_write: B|PID|Choreographer#doFrame N`.
pub(crate) fn read(line: &Line<'_>, ordered: &mut Ordered<'_>) -> Result<(), TraceError> {
    let text = String::from_utf8_lossy(line.text);
    let Some((head, mark)) = text.split_once(MARK) else {
        return Ok(());
    };
    let Some((process, _)) = mark.strip_prefix("B|").and_then(|rest| rest.split_once(FRAME)) else {
        return Ok(());
    };
    let time = head.split_whitespace().next_back().unwrap_or_default();
    let seconds = time.parse().ok();
    match seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
        Some(start) => ordered.push([task(head).as_bytes(), process.as_bytes(), b""], Row::at(start)),
        None => ordered.refuse(line.number, "timestamp", format!("{time:?} is no number of seconds"))?,
    }
    Ok(())
}

/// The name of the task, which may have spaces: everything before its thread group or processor.
fn task(head: &str) -> &str {
    let end = head.find(" (").or_else(|| head.find(" [")).unwrap_or(head.len());
    head[..end].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_the_kernel_are_known_by_their_form() {
        for event in [
            "          <idle>-0     [001] d..2  1234.567890: sched_switch: prev_comm=swapper",
            "  kworker/u16:3-211   (  211) [005] .... 31124.476312: cpu_idle: state=0 cpu_id=5",
            "Jit thread pool-77 [000] 5.25: sched_waking: comm=x",
        ] {
            assert!(begins(event), "{event}");
        }
        for other in [
            "Dear diary, today [1] I rose at 6.30: early: too early",
            "[1] 6.30",
            "Application,[0] MsBetweenPresents",
            "[{\"name\": \"x\"}]",
        ] {
            assert!(!begins(other), "{other}");
        }
    }

    #[test]
    fn names_of_tasks_may_have_spaces() {
        assert_eq!(
            task("  Jit thread pool-77  (  70) [000] .... 5.25"),
            "Jit thread pool-77"
        );
        assert_eq!(task(" app-7 [000] .... 5.25"), "app-7");
    }
}
