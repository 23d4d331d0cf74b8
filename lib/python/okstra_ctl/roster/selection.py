"""All that chooses who works, from whatever entrance, becomes one selection (L-140 to L-149).

A selection names each place of the run with its provider, and a model where one was asked for. It
is checked against the profile here; `plan` fills in models, runners and worker ids.
"""

from __future__ import annotations

from typing import Mapping, NamedTuple, Sequence

from okstra_ctl.providers import registry
from okstra_ctl.roster import roles
from okstra_ctl.roster.profiles import Profile
from okstra_kernel import UserError

CRITIC_OFF = "off"


class Flags(NamedTuple):
    """What was given, word for word; empty: not given."""

    workers: str = ""  # csv of provider ids
    role_count: tuple[str, ...] = ()  # <role>=<n>
    role_model: tuple[str, ...] = ()  # <role>=<provider>[/<model>], one for each place
    provider_models: Mapping[str, str] = {}  # from --claude-model and its like
    executor: str = ""
    critic: str = ""
    lead_provider: str = ""
    lead_model: str = ""
    report_writer_model: str = ""


class Slot(NamedTuple):
    provider: str
    model: str = ""  # as asked for; empty: whatever is the default


class Selection(NamedTuple):
    lead: Slot  # an empty provider: the host's
    slots: Mapping[str, tuple[Slot, ...]]  # by plan role, for each role of the profile
    provider_models: Mapping[str, str]


def select(flags: Flags, profile: Profile) -> Selection:
    """Return the selection that the flags make. Raises UserError, naming the flag or value."""
    critic = parse_critic(flags.critic, profile)  # first, as L-095 has it
    workers = parse_workers(flags.workers, profile)
    counts = _counts(flags.role_count, profile)
    asked = _role_models(flags.role_model, profile)
    lead = _lead(flags, asked.pop(roles.LEADER, ()))
    _ask_one(asked, roles.IMPLEMENTER, flags.executor.strip().casefold(), "--executor", profile)
    if critic == CRITIC_OFF and (asked.get(roles.CRITIC) or counts.get(roles.CRITIC)):
        raise UserError("--critic off contradicts another flag that asks for a critic")
    _ask_one(asked, roles.CRITIC, critic.replace(CRITIC_OFF, ""), "--critic", profile)
    if flags.report_writer_model.strip():
        _ask_report_writer(asked, flags.report_writer_model.strip(), workers, profile)
    slots = {
        role: _fill(role, asked.get(role, ()), counts.get(role), workers, profile)
        for role in profile.roles
    }
    models = {name: m.strip() for name, m in flags.provider_models.items() if m.strip()}
    return Selection(lead, slots, models)


def parse_workers(text: str, profile: Profile) -> tuple[str, ...]:
    """Return the providers of --workers, each once. Raises UserError for others (L-140, P-123)."""
    words = [word.strip() for word in text.split(",")]
    words = list(dict.fromkeys(word for word in words if word))
    unknown = [word for word in words if word not in profile.providers]
    if unknown:
        allowed = f"{profile.task_type} takes provider ids: {', '.join(profile.providers)}"
        raise UserError(f"unknown workers: {', '.join(unknown)}; {allowed}")
    return tuple(words)


def parse_critic(text: str, profile: Profile) -> str:
    """Return a provider, `off`, or an empty text for none. Raises UserError (L-147)."""
    value = text.strip().lower()
    if value in ("", CRITIC_OFF):
        return value
    allowed = [CRITIC_OFF]
    if roles.CRITIC in profile.roles:
        allowed = [*_able(roles.CRITIC, profile), *allowed]
    if value not in allowed:
        listed = f"{profile.task_type} allows: {', '.join(allowed)}"
        raise UserError(f"not a critic: --critic={text.strip()}; {listed}")
    return value


def parse_reference(text: str) -> Slot:
    """Return what <provider>[/<model>] names (L-145). Raises UserError."""
    provider, slash, model = text.strip().partition("/")
    if slash and not model.strip():
        raise UserError(f"no model behind the slash: {text!r}")
    return Slot(registry.provider_spec(provider).name, model.strip())


def candidates(role: str, workers: Sequence[str], profile: Profile) -> tuple[str, ...]:
    """Return the providers that may fill a role nobody chose one for, best first.

    Of --workers, in its order, for a role of many places; the profile's order otherwise. A user
    who names workers is not given another provider, unless none of them can do the role.
    """
    able = _able(role, profile)
    many = profile.roles[role].max > 1
    named = [p for p in workers if p in able] if many else [p for p in able if p in workers]
    return tuple(named) or able


