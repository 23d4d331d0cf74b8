"""Which option means something for which task types (L-079). Given elsewhere, it is a mistake.

An option that nothing would act on is refused rather than ignored: the caller meant something.
"""

from __future__ import annotations

from okstra_ctl.prepare.inputs import OPTIONS, PrepareInputs
from okstra_kernel import UserError

_IMPLEMENTATION = ("implementation",)
_PLANNING = ("implementation-planning",)
_ANALYSIS = ("requirements-discovery", "error-analysis", "improvement-discovery")

SCOPES = {
    "--executor": _IMPLEMENTATION,
    "--stage": ("implementation", "final-verification"),
    "--stages": ("release-handoff",),
    "--approve": _IMPLEMENTATION,
    "--approved-plan": ("implementation", "final-verification", "release-handoff"),
    "--implementation-option": _IMPLEMENTATION,
    "--qa-waiver": _IMPLEMENTATION,
    "--selected-direction": _PLANNING,
    "--no-direction": _PLANNING,
    "--reverify-scope": _PLANNING,
    "--analysis-target": _ANALYSIS,
    "--evidence-inputs": _ANALYSIS,
    "--pr-template-path": ("release-handoff",),
}


def check(inputs: PrepareInputs) -> None:
    """Raise UserError for an option that this task type has no use for. Blanks are not given."""
    for option, types in SCOPES.items():
        value = getattr(inputs, OPTIONS[option])
        given = value.strip() if isinstance(value, str) else value
        if given and inputs.task_type not in types:
            shown = f"={value}" if isinstance(value, str) else ""
            raise UserError(
                f"{option}{shown} goes with {' or '.join(types)}, not with {inputs.task_type}"
            )
    if not inputs.plan_verification_enabled and inputs.task_type not in _PLANNING:
        raise UserError(
            f"--no-plan-verification goes with {_PLANNING[0]}, not with {inputs.task_type}"
        )
