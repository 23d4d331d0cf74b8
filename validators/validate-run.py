"""Check a finished run alone: python3 validators/validate-run.py <run-manifest.json>

Prints one JSON value with every breach: its contract, file, line and message. Exit status 0 when
the run keeps its contracts, 1 when it breaks one (`contract-violated`), 2 for unusable input.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib", "python"))

from okstra_ctl.reports import run_validation
from okstra_kernel import UserError


def main(paths: list[str]) -> int:
    if len(paths) != 1:
        sys.stderr.write("validate-run: name one run manifest\n")
        return 2
    try:
        status, text = run_validation.command(paths[0], os.environ)
    except UserError as err:
        sys.stderr.write(f"validate-run: {err}\n")
        return 2
    sys.stdout.write(f"{text}\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
