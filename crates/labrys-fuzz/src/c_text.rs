//! C text as the front end reads it beside clang.

use crate::{Reader, texts};

pub(crate) const READERS: &[Reader] = &[
    Reader {
        name: "preprocessed text",
        seeds: || {
            texts(&[
                "# 1 \"x.c\"\n# 1 \"<built-in>\" 1\n# 1 \"x.c\" 2\n# 1 \"/usr/include/a.h\" 1 3 4\nint a;\n# 2 \"x.c\" 2\n\nint f(int x) { return x ? '\\'' : \"a\\\"b\"[0]; } // c\n/* d\n */ int e = 0x1p-3;\n",
            ])
        },
        read: labrys_front::readers::preprocessed_text,
    },
    Reader {
        name: "type name",
        seeds: || {
            texts(&[
                "unsigned long long",
                "const char *(*const)[3]",
                "int (*(int, char **, ...))(void)",
                "_Bool",
                "struct s *restrict",
                "int[4][5]",
            ])
        },
        read: labrys_front::readers::type_name,
    },
    Reader {
        name: "labels",
        seeds: || {
            texts(&[
                "int f(int x) { pc_label(x > 3, 2, \"CC\"); pc_label((x == ')'), 1, \"a\\\")\"); return (pc_label(x, 3, \"DC\"), x); }",
            ])
        },
        read: labrys_front::readers::labels,
    },
    Reader {
        name: "assembly template",
        seeds: || {
            texts(&[
                "bswap $0",
                "rolw $$8, ${0:w}",
                "xchgb ${0:b},${0:h}",
                "mov $1, $0; add $2, $0",
            ])
        },
        read: |bytes| labrys_lift::is_known_template(&String::from_utf8_lossy(bytes)),
    },
];
