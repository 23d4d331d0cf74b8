#!/bin/bash -p
# Summary: Prepare a task and start a lead session
# Group: Start work
self=${BASH_SOURCE[0]}; [[ $self == */* ]] || self=./$self
while [[ -L $self ]]; do to=$(readlink "$self"); [[ $to == /* ]] || to=${self%/*}/$to; self=$to; done
. "${self%/*}/../lib/okstra/command.sh"
. "$OKSTRA_ROOT/lib/okstra/launch.sh"

prepare() { # <what to do with the program> [<argument>...]
  "$@" 3<<'PY'
"""Prepare a task and start a lead session on it.

Examples:
  okstra.sh --lead-runtime=claude-code
  okstra.sh --lead-runtime=codex --task-key=shop:checkout:DEV-412
  okstra.sh --lead-runtime=codex --task-type=error-analysis --task-brief=bug.md

Usage:
  okstra.sh [options]

The task (what is missing is asked for on the terminal):
  --project-root=<dir>     The project; without it, found from here.
  --project-id=<id>        The project's part of the task key.
  --task-group=<name>      The group's part.
  --task-id=<id>           The task's part.
  --task-key=<key>         All three: project:group:id.
  --task-type=<type>       The phase to run, such as error-analysis.
  --task-brief=<path>      What the task is about; relative to the project.
  --work-category=<word>   bugfix, feature, refactor, ops or improvement.

What the run gets:
  --directive=<text>       An extra instruction.
  --related-tasks=<keys>   Tasks given as context, with commas between.
  --clarification-response=<path>
                           An earlier report, with the answers beside it.
  --base-ref=<ref>         The commit to start from.
  --approve                Approve the plan (implementation).
  --implementation-option=<name>
                           The option of the plan to carry out.

Who does it:
  --lead-runtime=<name>    auto, claude-code, codex or antigravity.
  --lead-model=<model>     The lead's model.
  --workers=<providers>    Provider ids, with commas between: claude,codex.
  --claude-model=<model>   The model of claude workers.
  --codex-model=<model>    The model of codex workers.
  --antigravity-model=<model>
                           The model of antigravity workers.
  --report-writer-model=<model>
                           The report writer's model.
  --terminal-backend=<name>
                           cli-wrapper, tmux-pane or cmux-pane.

How:
  --render-only            Prepare, and start nothing.
  --trust                  Trust this project's .okstra/ without asking.
  --yes                    Answer confirmations with yes.
  -h --help                Show this text.

Environment: OKSTRA_HOME, OKSTRA_LANG (en, ko), OKSTRA_RUNTIME_HOST, and as
defaults OKSTRA_DEFAULT_LEAD_MODEL, OKSTRA_DEFAULT_REPORT_WRITER_MODEL.

Exit status: the lead's own once it runs; 1 refused or declined, 2 unusable
input, 75 another okstra holds the lock.
"""
from okstra_ctl.cli import main
from okstra_ctl.prepare.launcher import HIDDEN_OPTIONS, RETIRED, launch

main(__doc__ + HIDDEN_OPTIONS, launch, retired=RETIRED)
PY
}

record_answer() { # <manifest> <tty, --yes or declined>
  okstra_python "$@" 3<<'PY'
import sys

from okstra_ctl.cli import run_words
from okstra_ctl.prepare.waiver_files import record_answer

run_words(sys.argv[1:], record_answer)
PY
}

prepare okstra_help "$@"
okstra_launch "$@"
