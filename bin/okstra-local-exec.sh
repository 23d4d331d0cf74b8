#!/bin/bash -p
# Summary: Run one turn of a worker of local
# Group: Plumbing
self=${BASH_SOURCE[0]}; [[ $self == */* ]] || self=./$self
while [[ -L $self ]]; do to=$(readlink "$self"); [[ $to == /* ]] || to=${self%/*}/$to; self=$to; done
. "${self%/*}/../lib/okstra/command.sh"
# shellcheck source=../lib/okstra/worker-exec.sh
. "$OKSTRA_ROOT/lib/okstra/worker-exec.sh"

okstra_worker_words() { # <model> [<extra>...]; the model is an engine
  words=(${1:+"--engine=$1"} "${@:2}")
}

okstra_worker_exec local "$OKSTRA_ROOT/bin/okstra-local-worker" "$@"
