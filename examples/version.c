/* Parses version numbers such as "2.14" or "v1.0.7-rc". */

struct version {
    int major, minor, patch;
    int prerelease;
};

static int number(const char **text, int *value) {
    const char *p = *text;
    int v = 0;
    if (*p < '0' || *p > '9')
        return 0;
    while (*p >= '0' && *p <= '9') {
        if (v > 999)
            return 0;
        v = v * 10 + (*p++ - '0');
    }
    *text = p;
    *value = v;
    return 1;
}

/* Returns 1 and fills out, or 0 if the text is no version number. */
int parse_version(const char *text, struct version *out) {
    struct version v = {0, 0, 0, 0};
    if (!text || !out)
        return 0;
    if (*text == 'v')
        text++;
    if (!number(&text, &v.major) || *text++ != '.' || !number(&text, &v.minor))
        return 0;
    if (*text == '.') {
        text++;
        if (!number(&text, &v.patch))
            return 0;
    }
    if (*text == '-') {
        v.prerelease = 1;
        text++;
    } else if (*text) {
        return 0;
    }
    *out = v;
    return 1;
}

/* Negative, zero or positive as a is older than, the same as or newer than b. */
int compare_versions(struct version a, struct version b) {
    if (a.major != b.major)
        return a.major < b.major ? -1 : 1;
    if (a.minor != b.minor)
        return a.minor < b.minor ? -1 : 1;
    if (a.patch != b.patch)
        return a.patch < b.patch ? -1 : 1;
    return b.prerelease - a.prerelease;
}
