# shellcheck shell=bash
# What okstra finds out about the installed CLIs is what these versions say (Z-090, Z-015).
# shellcheck source=surroundings.sh
. "${BASH_SOURCE[0]%/*}/surroundings.sh"

new_place
probe >"$PLACE/sentences"
check 'the sentences name the versions and miss no flag' holds \
  'text(words[0]).splitlines()[:2] == ["claude: version 2.1.332", "codex: version 0.171.0"]' "$PLACE/sentences"
check 'the record holds place, version and the flags okstra uses' holds \
  '{name: (c["executable"], c["version"], set(words[2:]) & set(c["flags"]))
    for name, c in read(words[0])["providers"].items()} == {
    "claude": (words[1] + "/claude", "2.1.332", {"--model", "--session-id", "-c"}),
    "codex": (words[1] + "/codex", "0.171.0", {"-m", "-s", "-c", "--no-daemon", "--model"})}' \
  "$OKSTRA_HOME/capabilities.json" "$PLACE/bin" --model --session-id -m -s -c --no-daemon
check 'the record keeps to its schema' sealed "$TREE/bin/okstra" validate "$OKSTRA_HOME/capabilities.json"
check 'asking started nothing that stays in their homes' holds \
  'not os.listdir(words[0]) and not os.path.exists(words[1] + "/app-server-daemon")' "$PLACE/빈 home" "$PLACE/codex"
check_no_process_left 5
finish
