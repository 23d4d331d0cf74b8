"""Where a command's usage text, its answer, its errors and its exit status meet (Z-060, G-023).

docopt matches the words to the usage text. Done here is what it does not: it takes `--team` for
`--team-state`, keeps a `--` among the arguments, and cannot say which word it stumbled over.
House rule for usage texts: a value is written `--name=<value>`, and -h is the only short option.
"""

from __future__ import annotations

import os
import re
import sys
from types import MappingProxyType
from typing import Any, Callable, Iterable, Mapping, NoReturn

from okstra_kernel import UserError
from okstra_kernel.notice import printable, tell

Arguments = dict[str, Any]  # what docopt read, by the names in the usage text
Answer = tuple[int, str]  # exit status, text for stdout

_NOTHING: Mapping[str, str] = MappingProxyType({})
_OPERAND = r"(?<!=)<[^>]+>|(?<!\S)[a-z]\S*"  # in a line of the usage: <argument> or command


class UsageError(UserError):
    """A word on the command line that does not fit: the usage is shown, too."""


def main(
    usage: str, run: Callable[[Arguments], Answer], *, retired: Mapping[str, str] = _NOTHING
) -> NoReturn:
    """Parse the command line, run, print the answer, exit with its status.

    `retired` names options of old and what stands in their place (Z-112).
    """
    command = os.path.basename(sys.argv[0]).removeprefix("okstra-")

    def work() -> Answer:
        _refuse_retired(sys.argv[1:], retired)
        return run(parse(usage, command, sys.argv[1:]))

    answer(work, usage)


def answer(work: Callable[[], Answer], usage: str = "") -> NoReturn:
    """Do the work, print what it answers, exit with its status. For words that Bash has read."""
    name = os.path.basename(sys.argv[0])
    command = name.removeprefix("okstra-")
    try:
        status, text = work()
    except UserError as err:
        _tell_fault(err)
        if isinstance(err, UsageError):
            called = name if name == command else f"okstra {command}"
            tell(f"{_usage_section(usage)}see {called} --help")
        sys.exit(err.status)
    if text:
        say(text)
    sys.exit(status)


def run_words(words: list[str], run: Callable[[list[str]], Answer | None]) -> NoReturn:
    """Run on words that need no parsing, print the answer, exit with its status."""
    try:
        status, text = run(words) or (0, "")
    except UserError as err:
        _tell_fault(err)
        sys.exit(err.status)
    if text:
        say(text)
    sys.exit(status)


def _tell_fault(err: UserError) -> None:
    tell(f"{os.path.basename(sys.argv[0])}: {printable(str(err))}")
    for line in err.details:
        tell(f"  {printable(line)}")
    if err.next_step:
        tell(f"next: {printable(err.next_step)}")


def _refuse_retired(words: list[str], retired: Mapping[str, str]) -> None:
    for word in words:
        option = word.partition("=")[0]
        if word == "--":
            return
        if option in retired:
            raise UserError(f"{option} is no longer an option; use {retired[option]}")


def say(text: str) -> None:
    """Print to stdout. Unwritten is unsaid: exit 1, or quietly 141 when the reader has gone."""
    try:
        print(text, flush=True)
    except OSError as err:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python would try again on its way out
        if isinstance(err, BrokenPipeError):
            sys.exit(141)
        tell(f"{os.path.basename(sys.argv[0])}: cannot write to stdout: {err.strerror}")
        sys.exit(1)


def seconds(arguments: Arguments, option: str) -> int:
    """Read an option as a span of time. Raises UsageError."""
    text = arguments[option]
    if not re.fullmatch("[0-9]{1,9}", text):
        raise UsageError(f"not a number of seconds: {option}={text}")
    return int(text)


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that was most likely meant, or an empty string."""
    import difflib

    words = sorted(known)
    longer = [k for k in words if k.startswith(word)]
    return next(iter(longer or difflib.get_close_matches(word, words, n=1)), "")


def parse(usage: str, command: str, words: list[str]) -> Arguments:
    """Return docopt's reading of the words. Raises UsageError naming the word at fault."""
    from docopt import DocoptExit, docopt

    end = words.index("--") if "--" in words else len(words)
    before, after = words[:end], words[end + 1 :]
    options, operands = _sort(before, usage)
    # After `--` a dash begins no option. A NUL, which no argument can hold, hides it from docopt.
    hidden = [f"\0{word}" if word.startswith("-") else word for word in after]
    try:
        named = [command] if f"okstra {command}" in usage else []  # okstra.sh has its name alone
        found = docopt(usage, [*named, *before, *hidden])
    except DocoptExit:
        raise UsageError(_misfit(usage, command, options, operands + after)) from None
    return {name: _unhide(value) for name, value in found.items()}


