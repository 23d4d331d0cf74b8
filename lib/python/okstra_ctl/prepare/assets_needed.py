"""The files of okstra that a run cannot do without (P-059, P-060): asked for before it begins."""

from __future__ import annotations

from okstra_ctl.leads.runtimes import LeadRuntime
from okstra_ctl.prepare import task_index
from okstra_ctl.prepare.instruction_set_files import REPORT_TEMPLATE
from okstra_kernel import assets

LAUNCH_TEMPLATE = ("prompts", "launch.template.md")
LEAD_CONTRACT = ("prompts", "lead", "okstra-lead-contract.md")


def check_assets(runtime: LeadRuntime) -> None:
    """Raise UserError that names the first file that is missing."""
    adapter = ("prompts", *runtime.adapter_contract_path.split("/"))
    for relative in (
        task_index.TEMPLATE,
        REPORT_TEMPLATE,
        LEAD_CONTRACT,
        LAUNCH_TEMPLATE,
        adapter,
        assets.BRIEF_VALIDATOR_RELATIVE,
    ):
        assets.path(*relative)
