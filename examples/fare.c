/* What a ticket costs: children and members of 65 and older pay half. */
int fare(int age, int member) {
    if (age < 18 || (age >= 65 && member))
        return 5;
    return 10;
}
