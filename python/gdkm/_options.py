"""Parameters of estimators, made from the core's table of options.

Nothing is written twice: names, defaults, ranges and help come from the table, so that an option of the command
line is a parameter here as soon as it exists.
"""

from __future__ import annotations

import inspect
import textwrap
from dataclasses import dataclass
from typing import Any

from . import _core

#: Splits are arguments of ``fit``, and runs of several seeds are several estimators.
_NOT_PARAMETERS = {"split_set", "split", "split_seed", "seeds", "splits", "jobs"}
_FORMS = {"dkm": ("dkm", "dkm_exact"), "nngp": ("nngp", "nngp_landmarks", "nngp_exact"), "gcn": ("gcn",)}
_NOT_OF_MODEL = {"dkm": {"landmarks"}, "nngp": set(), "gcn": set()}


@dataclass(frozen=True)
class Parameter:
    """One parameter of an estimator; ``option`` is its name in the table, or None where the table has none."""

    name: str
    default: Any
    type: str
    help: str
    option: str | None = None
    group: str = ""


#: What estimators have besides options.
_OWN = (
    Parameter(
        "graph", None, "Graph | None",
        "The graph whose nodes are meant where ``fit``, ``predict`` and ``score`` get numbers of nodes as ``X``, as "
        "tools of scikit-learn give them."),
    Parameter(
        "validation_fraction", 0.2, "float",
        "Share of the training items that validate where ``fit`` gets no ``val``, drawn by class; 0: none. Exact "
        "models, landmarks and ``inference='paper'`` take none. Exact kernels and landmarks that are given ``val`` choose "
        "their nugget and calibrate probabilities on it; else the nugget is chosen by leaving one out, and probabilities "
        "are not calibrated."),
    Parameter("verbose", 0, "int", "1 shows a progress bar."),
)


def parameters_of(model: str, regression: bool) -> list[Parameter]:
    """The parameters of an estimator: options that some form of the model has, then those of estimators."""
    out = []
    for entry in _core.option_table():
        has = any(entry["models"][form] for form in _FORMS[model])
        if not has or entry["name"] in _NOT_PARAMETERS | _NOT_OF_MODEL[model]:
            continue
        if regression and not entry["for_regression"]:
            continue
        out.append(_parameter(entry))
    return out + list(_OWN)


def _parameter(entry: dict[str, Any]) -> Parameter:
    name, default, help_text = entry["parameter"], entry["default"], entry["help"]
    kind = _type_of(entry)
    if name == "class_weight":
        default, kind = None, "dict | Sequence[float] | str | None"
        help_text += ": ``'balanced'``, a number for each class as a dict by class or as a list in the order of ``classes_``"
    elif name == "random_state":
        kind = "int | np.random.RandomState | np.random.Generator | None"
        help_text = "The seed; ``None`` draws one from NumPy's global state"
    elif entry["choices"]:
        help_text += f" ({', '.join(repr(choice) for choice in entry['choices'])})"
    return Parameter(name, default, kind, help_text + ".", entry["name"], entry["group"])


def _type_of(entry: dict[str, Any]) -> str:
    default = entry["default"]
    if entry["name"] == "nu":
        return "float | str | Sequence[float]"
    if isinstance(default, bool):
        return "bool"
    if entry["choices"]:
        return "str"
    auto = " | str" if "'auto'" in entry["allowed"] else ""
    return {int: "int", float: "float", str: "str"}[type(default)] + auto


def with_parameters(cls: type) -> type:
    """Gives an estimator its ``__init__`` and the section of its docstring about parameters."""
    parameters = parameters_of(cls._model, cls._regression)  # type: ignore[attr-defined]
    cls._parameters = {each.name: each for each in parameters}  # type: ignore[attr-defined]
    words = ", ".join(f"{each.name}={each.default!r}" for each in parameters)
    lines = "".join(f"    self.{each.name} = {each.name}\n" for each in parameters)
    scope: dict[str, Any] = {}
    exec(f"def __init__(self, *, {words}):\n{lines}", {}, scope)  # noqa: S102  as dataclasses and namedtuples do
    init = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__module__ = cls.__module__
    init.__annotations__ = {each.name: each.type for each in parameters} | {"return": None}
    cls.__init__ = init  # type: ignore[misc]
    doc = inspect.cleandoc(cls.__doc__ or "")
    cls.__doc__ = doc.replace("<parameters>\n", _section(parameters))
    return cls


def _section(parameters: list[Parameter]) -> str:
    out = "Parameters\n----------\n"
    for each in parameters:
        out += f"{each.name} : {each.type}, default={each.default!r}\n"
        out += textwrap.fill(each.help, 110, initial_indent="    ", subsequent_indent="    ", break_long_words=False) + "\n"
    return out
