"""How a fitted model shows itself in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any


def model_html(estimator: Any, diagram: str) -> str:
    """scikit-learn's diagram of an estimator, and below it what a fitted one came to."""
    card = getattr(estimator, "card_", None)
    if card is None:
        return diagram
    rows = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(value)}</td></tr>"
                   for name, value in _facts(estimator, card))
    return f"<div>{diagram}<table class='gdkm-model'><tbody>{rows}</tbody></table></div>"


def _facts(estimator: Any, card: dict[str, Any]) -> list[tuple[str, str]]:
    run, options = card["run"], card["options"]
    items = "graphs" if card.get("task") == "graph" else "nodes"
    out = [("trained on", f"{card['data']}: {card['train_items']} {items}, {card['val_items']} for validation"
            if card["train_items"] else card["data"])]
    for part in ("train", "val", "test"):
        if run.get(part) is not None:
            out.append((part, _score_text(run[part])))
    if not options.get("exact") and not options.get("landmarks"):
        state = "converged" if run["converged"] else "not converged"
        out.append(("epochs", f"{run['epochs']}, best {run['best_epoch']}, {state}, {run['seconds']:.1f} s"))
    if "nu" in options and card["model"] == "dkm":
        out.append(("ν", f"{estimator.nu_}" + (" (chosen on validation items)" if "nu" in run else "")))
    if card["model"] != "gcn":
        out.append(("kernel", str(options.get("kernel", ""))))
    if estimator.mixing_ is not None:
        weights = ", ".join(f"{name} {' / '.join(f'{w:.2f}' for w in each)}" for name, each in estimator.mixing_.items())
        out.append(("relations, by layer", weights))
    if card["conformal_items"]:
        out.append(("prediction sets", f"calibrated by {card['conformal_items']} {items}"))
    return out


def _score_text(score: dict[str, Any]) -> str:
    if "rmse" in score:
        r2 = "" if score.get("r2") is None else f"R² {score['r2']:.3f}, "
        return f"{r2}RMSE {score['rmse']:.4g}, NLL {score['nll']:.3f}"
    return f"accuracy {score['accuracy']:.1f} %, NLL {score['nll']:.3f}, ECE {score['ece']:.3f}"
