use std::env;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;

use axum::Router;
use axum::http::{HeaderValue, header};
use tokio::net::TcpListener;
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::cli::LabArgs;
use crate::failure::{Failure, warn};
use crate::output;

/// Serves the lab on this machine, until it is interrupted.
pub(crate) fn serve(args: &LabArgs) -> Result<ExitCode, Failure> {
    if !args.page.join("index.html").is_file() {
        return Err(Failure::Run(format!(
            "{}: there is no page in this folder; build one with cargo xtask page --out {0}",
            args.page.display()
        )));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Run(format!("lab: cannot start: {error}")))?;
    runtime.block_on(listen(args))
}

async fn listen(args: &LabArgs) -> Result<ExitCode, Failure> {
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
    output::say(&format!("http://{address}/\n"))?;
    if !args.no_open && has_desktop() {
        open_browser(address);
    }
    let stopped = async {
        // Without signals, it is stopped by other means.
        let _ = tokio::signal::ctrl_c().await;
    };
    let server = axum::serve(listener, site(args)).with_graceful_shutdown(stopped);
    server.await.map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

/// The page's files, which are always asked for anew, so that a page that was built again is seen.
fn site(args: &LabArgs) -> Router {
    let no_cache = SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Router::new()
        .fallback_service(ServeDir::new(&args.page))
        .layer(CompressionLayer::new())
        .layer(no_cache)
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
