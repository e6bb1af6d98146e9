"""The text of `fairtrial --help`: the verbs by what they are for, examples, and what the exit codes mean."""

from __future__ import annotations

from fairtrial.cli.verbs import VERBS

HEAD = """\
Fair trials for agents and agent teams: run them at cases with traps, grade them, compare them honestly.

Usage: fairtrial VERB [ARGUMENTS] [OPTIONS]        fairtrial VERB --help tells more
"""

TAIL = """\
Examples
  fairtrial demo                                  see a whole run in ten seconds
  fairtrial init mysuite && cd mysuite            start your own
  fairtrial check .                               SUITE is a suite.yaml, or its folder; here where left out
  fairtrial run . --trials 5                      five trials a case show how steady it is
  fairtrial show last                             RUN is an id, the beginning of one, or: last
  fairtrial compare last:single last:team         RUN:SETUP where a run has several setups
  fairtrial show last --json | jq .setups         one JSON document on standard output, all else on standard error

With every verb
  --json         one JSON document on standard output        --store URL    another store than .fairtrial/store.db
  --quiet, -q    no progress, and the page only              --lang en|zh   the language of the pages

Exit codes
  0 fine    1 blocked: a finding, a regression, or what --fail-on names    2 bad input or usage
  3 not enough evidence: work is left unrun or ungraded    4 the experiment is invalid    130 interrupted

Environment
  FAIRTRIAL_STORE, FAIRTRIAL_LANG, FAIRTRIAL_USER (in the ledger), FAIRTRIAL_DEBUG=1 (tracebacks), NO_COLOR"""


def guide() -> str:
    """The whole text."""
    names = max(len(f"{name} {verb.takes}") for name, verb in VERBS.items())
    lines = [HEAD]
    for group in dict.fromkeys(verb.group for verb in VERBS.values()):
        lines.append(group)
        lines += [f"  {f'{name} {verb.takes}':<{names}}  {verb.does}" for name, verb in VERBS.items() if verb.group == group]
        lines.append("")
    return "\n".join([*lines, TAIL])