def _unhide(value: Any) -> Any:
    if isinstance(value, list):
        return [_unhide(one) for one in value]
    return value.removeprefix("\0") if isinstance(value, str) else value


def _sort(words: list[str], usage: str) -> tuple[list[str], list[str]]:
    """Part the options' names from the operands. Raises UsageError for an option's fault."""
    named = re.findall(r"(?<![\w-])(--?[a-z][a-z0-9-]*)(=?)", usage)
    known, valued = {name for name, _ in named}, {name for name, equals in named if equals}
    options, operands = [], []
    rest = iter(words)
    for word in rest:
        name, equals, _ = word.partition("=")
        if not word.startswith("-") or not word.strip("-.0123456789"):  # also -1
            operands.append(word)
            continue
        if name not in known:
            raise UsageError(f"unknown option: {name}{_hint(name, known)}")
        if equals and name not in valued:
            raise UsageError(f"option takes no value: {name}")
        if name in valued and not equals and next(rest, None) is None:
            raise UsageError(f"option needs a value: {name}")
        options.append(name)
    return options, operands


def _misfit(usage: str, command: str, options: list[str], operands: list[str]) -> str:
    """Name what is missing or too much in words that fit no line of the usage text."""
    section = re.sub("\n {4,}", " ", _usage_section(usage))  # a long line goes on in the next
    lines = [x.partition(f" {command}")[2] for x in section.splitlines()[1:]]
    verbs = [line.split()[0] for line in lines if re.match(" [a-z]", line)]
    if verbs and not operands:
        return f"missing: {' or '.join(dict.fromkeys(verbs))}"
    if verbs and operands[0] not in verbs:
        return f"unknown command: {operands[0]}{_hint(operands[0], verbs)}"
    line = next((x for x in lines if x.split()[:1] == operands[:1]), lines[0])
    counts = ", ".join(f"{options.count(o)} x {o}" for o in dict.fromkeys(options))
    return (
        _missing(line, options, operands)
        or _surplus(line, options, operands)
        or _rivals(line, options)
        or f"these do not go together: {counts}"
    )


def _missing(line: str, options: list[str], operands: list[str]) -> str:
    optional = r"\[[^][]*\]|\([^()]*\|[^()]*\)"  # [this] and (this | that), from the inside out
    while re.search(optional, line):
        line = re.sub(optional, "", line)
    needed = re.findall("--[a-z0-9-]+(?:=<[^>]+>)?", line)
    missing = [option for option in needed if option.partition("=")[0] not in options]
    missing += re.findall(_OPERAND, line)[len(operands) :]
    return f"missing: {' '.join(missing)}" if missing else ""


def _surplus(line: str, options: list[str], operands: list[str]) -> str:
    repeatable = " ".join(re.findall(r"\([^()]*\)\.\.\.|\S+\.\.\.", line))
    for option in dict.fromkeys(options):
        if options.count(option) > 1 and option not in repeatable:
            return f"given more than once: {option}"
    places = len(re.findall(_OPERAND, line))
    if len(operands) > places and not re.search(_OPERAND, repeatable):
        return f"unexpected: {operands[places]}"
    return ""


def _rivals(line: str, options: list[str]) -> str:
    """Name two options of which one alone can be given, as in `[--a | --b]`."""
    for group in re.findall(r"[\[(]([^][()]*\|[^][()]*)[\])]", line):
        branches = [re.findall("--[a-z0-9-]+", branch) for branch in group.split("|")]
        given = [next((o for o in names if o in options), "") for names in branches]
        if len(rivals := [option for option in given if option]) > 1:
            return f"these do not go together: {', '.join(rivals)}"
    return ""


def _hint(word: str, known: Iterable[str]) -> str:
    near = nearest(word, known)
    return f"; did you mean {near}?" if near else ""


def _usage_section(usage: str) -> str:
    found = re.search(r"^Usage:\n(?: .*\n)+", usage, re.MULTILINE)
    return found[0] if found else ""
