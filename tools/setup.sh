#!/bin/sh
# Finds a Python that is new enough and hands over to tools/setup.py. A name on the PATH is not enough: version managers
# leave commands that only print an error, so each candidate is run once.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1

usable() { command -v "$1" >/dev/null 2>&1 && "$1" -c "$2" >/dev/null 2>&1; }

new_enough='import sys; sys.exit(sys.version_info < (3, 11))'
# One that can make an environment by itself is better, so those are looked for first.
for test in "$new_enough or __import__('ensurepip') and __import__('venv') and 0" "$new_enough"; do
    for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
        if usable "$name" "$test"; then
            exec "$name" "$here/setup.py" "$@"
        fi
    done
done

echo "setup: no Python 3.11 or newer was found on the PATH (looked for python3.14 … python3.11, python3, python)." >&2
echo "setup: install one — on Debian or Ubuntu: apt-get install python3 python3-venv — and run this again." >&2
exit 1
