# shellcheck disable=SC2154 # output and stderr are set by run
load test_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal || return
  export OKSTRA_HOME="$HOME/okstra home"
  mkdir -p "$OKSTRA_HOME" '빈 shop'
  NAME='빈 shop/final-report-error-analysis-001'
  sample >"$NAME.data.json"
}

sample() { "$OKSTRA_PYTHON" "$TREE/tests/support/report_samples.py" "$@"; }

@test "the page is made of the data, named by any of its forms, and is the same each time (R-035, R-048)" {
  run -0 --separate-stderr okstra render-views "$NAME.data.json"
  [[ $output == "$NAME.html" && -z $stderr ]]
  cp "$NAME.html" first.html
  cp "$NAME.data.json" before.json
  run -0 okstra render-views "$NAME.md"
  cmp first.html "$NAME.html"
  cmp before.json "$NAME.data.json"
}

@test "the page has a policy, the digest of its source and no address (R-036, R-043, Z-052)" {
  run -0 okstra render-views "$NAME.data.json"
  grep -q "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" "$NAME.html"
  run -1 grep -E 'https?:|src=|url\(' "$NAME.html"
  digest=$("$OKSTRA_PYTHON" -c 'import hashlib,sys; print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$NAME.data.json")
  grep -q "name=\"okstra-source-sha256\" content=\"$digest\"" "$NAME.html"
}

@test "a Korean report has a Korean page (R-028)" {
  sample ko >"$NAME.data.json"
  run -0 okstra render-views "$NAME.data.json"
  grep -q '<html lang="ko">' "$NAME.html"
  grep -q '누가 반대하는가' "$NAME.html"
}

@test "a report that is Markdown alone has a page only when it asks something (R-045, Z-103)" {
  report='빈 shop/final-report-improvement-discovery-001'
  printf -- '---\nreport-language: ko\n---\n# Ideas\n\nNone.\n' >"$report.md"
  run -0 okstra render-views "$report.md"
  [[ $output == 'html: skipped ('*')' && ! -e $report.html ]]
  printf -- '---\nreport-language: ko\n---\n# Ideas\n\n| ID | Kind |\n|---|---|\n| C-001 | <b>decision</b> |\n' >"$report.md"
  run -0 okstra render-views "$report.md"
  [[ $output == "$report.html" ]]
  grep -q '<td>&lt;b&gt;decision&lt;/b&gt;</td>' "$report.html"
  grep -q '<html lang="ko">' "$report.html"
}

@test "a source that is missing or neither form: exit 2 with the path (R-049)" {
  run -2 --separate-stderr okstra render-views nowhere.md
  [[ $stderr == *'no such report: nowhere.data.json'* ]]
  echo x >notes.txt
  run -2 --separate-stderr okstra render-views notes.txt
  [[ $stderr == *'notes.txt'* ]]
}
