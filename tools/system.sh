#!/bin/sh
# Installs what tests need from the operating system: bubblewrap, for the trials of --isolate sandbox. Where that cannot be done it
# says what will be skipped and ends well; with CI=1 or CI=true it fails, so that no test is skipped there without a word.
set -u

there() { command -v "$1" >/dev/null 2>&1; }

go_on_without() {
    echo "setup-system: bubblewrap is missing and $1."
    echo "setup-system: tests of --isolate sandbox will be skipped; to have them: apt-get install bubblewrap"
    case "${CI:-}" in
        1 | true) echo "setup-system: this is CI, so that is an error" >&2; exit 1 ;;
    esac
    exit 0
}

if there bwrap; then
    echo "setup-system: bubblewrap is there"
    exit 0
fi
there apt-get || go_on_without "there is no apt-get to install it with"
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif there sudo && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    go_on_without "installing it takes root, or sudo that does not ask"
fi
export DEBIAN_FRONTEND=noninteractive
# The lists of a fresh image are often empty or old, so a first failure is tried again after an update.
$as_root apt-get install -y -q --no-install-recommends bubblewrap >/dev/null 2>&1 ||
    { $as_root apt-get update -q >/dev/null 2>&1; $as_root apt-get install -y -q --no-install-recommends bubblewrap >/dev/null 2>&1; } ||
    go_on_without "apt-get could not install it"
echo "setup-system: bubblewrap is installed"
