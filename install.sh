#!/bin/bash -p
# Installs okstra from this tree, for the user who runs it. Nothing but Bash and a Python is needed.
self=${BASH_SOURCE[0]}; [[ $self == */* ]] || self=./$self
while [[ -L $self ]]; do to=$(readlink "$self"); [[ $to == /* ]] || to=${self%/*}/$to; self=$to; done
given=${OKSTRA_PYTHON-}
self=${self%/*}/bin/install.sh # command.sh takes the folder above for the tree
for file in lib/okstra/command.sh lib/okstra/find-python.sh; do # what is used before Python looks
  [[ -f ${self%/*}/../$file ]] && continue
  printf 'install.sh: not a whole okstra: %s lacks %s\n' "${self%/bin/*}" "$file" >&2
  exit 2
done
# shellcheck source=lib/okstra/command.sh
. "${self%/*}/../lib/okstra/command.sh"
# shellcheck source=lib/okstra/find-python.sh
. "$OKSTRA_ROOT/lib/okstra/find-python.sh"

okstra_help "$@" 3<<'TEXT'
"""Install okstra for yourself, upgrade it, switch it back, or remove it.

Examples:
  ./install.sh
  ./install.sh --rollback
  ./install.sh --uninstall --dry-run

Usage:
  ./install.sh [--probe] [--dry-run]
  ./install.sh --rollback [--dry-run]
  ./install.sh --uninstall [--purge --yes] [--dry-run]

Options:
  --probe      Ask the installed AI CLIs for their versions and options, too.
  --rollback   Go back to the version before; once more, and forward again.
  --uninstall  Remove what was installed; your records and edited files stay.
  --purge      Remove your records as well. Needs --yes.
  --yes        Yes, delete them for good.
  --dry-run    Say what would be done, and do nothing.
  -h --help    Show this text.

Environment: OKSTRA_HOME is the place (default: ~/.okstra), OKSTRA_PYTHON the
Python to use (default: the first on PATH that is 3.10 or newer). pip is used as
you configured it.

Exit status: 0 done or nothing to do, 1 failed or refused (the version in use
goes on working), 2 wrong usage.
"""
TEXT

for word; do
  case $word in
    --probe | --rollback | --uninstall | --purge | --yes | --dry-run) ;;
    *)
      printf 'install.sh: unknown option: %q\n' "$word" >&2 || :
      okstra_die 2 'see ./install.sh --help'
      ;;
  esac
done

if [[ -n $given ]]; then set -- "$given" -- "$@"; else
  set -- python3 python3.14 python3.13 python3.12 python3.11 python3.10 python -- "$@"
fi
pythons=()
while [[ $1 != -- ]]; do pythons+=("$1") && shift; done
shift
okstra_find_python "${pythons[@]}" || {
  printf 'install.sh: Python 3.10 or newer with venv and pip is needed: %s\n' "$OKSTRA_PYTHON_TROUBLE" >&2 || :
  okstra_die 1 "next: $(okstra_python_package)"
}

okstra_python "$OKSTRA_ROOT" "$@" 3<<'PY'
import sys

from okstra_ctl.cli import answer
from okstra_ctl.install import program
from okstra_kernel.notice import tell

source, *words = sys.argv[1:]
wished = program.wish(dict.fromkeys(words, True))
answer(lambda: (0, program.do(source, wished, tell)))
PY
