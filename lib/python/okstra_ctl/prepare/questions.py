"""Asks on the terminal for the inputs that are missing (L-018, Z-008, Z-064).

An answer that cannot be used is said so, and asked for again. The end of input ends the questions.
"""

from __future__ import annotations

import os
from typing import Callable, NamedTuple

from okstra_ctl.prepare.missing_inputs import Fields, missing, refuse
from okstra_ctl.roster import profiles_files
from okstra_kernel import UserError, terminal, texts
from okstra_project.slug import slugify


class Questions(NamedTuple):
    language: str
    project_root: str
    available: tuple[str, ...]  # task types that can be prepared

    def complete(self, fields: Fields) -> Fields:
        """Return the fields with all that is required. Raises UserError where nobody answers."""
        found = dict(fields)
        first = True
        while names := missing(found, _brief_rule(found)):
            if not terminal.is_there():
                raise refuse(names)
            if first:
                terminal.tell(self._text("intro"))
                first = False
            found[names[0]] = self._ask(names[0])
        return found

    def _ask(self, name: str) -> str:
        question, check = {
            "project_id": (self._project_id(), self._id),
            "task_group": (self._text("askTaskGroup"), self._id),
            "task_id": (self._text("askTaskId"), self._id),
            "task_type": (self._task_type_question(), self._task_type),
            "brief_path": (self._text("askTaskBrief"), self._file),
        }[name]
        suggestion = self._suggested_id() if name == "project_id" else ""
        return self._until_good(question, check, suggestion)

    def _until_good(self, question: str, check: Callable[[str], str], suggestion: str) -> str:
        while True:
            answer = terminal.ask(question)
            if answer is None:
                raise UserError(self._text("noAnswer"))
            word = answer.strip() or suggestion
            if not word:
                terminal.tell(self._text("emptyAnswer"))
                continue
            try:
                return check(word)
            except UserError as err:
                terminal.tell(str(err))

    def _text(self, name: str, **values: str) -> str:
        return texts.text(self.language, f"launcher.{name}", **values)

    def _id(self, word: str) -> str:
        try:
            slugify(word)
            if ":" in word:
                raise UserError(f"{word!r}: ':'")
        except UserError as err:
            raise UserError(self._text("invalidAnswer", reason=str(err))) from None
        return word

    def _file(self, word: str) -> str:
        path = os.path.join(self.project_root, os.path.expanduser(word))
        if not os.path.isfile(path):
            raise UserError(self._text("briefNotFound", path=path))
        return path

    def _project_id(self) -> str:
        suggestion = self._suggested_id()
        if suggestion:
            return self._text("askProjectIdDefault", default=suggestion)
        return self._text("askProjectId")

    def _suggested_id(self) -> str:
        name = os.path.basename(self.project_root).replace(":", "-")
        try:
            slugify(name)
        except UserError:
            return ""
        return name

    def _task_type_question(self) -> str:
        lines = [
            self._text(
                "taskTypeChoice",
                number=str(number),
                taskType=name,
                label=self._text(f"taskType.{name}"),
            )
            for number, name in enumerate(self.available, 1)
        ]
        return self._text("askTaskType", choices="\n".join(lines))

    def _task_type(self, word: str) -> str:
        if word.isascii() and word.isdigit() and 0 < int(word) <= len(self.available):
            return self.available[int(word) - 1]
        if word in self.available:
            return word
        if word in profiles_files.task_types():
            raise UserError(self._text("unavailableTaskType", value=word))
        count = str(len(self.available))
        raise UserError(self._text("invalidTaskType", value=word, count=count))


def _brief_rule(fields: Fields) -> str:
    """Return the profile's word on the brief; nothing before the task type is known."""
    name = fields.get("task_type", "")
    return profiles_files.load_role_profile(name).brief if name else ""
