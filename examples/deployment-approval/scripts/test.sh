# Stands for a test suite: a project whose name begins with "broken" fails.
case "$1" in
  broken*) printf '1 of 3 tests failed' && exit 1 ;;
  *) printf '3 of 3 tests passed' ;;
esac
