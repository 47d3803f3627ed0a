# Sorts the words of the project into its build folder.
mkdir -p build && sort words.txt > build/words.txt && printf 'built'
