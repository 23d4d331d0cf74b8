# shellcheck shell=bash
# The real claude and codex as the two analysers of whole runs without a session: `okstra run
# external` from a brief to a validated report (H-020, H-052). They read the code, find, vote on each
# other's claims, and claude writes the report; in a second run the service refuses codex.
# shellcheck source=surroundings.sh
. "${BASH_SOURCE[0]%/*}/surroundings.sh"

okstra() {
  sealed env OKSTRA_WRAPPER_IDLE_SECONDS=60 "$TREE/bin/okstra" "$@"
}

plant() { # the project that the brief is about, and what is not okstra's in it
  cat >discount.py <<'PY'
RATES = {"gold": 0.2, "silver": 0.1}


def rate(tier):
    return RATES[tier]


def receipt(cart):
    """A row is a price and the tier of its buyer."""
    tier = cart[0][1]
    total = sum(price for price, _ in cart)
    return round(total * (1 - rate(tier)), 2)
PY
  sealed git add brief.md discount.py
  sealed git -c user.name=t -c user.email=t@localhost commit -qm second
}

outside() { # a digest of all that is not okstra's, and what git says of it
  find . -path ./.okstra -prune -o -path ./.git -prune -o -type f -exec cksum {} + | LC_ALL=C sort
  sealed git rev-parse HEAD
  sealed git status --porcelain | sed '/ \.okstra\/$/d'
}

told() { # <name>; a reply, its front matter and the end of its kind included
  case $1 in
    *-findings) cat "$REPLIES/front.md" "$REPLIES/$1.md" "$REPLIES/closing.md" ;;
    *-votes) cat "$REPLIES/front.md" "$REPLIES/$1.md" ;;
  esac
}

patch() { # <name>; that reply and the audit file, as a patch of codex's
  printf '*** Begin Patch\n*** Add File: <<Result Path>>\n'
  told "$1" | sed 's/^/+/'
  printf '*** Add File: <<Audit Path>>\n'
  sed 's/^/+/' "$REPLIES/audit.md"
  printf '*** End Patch\n'
}

start_service() {
  start_model headless.json "AUDIT=$(cat "$REPLIES/audit.md")"$'\n' \
    "CLAUDE_FINDINGS=$(told claude-findings)"$'\n' "CODEX_FINDINGS=$(patch codex-findings)"$'\n' \
    "CLAUDE_VOTES=$(told claude-votes)"$'\n' "CODEX_VOTES=$(patch codex-votes)"$'\n'
  codex_worker_settings
}

drive() { # <task id>; sets STATUS and the files of the run
  local task
  task=$(printf '%s' "$1" | tr '[:upper:]' '[:lower:]')
  RUN=.okstra/tasks/checkout/$task/runs/error-analysis
  STATE=$RUN/state/team-state-error-analysis-001.json
  FINAL=$RUN/state/convergence-error-analysis-001.json
  REPORT=$RUN/reports/final-report-error-analysis-001
  STATUS=0
  okstra run external --project-id=shop --task-group=checkout --task-id="$1" --task-type=error-analysis \
    --task-brief=brief.md --workers=claude,codex --role-count=analyser=2 --role-model=analyser=claude/sonnet \
    --role-model=analyser=codex/gpt-5.5 --yes --json >"$PLACE/$task.json" 2>"$PLACE/$task.told" || STATUS=$?
  ((STATUS == 0)) || sed 's/^/# /' "$PLACE/$task.json" "$PLACE/$task.told"
}

