//! Hash-consed bit-vector and float expressions: build, simplify, evaluate, print.
