
echo "$((tests - failed)) of $tests tests passed"
[ "$failed" -eq 0 ]
