# shellcheck disable=SC2154 # output and stderr are set by run
load test_helper
load read_side

@test "an index and anchors, once (R-030, R-032)" {
  local before
  printf '# T\n\n### I-001 — cache it\n\n| C-001 | what order? |\n' >'보고 r.md'
  run -0 --separate-stderr okstra inject-report-index '보고 r.md' --report-language=ko
  [ "$output" = '보고 r.md' ]
  grep -q '^## 목차$' '보고 r.md'
  grep -q '^  - \[I-001\](#i-001) cache it$' '보고 r.md'
  grep -q '^| <a id="c-001"></a>C-001 |' '보고 r.md'
  before=$(tree_hash)
  run -0 okstra inject-report-index '보고 r.md' --report-language=ko
  [ "$(tree_hash)" = "$before" ]
}

@test "another language is a fault of usage (R-032)" {
  printf '# T\n' >r.md
  run -2 --separate-stderr okstra inject-report-index r.md --report-language=fr
  [[ $stderr == "okstra-inject-report-index: not a report's language: --report-language=fr"*Usage:* ]]
  [ "$(cat r.md)" = '# T' ]
}

@test "a file that is not there, or a link, is refused" {
  run -2 --separate-stderr okstra inject-report-index none.md --report-language=en
  [[ $stderr == *none.md* ]]
  printf '# T\n' >r.md && ln -s r.md l.md
  run -1 --separate-stderr okstra inject-report-index l.md --report-language=en
  [ "$(cat r.md)" = '# T' ]
}
