//! `superovoid studio` from the outside: a plain client asks for files, known and unknown.
#![cfg(feature = "studio")]

use crate::common::{error_of, stdout_of, superovoid};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const INDEX: &str = "<!doctype html><title>page</title>";
const SCENE: &str = "{\"version\": 1}";

/// A folder with a page in `page`, a scene beside it, and a secret that nobody may read.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("page/assets")).unwrap();
    fs::write(at("page/index.html"), INDEX).unwrap();
    fs::write(at("page/assets/core.wasm"), [0, 97, 115, 109]).unwrap();
    fs::write(at("my scene, ä.json"), SCENE).unwrap();
    fs::write(at("secret"), "secret").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(at("secret"), at("page/link")).unwrap();
    folder
}

/// A studio that runs, and ends with the test.
struct Studio {
    child: Child,
    address: String,
    port: u16,
}

impl Studio {
    fn start(arguments: &[&str], folder: &Path) -> Self {
        Studio::of(&[&["studio", "--no-open"], arguments].concat(), folder)
    }

    /// Runs a command that prints the address of the page.
    fn of(arguments: &[&str], folder: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_superovoid"))
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let mut address = String::new();
        let mut lines = BufReader::new(child.stdout.take().expect("piped"));
        lines
            .read_line(&mut address)
            .expect("the address is printed");
        let rest = address
            .strip_prefix("http://127.0.0.1:")
            .expect("the loopback address");
        let port = rest
            .split('/')
            .next()
            .and_then(|port| port.parse().ok())
            .expect("a port");
        Studio {
            child,
            address: address.trim_end().to_owned(),
            port,
        }
    }

    /// Sends a request as it is written; returns the whole answer.
    fn ask(&self, first_line: &str, host: &str) -> String {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        write!(
            stream,
            "{first_line} HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str) -> String {
        self.ask(
            &format!("GET {path}"),
            &format!("Host: 127.0.0.1:{}\r\n", self.port),
        )
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_and_the_files_are_served_with_their_types() {
    let folder = folder();
    let studio = Studio::start(&["--page", "page", "my scene, ä.json"], folder.path());
    assert!(
        studio
            .address
            .ends_with("/?open=my%20scene%2C%20%C3%A4.json"),
        "{}",
        studio.address
    );
    for path in ["/", "/index.html", "/?open=x", "/#v=1"] {
        let answer = studio.get(path);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        assert!(answer.ends_with(INDEX), "{path}: {answer}");
        assert!(answer.contains("Content-Type: text/html"), "{answer}");
        assert!(
            answer.contains("Content-Security-Policy: default-src 'self'"),
            "{answer}"
        );
        assert!(
            answer.contains("X-Content-Type-Options: nosniff"),
            "{answer}"
        );
    }
    assert!(
        studio
            .get("/assets/core.wasm")
            .contains("Content-Type: application/wasm")
    );
    assert!(
        studio
            .get("/files/my%20scene%2C%20%C3%A4.json")
            .ends_with(SCENE)
    );
    let host = format!("Host: localhost:{}\r\n", studio.port);
    let head = studio.ask("HEAD /", &host);
    assert!(
        head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"),
        "{head}"
    );
}

#[test]
fn nothing_else_is_served() {
    let folder = folder();
    let studio = Studio::start(&["--page", "page"], folder.path());
    let secret = folder.path().join("secret");
    let secret = secret.to_str().unwrap();
    for path in [
        "/../secret",
        "/assets/../../secret",
        "/%2e%2e/secret",
        "/..%2fsecret",
        "/..\\secret",
        "/page/../../secret",
        "//secret",
        "/link",
        "/assets",
        "/%",
        "/%ff",
        "/%zz",
        "/files/secret",
        "/index.html/",
        &format!("/{secret}"),
        secret,
    ] {
        let answer = studio.get(path);
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
        assert!(!answer.contains("secret"), "{path}: {answer}");
    }
    let own = format!("Host: 127.0.0.1:{}\r\n", studio.port);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "PATCH"] {
        let answer = studio.ask(&format!("{method} /"), &own);
        assert!(answer.starts_with("HTTP/1.1 405"), "{method}: {answer}");
    }
    // A name of another page that leads here.
    for host in [
        "",
        "Host: evil.example\r\n",
        "Host: 127.0.0.1\r\n",
        &format!("{own}Host: evil.example\r\n"),
    ] {
        let answer = studio.ask("GET /", host);
        assert!(answer.starts_with("HTTP/1.1 403"), "{host:?}: {answer}");
    }
    // Other than on the loopback address nobody listens: the port is free there.
    #[cfg(target_os = "linux")]
    std::net::TcpListener::bind(("127.0.0.2", studio.port)).expect("only 127.0.0.1 is taken");
    // What is no HTTP ends no thread: more of it than there are.
    for _ in 0..8 {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, studio.port)).unwrap();
        stream.write_all(b"\x16\x03\x01\xff\xff\r\n\r\n").unwrap();
    }
    assert!(studio.get("/").ends_with(INDEX));
}

