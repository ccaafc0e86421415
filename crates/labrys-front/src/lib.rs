//! Clang as the C front end: annotations for criteria, harness, compilation.