def _fill(
    role: str, asked: Sequence[Slot], count: int | None, workers: Sequence[str], profile: Profile
) -> tuple[Slot, ...]:
    """Return a role's places: those asked for, then others up to the number of them."""
    bounds = profile.roles[role]
    others = [p for p in candidates(role, workers, profile) if all(p != s.provider for s in asked)]
    if count is None and workers and bounds.max > 1:
        count = max(len(asked) + sum(p in workers for p in others), bounds.min)
    elif count is None:
        count = max(len(asked), bounds.min) if asked else bounds.default
    _check_count(role, max(count, len(asked)), profile)
    if len(asked) > count:
        raise UserError(f"--role-model names more places than --role-count: {role}={count}")
    slots = list(asked)
    rest = others or list(candidates(role, workers, profile))
    while len(slots) < count:
        slots.append(Slot(rest[(len(slots) - len(asked)) % len(rest)]))
    return tuple(slots)


def _check_count(role: str, count: int, profile: Profile) -> None:
    bounds = profile.roles[role]
    if not bounds.min <= count <= bounds.max:
        raise UserError(
            f"{profile.task_type} takes {bounds.min} to {bounds.max} of the role {role}: {count}"
        )


def _counts(words: Sequence[str], profile: Profile) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in words:
        role, text = _split(word, "--role-count", profile)
        if not (text.isascii() and text.isdigit() and len(text) < 4):
            raise UserError(f"not a number of places: --role-count {word}")
        if role in counts:
            raise UserError(f"given more than once: --role-count {role}")
        _check_count(role, int(text), profile)
        counts[role] = int(text)
    return counts


def _role_models(words: Sequence[str], profile: Profile) -> dict[str, tuple[Slot, ...]]:
    asked: dict[str, tuple[Slot, ...]] = {}
    for word in words:
        role, text = _split(word, "--role-model", profile, or_leader=True)
        slot = parse_reference(text)
        if role != roles.LEADER:
            _check_able(role, slot.provider, profile)
        asked[role] = (*asked.get(role, ()), slot)
    return asked


def _split(word: str, flag: str, profile: Profile, *, or_leader: bool = False) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals or not value.strip():
        raise UserError(f"expected <role>=<value>: {flag} {word}")
    role = roles.role(name).plan
    if role not in profile.roles and not (or_leader and role == roles.LEADER):
        listed = ", ".join(profile.roles)
        raise UserError(f"{profile.task_type} has no such role: {flag} {word}; it has: {listed}")
    return role, value.strip()


def _ask_one(
    asked: dict[str, tuple[Slot, ...]], role: str, provider: str, flag: str, profile: Profile
) -> None:
    """Ask for a provider for a role of one place, unless --role-model asked for it already."""
    if not provider:
        return
    if role not in profile.roles:
        raise UserError(f"{profile.task_type} has no such role: {flag}={provider}")
    _check_able(role, registry.provider_spec(provider).name, profile)
    for slot in asked.get(role, ()):
        if slot.provider != provider:
            raise UserError(f"{flag}={provider} contradicts --role-model {role}={slot.provider}")
    asked.setdefault(role, (Slot(provider),))


def _ask_report_writer(
    asked: dict[str, tuple[Slot, ...]], text: str, workers: Sequence[str], profile: Profile
) -> None:
    role = roles.REPORT_WRITER
    if role not in profile.roles:
        raise UserError(f"{profile.task_type} has no such role: --report-writer-model={text}")
    named = _with_provider(text) or Slot(candidates(role, workers, profile)[0], text)
    _check_able(role, named.provider, profile)
    if asked.get(role, (named,)) != (named,):
        raise UserError(f"--report-writer-model={text} contradicts --role-model {role}=…")
    asked[role] = (named,)


def _lead(flags: Flags, asked: Sequence[Slot]) -> Slot:
    provider, text = flags.lead_provider.strip(), flags.lead_model.strip()
    if provider:
        provider = registry.provider_spec(provider).name
    chosen = _with_provider(text) or Slot(provider, text)
    for slot in (Slot(provider), *asked):
        for one, other in zip(chosen, slot, strict=True):
            if one and other and one != other:
                raise UserError(f"two flags ask for different leads: {one} and {other}")
        chosen = Slot(chosen.provider or slot.provider, chosen.model or slot.model)
    if chosen.provider:
        registry.lead_launch_spec(chosen.provider)
    return chosen


def _with_provider(text: str) -> Slot | None:
    """Return what `text` names if it begins with a provider and a slash."""
    known = text.partition("/")[0].casefold() in registry.provider_ids()
    return parse_reference(text) if "/" in text and known else None


def _able(role: str, profile: Profile) -> tuple[str, ...]:
    """Return the providers that the profile allows and that support a plan role."""
    able = registry.provider_ids(roles.role(role).registry)
    return tuple(provider for provider in profile.providers if provider in able)


def _check_able(role: str, provider: str, profile: Profile) -> None:
    able = _able(role, profile)
    if provider not in able:
        listed = ", ".join(able)
        raise UserError(f"{provider} cannot be {role} in {profile.task_type}; these can: {listed}")
