//! LLVM bitcode to the Labrys IR; the only crate that links LLVM.
