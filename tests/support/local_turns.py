"""What a lead writes before workers of `local` are started: prompts and a jobs file.

    local_turns.py <project> <manifest> <kind> [<round plan> <groups>]
    local_turns.py <project> <manifest> report <final state>

Prints the path of the jobs file, relative to the project.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

Members = dict[str, Any]


def read(path: Path) -> Members:
    members: Members = json.loads(path.read_text(encoding="utf-8"))
    return members


def findings(groups: Members, wanted: list[str]) -> str:
    """Return the fenced findings that a voter is asked about."""
    lines = ["BEGIN DATA 0123456789abcdef findings"]
    for group in groups["groups"]:
        if group["findingId"] in wanted:
            places = ", ".join(f"`{place}`" for place in group["evidence"])
            lines += [f"### {group['findingId']}", f"- Title: {group['title']}"]
            lines += [f"- Claim: {group['claim']}", f"- Evidence: {places}"]
    return "\n".join([*lines, "END DATA 0123456789abcdef findings"])


def write(root: Path, manifest: Members, worker: str, kind: str, role: str, more: str) -> Members:
    """Write one prompt and return its job."""
    row = manifest["invocationAssignments"][f"initial/{worker}"]
    run, seq, task_type = manifest["runDir"], manifest["seq"], manifest["taskType"]
    middle = "" if kind == "initial" else f"-{kind}"
    prompt = f"{run}/prompts/{worker}{middle}-{task_type}-{seq}.md"
    box = root / run / "outbox" / f"{worker}-{kind}-{seq}"
    brief = root / "brief.md"
    headers = {
        "Worker": worker,
        "Project Root": root,
        "Result Path": box / "result.md",
        "Audit Path": box / "audit.md",
        "Errors log path": box / "errors.json",
        "Task Key": manifest["taskKey"],
        "Task Type": task_type,
        "Seq": seq,
        "Dispatch Kind": kind,
        "Provider": row["provider"],
        "Model": row["modelExecutionValue"],
        "Role": "analyser" if kind == "initial" else role,
        "Brief": brief,
        "Evidence ledger": "required-v1",
    }
    sha = hashlib.sha256(brief.read_bytes()).hexdigest()[:12]
    lines = [f"**{name}:** {value}" for name, value in headers.items()]
    text = "\n".join([*lines, "", f"- `{brief}` sha256:{sha}", "", more, ""])
    (root / prompt).parent.mkdir(parents=True, exist_ok=True)
    (root / prompt).write_text(text, encoding="utf-8")
    results = f"{run}/worker-results/{worker}"
    result = f"{results}{middle}-{task_type}-{seq}.md"
    audit = f"{results}{middle}-audit-{task_type}-{seq}.md"
    return {
        "workerId": worker,
        "provider": row["provider"],
        "role": "analyser" if kind == "initial" else f"worker-{kind}",
        "modelExecutionValue": row["modelExecutionValue"],
        "promptPath": prompt,
        "resultPath": result,
        "workerResultPath": audit,
        "completionPaths": [result, audit],
    }


def report(root: Path, manifest_path: str, manifest: Members, state: str) -> Members:
    """Write the report writer's prompt and return its job."""
    headers = {
        "Run Manifest": root / manifest_path,
        "Convergence State": root / state,
        "Report Language": "en",
    }
    more = "\n".join(f"**{name}:** {value}" for name, value in headers.items())
    job = write(root, manifest, "report-writer", "report", "report-writer", more)
    prompt = root / job["promptPath"]
    text = prompt.read_text(encoding="utf-8")
    prompt.write_text(text.replace("/result.md\n", "/result.data.json\n"), encoding="utf-8")
    name = f"final-report-{manifest['taskType']}-{manifest['seq']}.data.json"
    result = f"{manifest['runDir']}/reports/{name}"
    paths = [result, job["workerResultPath"]]
    return {**job, "role": "report-writer", "resultPath": result, "completionPaths": paths}


def main(words: list[str]) -> str:
    root, kind = Path(words[0]), words[2]
    manifest = read(root / words[1])
    jobs = []
    if kind == "initial":
        for row in manifest["workerAssignments"]:
            if row["role"] == "analyser":
                jobs.append(write(root, manifest, row["workerId"], kind, "analyser", ""))
    elif kind == "report":
        jobs.append(report(root, words[1], manifest, words[3]))
    else:
        plan, groups = read(root / words[3]), read(root / words[4])
        for batch in plan["batches"]:
            more = findings(groups, batch["findingIds"])
            jobs.append(write(root, manifest, batch["workerId"], kind, "verifier", more))
    path = f"{manifest['runDir']}/state/jobs-{kind}.json"
    members = {"schemaVersion": 1, "dispatchKind": kind, "jobs": jobs}
    (root / path).write_text(json.dumps(members), encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{main(sys.argv[1:])}\n")
