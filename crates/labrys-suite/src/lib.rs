//! Tests, native replay, exporters.
