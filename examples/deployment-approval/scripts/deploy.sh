# Stands for a deployment: writes down what it would do.
printf '%s is live on %s' "$1" "$2"
