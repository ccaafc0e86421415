// Blocks that the user gives, as expressions over the parameters.
// run three: --criterion input-domain --function clamp --partition 'n < 0; n >= 0 && n < 10; n >= 10'
// run two: --criterion input-domain --function clamp --partition 'n < m' --partition 'n >= m; n == m + 1'
// run impossible: --criterion input-domain --function clamp --partition 'n > 200; n > m && m > n'
// run division: --criterion input-domain --function clamp --partition 'n / m == 3; m == 0 && n / m == 0'
// run memory: --criterion input-domain --function scan --partition 's[0] == 120 && s[1] == 0; !s; s && !*s'
// run fields: --criterion input-domain --function area --partition 'box.w * box.h == 12; box.w == box.h; box.w > 16'
// run loop: --criterion input-domain --function steps --partition 'n % 3 == 0; n % 3 == 1; n % 3 == 4'
// run real: --criterion input-domain --function half --partition 'x != x; x == x / 2; x < x / 2 && x > 0'

int clamp(signed char n, signed char m) {
//~ three: n < 0 ¦ n >= 0 && n < 10 ¦ n >= 10
//~ two: n < m ¦ n >= m ¦ n == m + 1
//~ impossible: infeasible: n > 200 ¦ infeasible: n > m && m > n
//~ division: n / m == 3 ¦ infeasible: m == 0 && n / m == 0
    return n < m ? n : m;
}

int scan(const char *s) {
//~ memory: s[0] == 120 && s[1] == 0 ¦ !s ¦ s && !*s
    return s ? s[0] : -1;
}

struct box {
    unsigned w : 4, h : 4;
};

int area(struct box box) {
//~ fields: box.w * box.h == 12 ¦ box.w == box.h ¦ infeasible: box.w > 16
    return box.w * box.h;
}

int steps(unsigned char n) {
//~ loop: n % 3 == 0 ¦ n % 3 == 1 ¦ infeasible: n % 3 == 4
    int i = 0;
    while (n > 250)
        n--, i++;
    return i;
}

double half(float x) {
//~ real: x != x ¦ x == x / 2 ¦ infeasible: x < x / 2 && x > 0
    return x / 2;
}
