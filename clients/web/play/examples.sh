#!/bin/sh
# Prints the module examples.js of the playground: the example documents as texts, so that choosing one needs no network.
# Argument: the folder of the documents.
set -eu
echo "export const EXAMPLES = {"
for file in "$1"/*.json; do
    name=$(basename "$file" .json)
    # A thousand rows are no example to type in.
    # shellcheck disable=SC2016 # the quotes are JavaScript's
    [ "$name" = list-1000 ] || printf '"%s": String.raw`%s`,\n' "$name" "$(sed 's/`/${"`"}/g; s/\${/${"${"}/g' "$file")"
done
echo "};"
