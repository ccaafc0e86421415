// The mark of a score from 0 to 100, from 1 (best) to 5; 0 for no score.
int grade(int score) {
    if (score < 0 || score > 100)
        return 0;
    if (score >= 90)
        return 1;
    if (score >= 75)
        return 2;
    if (score >= 60)
        return 3;
    return score >= 50 ? 4 : 5;
}
