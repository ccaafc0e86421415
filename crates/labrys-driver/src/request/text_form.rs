//! Values that are written as one text in `labrys.toml`, the same that the command line takes.

/// Reads a type by `FromStr` and writes it by a function to `String`.
macro_rules! serde_as_text {
    ($type:ty, $show:expr) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(<D::Error as serde::de::Error>::custom)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&$show(self))
            }
        }
    };
}

pub(in crate::request) use serde_as_text;
