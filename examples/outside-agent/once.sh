#!/bin/sh
# The shortest agent there is: read the brief, print one JSON object. No `type` in it, so it is the answer.
read -r brief
sales=$(printf '%s' "$brief" | sed -n 's/.*"sales":\([0-9]*\).*/\1/p')
printf '{"demand": %s}\n' "$sales"
