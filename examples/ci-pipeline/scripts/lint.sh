# The linter: words are written small.
if grep -n '[A-Z]' words.txt; then exit 1; else printf 'clean'; fi