valid() { # all that the run keeps, its report too
  okstra validate "$REPORT.data.json" "$STATE" "$RUN"/manifests/*.json "$RUN"/state/*.json &&
    [[ -s $REPORT.md && -s $REPORT.html ]]
}

replayed() { # and something was there to compute
  okstra convergence replay --run-dir="$RUN" --json >"$PLACE/replay.json" &&
    holds '(lambda told: told["ok"] and len(told["checked"]) >= int(words[1]) and not told["differences"])(read(words[0]))' \
      "$PLACE/replay.json" "$1"
}

# What `show` prints where a person looks, in $PLACE/table. To say that a pane is dead, tmux moves all
# of it up a line: the heads are then in its history.
show_table() {
  start_pane "$TREE/bin/okstra" convergence show --run-dir="$RUN"
  wait_for 20 ended_with 0 || :
  tmux -S "$PLACE/tmux" capture-pane -p -S - -t lead | sed '/^ *$/d; /^Pane is dead/d' >"$PLACE/table"
  end_pane
}

shown() { # <line>...; of the table, each from its beginning
  local table row
  table=$'\n'$(tr -s ' ' <"$PLACE/table")
  for row; do [[ $table == *$'\n'"$row"* ]] || return; done
}

# Class, confidence and votes of each finding, as the final state has them.
votes() {
  holds '[[f["class"], f["confidence"], f["raisedBy"], f["alsoRaisedBy"],
    [[v["workerId"], v["verdict"], v["basisVerified"]] for v in f["votes"]]]
    for f in read(words[0])["findings"]] == json.loads(words[1])' "$FINAL" "$1"
}

# Of each dispatch: worker, kind, status, reason, model asked for and model told.
dispatched() { # <row>...
  holds 'sorted(" ".join([d["workerId"], d["dispatchKind"], d["status"], d["reason"] or "-", d["modelExecutionValue"],
    d["modelUsed"] or "-"] + ["mismatch"] * d["modelMismatch"]) for d in read(words[0])["workerDispatches"]) == words[1:]' \
    "$STATE" "$@"
}

# What the service told each worker of this task, by class, is what `token-usage` counts.
counted() { # <task id>
  okstra token-usage "$STATE" >"$PLACE/usage.json" && holds '(lambda told: told and {
      name: [one["exact"], one["inputTokens"], one["outputTokens"], one["cacheReadTokens"], one["cacheWriteTokens"]]
      for name, one in read(words[1])["workers"].items() if name in words[3:]} == told)({
    worker: [True] + [sum(r["usage"][n] for r in asked) for n in ("input", "output", "cacheRead", "cacheWrite")]
    for worker in words[3:] for asked in [[r for r in rows(words[0]) if r.get("usage")
      and all(f"**{n}:** {v}\\n" in json.dumps(r["body"]) for n, v in (("Worker", worker), ("Task Key", words[2])))]] if asked})' \
    "$PLACE/requests.jsonl" "$PLACE/usage.json" "shop:checkout:$1" "${@:2}"
}

answered() { # nothing was asked for that the script has no reply to
  ! grep -q 'no reply left' "$PLACE/requests.jsonl"
}

# What the report says of a worker, in its data and to people.
seat() { # <worker> <status> <reason> <a line of the Markdown>
  holds '[[e["status"], [d["reason"] for d in e["dispatches"]][-1]] for e in read(words[0])["executionStatus"]
    if e["workerId"] == words[1]] == [words[2:]]' "$REPORT.data.json" "$1" "$2" "$3" && grep -qF -- "$4" "$REPORT.md"
}

REPLIES=$HERE/replies/headless
new_place
claude_settings
plant
start_service
before=$(outside)

drive DEV-1
check 'okstra run external ends with 0' test "$STATUS" = 0
check 'the report and all records are valid' valid
check 'each turn went well; claude tells its model, codex does not' dispatched \
  'claude-analyser initial completed - sonnet claude-sonnet-5-5' \
  'claude-analyser reverify-r1 completed - sonnet claude-sonnet-5-5' \
  'codex-analyser initial completed - gpt-5.5 -' 'codex-analyser reverify-r1 completed - gpt-5.5 -' \
  'report-writer report-writer completed - sonnet claude-sonnet-5-5'
check 'the votes are those that the model gave, and no author votes on its own claim' votes '[
  ["consensus", "high", ["claude-analyser"], ["codex-analyser"], [["codex-analyser", "agree", true]]],
  ["consensus", "high", ["claude-analyser"], [], [["codex-analyser", "agree", true]]],
  ["consensus", "high", ["codex-analyser"], [], [["claude-analyser", "supplement", true]]]]'
show_table
check 'okstra convergence show: who raised, who found the same, who voted how, and the caveat' shown \
  'finding class confidence claude-analyser codex-analyser claim' \
  'F-001 consensus high raised found + A tier that begins' 'F-002 consensus high raised + An empty cart' \
  'F-003 consensus high +* raised The total is rounded' ' F-003 claude-analyser: opened '
check 'okstra convergence replay: all of it comes out again, byte for byte' replayed 10
check 'okstra token-usage: of each worker what the service told' counted DEV-1 claude-analyser codex-analyser report-writer
table=$(<"$PLACE/table") usage=$(okstra token-usage --summary "$STATE" | sed '/^unknown: /d')

drive DEV-2
check 'codex gets 401: okstra run external ends with 0 all the same' test "$STATUS" = 0
check 'codex gets 401: the report and all records are valid' valid
check 'codex gets 401: its seat is lost, and it is not started again' dispatched \
  'claude-analyser initial completed - sonnet claude-sonnet-5-5' 'codex-analyser initial error auth-required gpt-5.5 -' \
  'report-writer report-writer completed - sonnet claude-sonnet-5-5'
check 'codex gets 401: the report tells whose seat is empty, and why' seat codex-analyser error auth-required \
  '| missing-seat | codex-analyser | Ended error: auth-required: unexpected status 401 Unauthorized'
check 'codex gets 401: with nobody else to vote no claim is taken for agreed' votes '[
  ["unverified", "low", ["claude-analyser"], [], []], ["unverified", "low", ["claude-analyser"], [], []]]'
check 'codex gets 401: it is replayed, too' replayed 4
check 'codex gets 401: the tokens of the others are counted' counted DEV-2 claude-analyser report-writer

check 'nothing that is not okstra'"'"'s has changed in the project' test "$(outside)" = "$before"
check 'the script had a reply to each request' answered
end_model
check_no_process_left 10
printf '%s\n' "$table" '' "$usage" | sed 's/^/# /'
finish
