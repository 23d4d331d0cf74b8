"""The commands by which a project checks itself: `qaCommands` in `project.json` (P-044, P-121)."""

from __future__ import annotations

from okstra_kernel import UserError, strict_json

MEMBER = "qaCommands"


def validate_qa_commands(record: strict_json.Record) -> None:
    """Raise UserError that lists everything wrong with a project's commands at once."""
    faults = []
    names: set[str] = set()
    try:
        rows = record.records(MEMBER) if MEMBER in record else []
    except UserError as err:
        raise UserError(f"the project's commands cannot be used: {err}") from None
    for number, row in enumerate(rows, 1):
        try:
            name, command = row.text("name"), row.text("command")
        except UserError as err:
            faults.append(str(err))
            continue
        if not name.strip() or not command.strip():
            faults.append(f"number {number}: neither name nor command may be empty")
        elif name in names:
            faults.append(f"number {number}: this name is taken: {name}")
        names.add(name)
    if faults:
        raise UserError(f"the project's commands cannot be used: {'; '.join(faults)}")
