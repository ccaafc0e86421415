#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| labrys_fuzz::read("mutants.json", input));
