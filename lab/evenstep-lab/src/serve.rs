//! `evenstep-lab serve`: serves the page on this machine.

use std::env;
use std::future::{IntoFuture as _, pending, poll_fn};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::pin::pin;
use std::process::ExitCode;
use std::task::Poll;

use axum::Router;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use clap::Args;
use include_dir::{Dir, include_dir};
use tokio::net::TcpListener;
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use evenstep_cli::failure::{Failure, warn};
use evenstep_cli::output;

/// The page at the time when the command was built; empty if it had not been built before.
static BUILT_IN: Dir<'_> = include_dir!("$OUT_DIR/page");

/// The arguments of `serve`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of a built page [default: the page that is built into the command].
    page: Option<PathBuf>,
    /// The port to serve on; 0 takes any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    port: u16,
    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
}

/// Serves the lab on this machine, until it is interrupted.
pub(crate) fn serve(args: &Arguments) -> Result<ExitCode, Failure> {
    let site = site(args)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Run(format!("serve: cannot start: {error}")))?;
    runtime.block_on(listen(args, site))
}

async fn listen(args: &Arguments, site: Router) -> Result<ExitCode, Failure> {
    let failed = |error: io::Error| {
        Failure::Run(format!(
            "--port {}: cannot be served on: {error}; choose another, or 0 for any that is free",
            args.port
        ))
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port))
        .await
        .map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    output::print(&format!("http://{address}/\n"))?;
    if !args.no_open && has_desktop() {
        open_browser(address);
    }
    // Does not wait for connections to close, because an idle browser would keep the command running forever.
    let mut server = pin!(axum::serve(listener, site).into_future());
    let mut stopped = pin!(async {
        if tokio::signal::ctrl_c().await.is_err() {
            // If signals are not available, the command is stopped by other means.
            pending::<()>().await;
        }
    });
    let served = poll_fn(|task| match stopped.as_mut().poll(task) {
        Poll::Ready(()) => Poll::Ready(Ok(())),
        Poll::Pending => server.as_mut().poll(task),
    });
    served.await.map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

/// The page's files. They are not cached, so that a rebuilt page is shown.
fn site(args: &Arguments) -> Result<Router, Failure> {
    let site = match &args.page {
        Some(folder) if folder.join("index.html").is_file() => Router::new().fallback_service(ServeDir::new(folder)),
        Some(folder) => {
            return Err(Failure::Run(format!(
                "{}: there is no page in this folder; build one with cargo xtask page --out {0}",
                folder.display()
            )));
        }
        None if BUILT_IN.contains("index.html") => {
            Router::new().fallback(|uri: Uri| async move { answer(&BUILT_IN, uri.path()) })
        }
        None => {
            let reason = "serve: the page was not built before this command was; \
                          run cargo xtask page, then evenstep-lab serve target/page/site, or install the command again";
            return Err(Failure::Run(reason.to_owned()));
        }
    };
    let no_cache = SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(site.layer(CompressionLayer::new()).layer(no_cache))
}

/// A file of the page that is built in.
fn answer(page: &'static Dir<'static>, path: &str) -> Response {
    let path = match path.trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let Some(file) = page.get_file(path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    ([(header::CONTENT_TYPE, kind.as_ref())], file.contents()).into_response()
}

fn has_desktop() -> bool {
    cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}

fn open_browser(address: SocketAddr) {
    if let Err(error) = open::that_detached(format!("http://{address}/")) {
        warn(&format!(
            "no browser could be opened ({error}); open the address yourself"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_built_in_page_is_served_with_the_types_that_browsers_need() {
        static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/tests/page");
        for (path, kind) in [
            ("/", "text/html"),
            ("/index.html", "text/html"),
            ("/assets/module.wasm", "application/wasm"),
        ] {
            let answer = answer(&PAGE, path);
            assert_eq!(answer.status(), StatusCode::OK, "{path}");
            assert_eq!(answer.headers()[header::CONTENT_TYPE], kind, "{path}");
        }
        for path in ["/nothing", "/assets", "/../serve.rs", "//etc/passwd"] {
            assert_eq!(answer(&PAGE, path).status(), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
