#!/bin/bash -p
# Summary: Run one turn of a grok worker
# Group: Plumbing
self=${BASH_SOURCE[0]}; [[ $self == */* ]] || self=./$self
while [[ -L $self ]]; do to=$(readlink "$self"); [[ $to == /* ]] || to=${self%/*}/$to; self=$to; done
. "${self%/*}/../lib/okstra/command.sh"
# shellcheck source=../lib/okstra/worker-exec.sh
. "$OKSTRA_ROOT/lib/okstra/worker-exec.sh"

okstra_worker_words() { # <model> [<extra>...]
  words=(-p "Read $worker_prompt and do what it says.")
  [[ -z $1 ]] || words+=(-m "$1")
  words+=("${@:2}")
}

okstra_worker_exec grok grok "$@"
