// Structures of different types do not overlap unless the one is inside of the other.
// arguments: --time 60s
struct cat { int age; };
struct dog { int age; };
struct home { struct cat cat; int rooms; };
int apart(struct cat *cat, struct dog *dog) {
    if (!cat || !dog)
        return -1;
    dog->age = 1;
    cat->age = 2;
    if (dog->age != 1) //@ true infeasible, false covered
        return 1;
    return 0;
}
int inside(struct cat *cat, struct home *home) {
    if (!cat || !home)
        return -1;
    home->cat.age = 1;
    cat->age = 2;
    if (home->cat.age == 2) //@ true open, false covered
        return 2;
    return 0;
}
