//! Compiles the calls of library functions: C knows how each of them is called.

fn main() {
    println!("cargo:rerun-if-changed=shim/native.c");
    cc::Build::new()
        .file("shim/native.c")
        .opt_level(2)
        .flag("-fno-builtin")
        .warnings(false)
        .compile("labrys_native_shim");
    println!("cargo:rustc-link-lib=m");
}
