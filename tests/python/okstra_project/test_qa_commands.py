from __future__ import annotations

import pytest

from okstra_kernel import UserError, strict_json
from okstra_project.qa_commands import validate_qa_commands


@pytest.mark.parametrize(
    "text",
    ["{}", '{"qaCommands": []}', '{"qaCommands": [{"name": "t", "command": "make test"}]}'],
)
def test_commands_that_can_be_used(text: str) -> None:
    validate_qa_commands(strict_json.parse(text, "project.json"))


def test_all_faults_are_told_at_once() -> None:
    text = """{"qaCommands": [{"name": "a"}, {"name": "b", "command": " "},
        {"name": "c", "command": "x"}, {"name": "c", "command": "y"},
        {"name": 5, "command": "z"}]}"""
    with pytest.raises(UserError) as caught:
        validate_qa_commands(strict_json.parse(text, "project.json"))
    assert str(caught.value) == (
        "the project's commands cannot be used: "
        "project.json: $.qaCommands[0].command: expected text, found nothing; "
        "number 2: neither name nor command may be empty; "
        "number 4: this name is taken: c; "
        "project.json: $.qaCommands[4].name: expected text, found a number"
    )


@pytest.mark.parametrize("text", ['{"qaCommands": {}}', '{"qaCommands": ["make"]}'])
def test_what_is_no_list_of_commands_is_named(text: str) -> None:
    with pytest.raises(UserError, match=r"the project's commands cannot be used: .*qaCommands"):
        validate_qa_commands(strict_json.parse(text, "project.json"))
