//! The server of the page: it answers on the loopback address alone, and GET and HEAD of known files only.
//!
//! A page of another origin that has its name resolved to 127.0.0.1 (DNS rebinding) is told by its `Host` and refused.

use super::page::Page;
use anyhow::{Result, anyhow};
use std::io;
use std::net::Ipv4Addr;
use std::thread;
use tiny_http::{Header, Method, Request, Response, StatusCode};

/// The page loads what it is made of and nothing else.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data: blob:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// A browser asks for several files at once; one slow reader keeps no other waiting.
const THREADS: usize = 4;

pub struct Server {
    http: tiny_http::Server,
    port: u16,
}

impl Server {
    /// Listens on a port of the loopback address, or on a free one for 0.
    pub fn bind(port: u16) -> Result<Self> {
        let http = tiny_http::Server::http((Ipv4Addr::LOCALHOST, port))
            .map_err(|error| anyhow!("port {port}: {error}"))?;
        let port = http
            .server_addr()
            .to_ip()
            .map_or(port, |address| address.port());
        Ok(Server { http, port })
    }

    /// Returns the address without a path.
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Answers until the program ends.
    pub fn run(&self, page: &Page) -> Result<()> {
        thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|_| scope.spawn(|| self.answer(page)))
                .collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().unwrap_or(Ok(())))
        })?;
        Ok(())
    }

    fn answer(&self, page: &Page) -> io::Result<()> {
        loop {
            let request = self.http.recv()?;
            let response = self.respond(&request, page);
            // Who has gone needs no answer.
            let _ = request.respond(response);
        }
    }

    fn respond<'a>(&self, request: &Request, page: &'a Page) -> Response<&'a [u8]> {
        let path = request.url().split(['?', '#']).next().unwrap_or_default();
        if !self.is_own(request) {
            return refused(403, b"this server answers 127.0.0.1 and localhost only\n");
        }
        if !matches!(request.method(), Method::Get | Method::Head) {
            return refused(405, b"only GET is answered\n")
                .with_header(header("Allow", "GET, HEAD"));
        }
        let Some((content, kind)) = page.file(path) else {
            return refused(404, b"there is no such file\n");
        };
        let response = Response::new(
            StatusCode(200),
            Vec::new(),
            content,
            Some(content.len()),
            None,
        )
        .with_header(header("Content-Type", kind))
        .with_header(header("Content-Security-Policy", POLICY));
        guarded(response)
    }

    /// Whether the request was meant for this server.
    fn is_own(&self, request: &Request) -> bool {
        let mut hosts = request
            .headers()
            .iter()
            .filter(|header| header.field.equiv("Host"));
        let Some(host) = hosts.next() else {
            return false;
        };
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        hosts.next().is_none() && names.iter().any(|name| host.value.as_str() == name)
    }
}

fn refused(status: u16, text: &'static [u8]) -> Response<&'static [u8]> {
    let response = Response::new(StatusCode(status), Vec::new(), text, Some(text.len()), None);
    guarded(response.with_header(header("Content-Type", "text/plain; charset=utf-8")))
}

/// Adds what every answer has: nothing is kept, guessed or told to others.
fn guarded(response: Response<&[u8]>) -> Response<&[u8]> {
    response
        .with_header(header("Cache-Control", "no-store"))
        .with_header(header("X-Content-Type-Options", "nosniff"))
        .with_header(header("Referrer-Policy", "no-referrer"))
}

fn header(field: &str, value: &str) -> Header {
    Header::from_bytes(field, value).expect("field and value are ASCII")
}