#[test]
fn the_help_says_what_may_be_opened_and_who_can_reach_it() {
    let help = stdout_of(&superovoid(&["studio", "--help"], Path::new(".")));
    for word in ["127.0.0.1", "URDF", ".sovorec", "--page", "--no-open"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}

#[test]
fn what_cannot_be_served_is_told_at_once() {
    let folder = folder();
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::write(folder.path().join("other/secret"), "").unwrap();
    let error = |arguments: &[&str]| {
        let arguments = [&["studio", "--no-open"], arguments].concat();
        error_of(&superovoid(&arguments, folder.path()))
    };
    let no_page = error(&["--page", "other"]);
    assert!(
        no_page.contains("other: there is no index.html"),
        "{no_page}"
    );
    assert!(
        no_page.contains("cd apps/studio && npm ci && npm run build"),
        "{no_page}"
    );
    let missing = error(&["--page", "page", "arm.urdf"]);
    assert!(missing.starts_with("arm.urdf: "), "{missing}");
    let no_file = error(&["--page", "page", "other"]);
    assert!(no_file.contains("other: is no file"), "{no_file}");
    let twice = error(&["--page", "page", "secret", "other/secret"]);
    assert!(
        twice.contains("other/secret: two files have the name secret"),
        "{twice}"
    );
    let studio = Studio::start(&["--page", "page"], folder.path());
    let port = studio.port.to_string();
    let taken = error(&["--page", "page", "--port", &port]);
    assert!(taken.contains(&format!("port {port}: ")), "{taken}");
}

/// A carriage with a cube, which is a mesh of a package, on two slides.
const SLIDES: &str = r#"<robot name="slides">
  <link name="base"/> <link name="carriage"/>
  <link name="cube"><collision><geometry><mesh filename="package://parts/cube.obj" scale="0.2 0.2 0.2"/></geometry>
  </collision></link>
  <joint name="x" type="prismatic"><parent link="base"/><child link="carriage"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="y" type="prismatic"><parent link="carriage"/><child link="cube"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="z" type="prismatic"><parent link="base"/><child link="rail"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <link name="rail"/>
</robot>"#;
const CUBE: &str = "v -.5 -.5 -.5\nv .5 -.5 -.5\nv .5 .5 -.5\nv -.5 .5 -.5\nv -.5 -.5 .5\nv .5 -.5 .5\nv .5 .5 .5\nv -.5 .5 .5\n\
                    f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
const SHAPES: &str = "name,shape,z,radius,length,size_x,size_y,size_z,a1,a2,a3,e1,e2\n\
                      post,sphere,0,0.3,,,,,,,,,\nbar,cylinder,9,0.1,0.4,,,,,,,,\npin,capsule,9,0.1,0.4,,,,,,,,\n\
                      tip,cone,9,0.1,0.4,,,,,,,,\nbook,box,9,,,0.2,0.4,0.6,,,,,\negg,superovoid,9,,,,,,1,2,3,1,0.5\n";

#[test]
fn a_plan_is_served_with_its_robot_meshes_obstacles_and_path() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("parts")).unwrap();
    fs::write(at("slides.urdf"), SLIDES).unwrap();
    fs::write(at("parts/cube.obj"), CUBE).unwrap();
    fs::write(at("shapes.csv"), SHAPES).unwrap();
    let plan = "plan slides.urdf --joints x,y --joint z=0.25 --from -0.8,0 --to 0.8,0 --obstacles shapes.csv --no-open --page page";
    let words: Vec<&str> = plan.split(' ').collect();
    let studio = Studio::of(&[&words[..], &["--studio"]].concat(), folder.path());
    assert!(studio.address.ends_with("/?open"), "{}", studio.address);
    let body = |path: &str| {
        let answer = studio.get(path);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    };
    assert_eq!(
        body("/files/"),
        r#"["obstacles.json","package://parts/cube.obj","path.csv","slides.urdf"]"#
    );
    assert_eq!(body("/files/slides.urdf"), SLIDES);
    assert_eq!(body("/files/package%3A%2F%2Fparts%2Fcube.obj"), CUBE);
    let path = body("/files/path.csv");
    let rows: Vec<&str> = path.lines().collect();
    assert_eq!(rows[0], "x,y,z");
    assert!(
        rows.len() > 3
            && rows[1..]
                .iter()
                .all(|row| row.ends_with(",2.5000000000000000e-1")),
        "{path}"
    );
    let obstacles = body("/files/obstacles.json");
    assert!(obstacles.starts_with(r#"{"version":1,"obstacles":[{"name":"post","pose":[0.0,0.0,0.0,0.0,0.0,0.0,1.0],"shape":"#), "{obstacles}");
    for shape in [
        r#"{"superovoid":[0.3,0.3,0.3,1.0,1.0,0.0,0.0]}"#,
        r#"{"cylinder":{"radius":0.1,"length":0.4}}"#,
        r#"{"capsule":{"radius":0.1,"length":0.4}}"#,
        r#"{"cone":{"radius":0.1,"length":0.4}}"#,
        r#"{"box":[0.2,0.4,0.6]}"#,
        r#"{"superovoid":[1.0,2.0,3.0,1.0,0.5,0.0,0.0]}"#,
    ] {
        assert!(obstacles.contains(shape), "{shape}: {obstacles}");
    }
    let run = superovoid(&words, folder.path());
    assert!(error_of(&run).contains("--studio"), "{run:?}");
}

#[test]
fn an_obstacle_that_is_a_mesh_goes_with_it_and_without_the_page_nothing_is_planned() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("parts")).unwrap();
    fs::write(at("slides.urdf"), SLIDES).unwrap();
    fs::write(at("parts/cube.obj"), CUBE).unwrap();
    fs::write(at("block.obj"), CUBE.replace(".5", ".25")).unwrap();
    let pairs = r#"<robot name="slides"><disable_collisions link1="base" link2="cube"/></robot>"#;
    fs::write(at("pairs.xml"), pairs).unwrap();
    let plan = "plan slides.urdf --joints x,y --from -0.8,0 --to 0.8,0 --obstacles block.obj --srdf pairs.xml --no-open --studio -o path.csv";
    let words: Vec<&str> = plan.split(' ').collect();
    let run = superovoid(&[&words[..], &["--page", "parts"]].concat(), folder.path());
    assert!(
        error_of(&run).contains("parts: there is no index.html; build the page"),
        "{run:?}"
    );
    assert!(!at("path.csv").exists());
    let studio = Studio::of(&[&words[..], &["--page", "page"]].concat(), folder.path());
    let obstacles = studio.get("/files/obstacles.json");
    assert!(
        obstacles.contains(r#""shape":{"mesh":0}}],"meshes":[{"vertices":[["#)
            && obstacles.contains("[-0.25,-0.25,-0.25]")
            && obstacles.contains(r#""triangles":[["#),
        "{obstacles}"
    );
    assert!(studio.get("/files/robot.srdf").ends_with(pairs));
    // What was asked for is written, too.
    let path = fs::read_to_string(at("path.csv")).unwrap();
    assert!(studio.get("/files/path.csv").ends_with(&path));
}
