//! Bitwuzla is built without its own CaDiCaL; this links Debian's.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-lib=cadical");
}
