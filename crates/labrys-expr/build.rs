//! Compiles the shim for the float formats that Rust does not have.

fn main() {
    println!("cargo:rerun-if-changed=shim/float.c");
    println!("cargo:rerun-if-changed=shim/text.c");
    cc::Build::new()
        .file("shim/float.c")
        .file("shim/text.c")
        .opt_level(2)
        .compile("labrys_float_shim");
    println!("cargo:rustc-link-lib=m");
}
