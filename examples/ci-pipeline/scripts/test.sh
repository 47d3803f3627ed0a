# The test: no word stands twice.
test -z "$(uniq -d build/words.txt)" && printf 'no word stands twice'
