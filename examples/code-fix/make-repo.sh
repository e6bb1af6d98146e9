#!/bin/sh
# Makes `repo`, a git repository whose tag v1 is the project as it stands in `project`.
set -eu
cd "$(dirname "$0")"
rm -rf repo
git init -q repo
cp -R project/. repo
git -C repo add -A
git -C repo -c user.name=shop -c user.email=shop@shop.example commit -q -m "The shop as it stands"
git -C repo tag v1
echo "repo is at v1"
