#!/bin/sh
# Makes `shop.bundle` anew: a git repository in one file, whose tag v1 is the project as it stands in `project`.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
git init -q "$work"
cp -R project/. "$work"
git -C "$work" add -A
git -C "$work" -c user.name=shop -c user.email=shop@shop.example commit -q -m "The shop as it stands"
git -C "$work" tag v1
git -C "$work" bundle create -q "$PWD/shop.bundle" v1
rm -rf "$work"
echo "shop.bundle holds v1"
