"""The engine: a pure reducer over what was asked and answered (C-002 to C-006, Z-020).

Equal inputs give equal bytes: it reads no clock and no file, and everything is in the order of the
groups and of the roster. It knows neither task type nor provider; a vendor's family is data.
"""

from __future__ import annotations

from okstra_ctl.convergence import final, reduction, rounds, working
from okstra_ctl.convergence.ballot import COMPLETED, SCHEMA, Group, Members
from okstra_ctl.convergence.rounds import Standing
from okstra_ctl.convergence.working import FINAL, WORKING, State
from okstra_kernel import UserError
from okstra_kernel.strict_json import Record

OPEN = "open"  # of a finding on which a vote can still be had


class ConvergenceEngine:
    """Five abilities, and nothing that it remembers between them (C-003)."""

    def start(self, groups: Record) -> Members:
        """Return the working state of round 0 (C-050). Raises UserError."""
        working.versioned(groups)
        return self._members(working.begin(groups))

    def plan(self, record: Record) -> Members | None:
        """Return the plan of the next round; None when nothing is left (C-012, C-024)."""
        return rounds.plan_members(self.state(record))

    def apply(self, record: Record, plan: Record, results: Record) -> Members:
        """Return the working state with one round more (C-014). Raises UserError."""
        working.versioned(plan)
        working.versioned(results)
        return self._members(rounds.applied(self.state(record), plan, results))

    def apply_gaps(self, record: Record, batch: Record) -> Members:
        """Return the working state with the critic's batch (C-015, C-064). Raises UserError."""
        working.versioned(batch)
        if "dispatches" not in batch:
            raise UserError(
                f"{batch.where}: not a coverage batch: a gap without votes has not been verified",
                next_step="okstra convergence example --kind coverage-batch",
            )
        state = self.state(record)
        if rounds.plan(state):
            raise UserError(f"{record.where}: the main queue is not terminal yet")
        if state.coverage:
            raise UserError(f"{record.where}: it has its coverage batch already")
        return self._members(state._replace(coverage=_fitting(state, batch)))

    def finish(self, record: Record) -> Members:
        """Return the final state (C-016). Raises UserError while a finding is open."""
        state = self.state(record)
        left = rounds.plan(state)
        if left:
            names = sorted({name for _, batch in left for name in batch})
            raise UserError(f"{record.where}: not terminal yet: {', '.join(names[:20])}")
        return final.members(state)

    def check(self, record: Record) -> None:
        """Raise UserError for a state that its own inputs do not make (C-017).

        A final one is judged by the votes it holds.
        """
        if record.members.get("kind") == FINAL:
            final.check(record)
            return
        state = self.state(record)
        if self.again(state) != record.members:
            raise UserError(f"{record.where}: not what its own rounds make")

    def again(self, state: State) -> Members:
        """Return the working state that the inputs of this one make, round by round (Z-020)."""
        return self._members(_replayed(state))

    def state(self, record: Record) -> State:
        """Return what a working state's inputs are. Raises UserError."""
        return working.read(record)

    def _members(self, state: State) -> Members:
        now = rounds.standing(state)
        pending = {name for _, batch in rounds.plan(state) for name in batch}
        found = [
            {
                "findingId": group.finding_id,
                "class": OPEN if group.finding_id in pending else _class(state, group, now),
            }
            for group in state.groups
        ]
        head = {"schemaVersion": SCHEMA, "kind": WORKING}
        return {**head, **working.members(state), "findings": found}


def _replayed(state: State) -> State:
    """Return the state that comes of asking and answering anew. Raises UserError."""
    fresh = state._replace(rounds=(), coverage=None)
    for one in state.rounds:
        told = working.round_members(one)
        asked = {**told, "schemaVersion": SCHEMA}
        fresh = rounds.applied(fresh, Record(asked, "rounds"), Record(told, "rounds"))
    if state.coverage:
        batch = Record(working.coverage_members(state.coverage), "coverage")
        fresh = fresh._replace(coverage=_fitting(fresh, batch))
    return fresh


def _class(state: State, group: Group, now: Standing) -> str:
    votes = [(verdict, good) for _, verdict, good in now.votes[group.finding_id].values()]
    count = reduction.tally(votes)
    voters = len(rounds.able(state, group.raised_by))
    return reduction.classify(count, voters, adversarial=state.adversarial)


def _fitting(state: State, batch: Record) -> working.Coverage:
    """Return a coverage batch whose votes are all from workers that answered. Raises UserError."""
    coverage = working.coverage_of(batch)
    order = {voter.worker_id: place for place, voter in enumerate(state.roster)}
    ended = {worker: status for worker, status, _ in coverage.dispatches}
    faults = [f"{worker}: not in the roster" for worker in ended if worker not in order]
    faults += [f"{worker}: no dispatch" for worker in order if worker not in ended]
    for gap in coverage.gaps:
        given = {worker for worker, _ in gap.votes}
        for worker, status in ended.items():
            if (status == COMPLETED) != (worker in given):
                what = "no verdict" if worker not in given else f"a vote, though it ended {status}"
                faults.append(f"{worker} {gap.gap_id}: {what}")
        faults += [f"{who} {gap.gap_id}: not dispatched" for who in sorted(given - set(ended))]
    if faults:
        raise UserError(f"{batch.where}: {len(faults)} faults", details=faults)
    gaps = tuple(
        gap._replace(votes=tuple(sorted(gap.votes, key=lambda pair: order[pair[0]])))
        for gap in coverage.gaps
    )
    return coverage._replace(
        dispatches=tuple(sorted(coverage.dispatches, key=lambda row: order[row[0]])), gaps=gaps
    )
