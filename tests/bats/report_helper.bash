# shellcheck shell=bash
# shellcheck disable=SC2034 # what is set here, the tests read
# A run in ./빈 shop whose report is written and not yet finalized. Loaded after `test_helper`.

finished_run() {
  local paths
  export OKSTRA_HOME="$HOME/okstra home" OKSTRA_PYTHON
  mkdir -p "$OKSTRA_HOME" '빈 shop'
  cd '빈 shop' || return
  printf '# Checkout fails\n\nKeyError\n' >brief.md
  printf "raise ValueError('no rows')\n" >report.py
  paths=$("$OKSTRA_PYTHON" "$TREE/tests/support/finished_run.py" "$PWD" "$OKSTRA_HOME") || return
  { read -r MANIFEST && read -r STATE && read -r REPORT; } <<<"$paths"
  DATA=${REPORT%.md}.data.json
}
