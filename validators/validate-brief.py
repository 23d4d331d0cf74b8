"""Check a brief alone: python3 validators/validate-brief.py <file>...

Prints each fault on a line of its own. Exit status 0 when every brief can be used, 1 when one
cannot, 2 when no file was named.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib", "python"))

from okstra_ctl.briefs import brief_files
from okstra_kernel import UserError


def main(paths: list[str]) -> int:
    if not paths:
        sys.stderr.write("validate-brief: name a file\n")
        return 2
    status = 0
    for path in paths:
        try:
            brief_files.load(path, path)
        except UserError as err:
            sys.stderr.write(f"validate-brief: {err}\n")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
