//! Writes the valid inputs of all readers into a directory, one folder a reader, as `cargo fuzz`
//! wants them: `cargo run -p labrys-fuzz --example seeds -- fuzz/corpus`.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let corpus = std::env::args_os().nth(1).unwrap_or("fuzz/corpus".into());
    for reader in labrys_fuzz::readers() {
        let folder = PathBuf::from(&corpus).join(labrys_fuzz::target(reader.name));
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in (reader.seeds)().iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
