// Known results of all subjects.
#include <assert.h>
#include <string.h>
#include "../absolute.c"
#include "../average.c"
#include "../binary_search.c"
#include "../bit_count.c"
#include "../clamp.c"
#include "../collatz.c"
#include "../count_equal.c"
#include "../day_of_year.c"
#include "../days_in_month.c"
#include "../digit_count.c"
#include "../digit_sum.c"
#include "../factorial.c"
#include "../fibonacci.c"
#include "../find_middle.c"
#include "../gcd.c"
#include "../grade.c"
#include "../integer_root.c"
#include "../is_palindrome.c"
#include "../is_prime.c"
#include "../is_sorted.c"
#include "../leap_year.c"
#include "../maximum.c"
#include "../next_second.c"
#include "../overlap.c"
#include "../parse_digit.c"
#include "../power.c"
#include "../quadrant.c"
#include "../remainder.c"
#include "../rotate.c"
#include "../saturating_add.c"
#include "../sign.c"
#include "../swap_order.c"
#include "../ticket_price.c"
#include "../to_hexadecimal.c"
#include "../to_octal.c"
#include "../triangle.c"
#include "../wheel_brake.c"
#include "../wrap_counter.c"

int main(void) {
    struct brakes brakes = {NORMAL, 0, 0, 0};
    char text[5];
    int sorted[4] = {-3, 0, 7, 9}, down[4] = {4, 3, 3, 1}, same[4] = {2, 2, 2, 2}, mixed[4] = {1, 3, 2, 3};
    int first, a = 5, b = -1;

    assert(factorial(0) == 1 && factorial(5) == 120 && factorial(12) == 479001600);
    assert(factorial(-1) == 0 && factorial(13) == 0);
    assert(power(2, 8) == 256 && power(-3, 3) == -27 && power(0, 0) == 1 && power(7, 9) == -1);
    assert(maximum(1, 2, 3, 4) == 4 && maximum(-1, -2, -3, -4) == -1 && maximum(0, 9, 1, 2) == 9);
    assert(fibonacci(0) == 0 && fibonacci(1) == 1 && fibonacci(10) == 55 && fibonacci(21) == -1);
    assert(gcd(12, 18) == 6 && gcd(-12, 18) == 6 && gcd(0, 5) == 5 && gcd(0, 0) == 0);
    assert(wheel_brake(&brakes, 3, 0, 0, 1) == 30 && brakes.mode == NORMAL);
    assert(wheel_brake(&brakes, 9, 0, 0, 0) == 32 && brakes.mode == ALTERNATE);
    assert(wheel_brake(&brakes, 0, 1, 1, 1) == 8 && brakes.mode == ALTERNATE);
    assert(wheel_brake(&brakes, 0, 0, 0, 1) == 0 && brakes.mode == NORMAL);
    for (int i = 0; i < 3; i++)
        wheel_brake(&brakes, 4, 0, 1, 1);
    assert(brakes.mode == EMERGENCY && wheel_brake(&brakes, 4, 0, 0, 1) == 40);
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++)
            for (int z = 0; z < 3; z++) {
                int smaller = (x < find_middle(x, y, z)) + (y < find_middle(x, y, z)) + (z < find_middle(x, y, z));
                int larger = (x > find_middle(x, y, z)) + (y > find_middle(x, y, z)) + (z > find_middle(x, y, z));
                assert(smaller <= 1 && larger <= 1);
            }
    assert(wrap_counter(0) == 1 && wrap_counter(9) == 10 && wrap_counter(10) == 0);
    for (int x = -20; x <= 20; x++)
        for (int y = -20; y <= 20; y++)
            assert(remainder_of(x, y) == (y == 0 ? -1 : x % y));
    assert(to_octal(8) == 10 && to_octal(4095) == 7777 && to_octal(0) == 0 && to_octal(-1) == -1);
    assert(to_hexadecimal(0xBEEF, text) == 4 && strcmp(text, "BEEF") == 0);
    assert(to_hexadecimal(9, text) == 1 && strcmp(text, "9") == 0 && to_hexadecimal(65536, text) == 0);
    assert(triangle(3, 3, 3) == 3 && triangle(3, 3, 5) == 2 && triangle(3, 4, 5) == 1);
    assert(triangle(1, 2, 3) == 0 && triangle(0, 1, 1) == 0);
    assert(leap_year(2000) && !leap_year(1900) && leap_year(2024) && !leap_year(2023));
    assert(days_in_month(2, 1) == 29 && days_in_month(4, 0) == 30 && days_in_month(13, 0) == 0);
    assert(day_of_year(3, 1, 1) == 61 && day_of_year(12, 31, 0) == 365 && day_of_year(2, 29, 0) == 0);
    assert(next_second(23, 59, 59) == 0 && next_second(0, 59, 59) == 3600 && next_second(24, 0, 0) == -1);
    assert(clamp(5, 0, 3) == 3 && clamp(-5, 0, 3) == 0 && clamp(2, 0, 3) == 2 && clamp(2, 9, 3) == 9);
    assert(sign(7) == 1 && sign(-7) == -1 && sign(0) == 0);
    assert(absolute(-3) == 3 && absolute(3) == 3 && absolute(-2147483647 - 1) == 2147483647);
    assert(digit_count(0) == 1 && digit_count(10) == 2 && digit_count(4294967295u) == 10);
    assert(digit_sum(-123) == 6 && digit_sum(0) == 0 && digit_sum(2147483647) == 46);
    assert(is_palindrome(12321) && is_palindrome(0) && !is_palindrome(10) && !is_palindrome(-1));
    assert(saturating_add(2147483647, 1) == 2147483647 && saturating_add(2, 3) == 5);
    assert(saturating_add(-2147483647, -5) == -2147483647 - 1);
    assert(average(2, 4) == 3 && average(1, 2) == 1 && average(2, 1) == 2);
    assert(average(-2, -1) == -2 && average(-1, -2) == -1 && average(2147483647, 2147483645) == 2147483646);
    for (int i = 0; i < 4; i++)
        assert(binary_search(sorted, sorted[i]) == i);
    assert(binary_search(sorted, 8) == -1);
    assert(is_sorted(sorted) == 1 && is_sorted(down) == -1 && is_sorted(same) == 2 && is_sorted(mixed) == 0);
    assert(count_equal(mixed, 3, &first) == 2 && first == 1 && count_equal(mixed, 8, &first) == 0 && first == -1);
    assert(swap_order(&a, &b) && a == -1 && b == 5 && !swap_order(&a, &b));
    assert(quadrant(1, 1) == 1 && quadrant(-1, 1) == 2 && quadrant(-1, -1) == 3 && quadrant(1, -1) == 4);
    assert(quadrant(0, 0) == -1 && quadrant(0, 5) == 0);
    assert(overlap(0, 5, 3, 9) == 2 && overlap(0, 1, 2, 3) == 0 && overlap(5, 0, 0, 9) == 0 && overlap(0, 9, 2, 3) == 1);
    assert(grade(90) == 1 && grade(89) == 2 && grade(60) == 3 && grade(50) == 4 && grade(49) == 5 && grade(101) == 0);
    assert(ticket_price(30, 0, 0) == 1200 && ticket_price(5, 1, 0) == 0 && ticket_price(70, 1, 0) == 1000);
    assert(ticket_price(30, 1, 1) == 1080 && ticket_price(10, 1, 1) == 900 && ticket_price(-1, 0, 0) == -1);
    for (int n = 0; n < 5000; n++) {
        int root = integer_root(n);
        assert(root * root <= n && n < (root + 1) * (root + 1));
    }
    assert(integer_root(2147483647) == 46340 && integer_root(-1) == -1);
    assert(is_prime(2) && is_prime(199) && !is_prime(1) && !is_prime(169) && !is_prime(4));
    assert(collatz(1) == 0 && collatz(6) == 8 && collatz(27) == 50 && collatz(0) == -1);
    assert(parse_digit('0') == 0 && parse_digit('f') == 15 && parse_digit('A') == 10 && parse_digit('g') == -1);
    assert(rotate(0x81, 1) == 0x03 && rotate(0x81, -1) == 0xc0 && rotate(0x12, 8) == 0x12 && rotate(1, 4) == 16);
    assert(bit_count(0) == 0 && bit_count(0xff) == 8 && bit_count(0x80000001u) == 2);
    return 0;
}
