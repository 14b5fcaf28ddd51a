#!/usr/bin/env python3
"""Draws what gdkm_bench_growth printed: growth_plot.py RESULTS.jsonl FOLDER [--processor-time]

One SVG for each axis, FOLDER/growth-AXIS.svg, both scales logarithmic, and on standard output the slopes of the lines
through the points: all of them, and the last two. With --processor-time it is the time that all threads together were
busy, which other programs on the machine disturb less.
"""
import argparse
import json
import math
import pathlib

AXES = {"n": ("nodes", "nodes n"), "m": ("inducing", "inducing points m"), "nnz": ("nonzeros", "nonzeros of Â"),
        "d": ("features", "features d"), "threads": ("threads", "threads")}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 420, 280, 64, 16, 34, 46


def slope(points):
    """Of the least-squares line through the logarithms."""
    xs, ys = ([math.log(p[k]) for p in points] for k in (0, 1))
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def scale(values, first, last):
    """From a logarithmic axis that holds the values to pixels."""
    low, high = math.log(min(values)), math.log(max(values))
    low, high = low - 0.05 * (high - low + 0.1), high + 0.05 * (high - low + 0.1)
    return lambda value: first + (last - first) * (math.log(value) - low) / (high - low)


def number(value):
    for size, suffix in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{suffix}"
    return f"{value:.3g}"


def draw(title, points):
    x = scale([p[0] for p in points], LEFT, WIDTH - RIGHT)
    y = scale([p[1] for p in points], HEIGHT - BOTTOM, TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           f'font-size="11"><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
           f'<text x="{LEFT}" y="18" font-size="13">time of a step against {title}</text>',
           f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="#555"/>',
           f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{title}</text>',
           f'<text x="14" y="{(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" '
           f'transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2})">ms</text>']
    for value, time in points:
        out.append(f'<text x="{x(value):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{number(value)}</text>')
        out.append(f'<text x="{LEFT - 6}" y="{y(time) + 4:.1f}" text-anchor="end">{number(time)}</text>')
        out.append(f'<path d="M{LEFT} {y(time):.1f}H{x(value):.1f}" stroke="#ddd"/>')
    line = " ".join(f"{x(value):.1f},{y(time):.1f}" for value, time in points)
    out.append(f'<polyline points="{line}" fill="none" stroke="#1f6fb4" stroke-width="2"/>')
    out += [f'<circle cx="{x(value):.1f}" cy="{y(time):.1f}" r="3.5" fill="#1f6fb4"/>' for value, time in points]
    out.append(f'<text x="{WIDTH - RIGHT}" y="18" text-anchor="end" fill="#555">slope {slope(points):.2f}</text></svg>')
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--processor-time", action="store_true")
    arguments = parser.parse_args()
    lines = [json.loads(line) for line in arguments.results.read_text().splitlines()]
    for axis, (field, title) in AXES.items():
        time = "cpu_ms" if arguments.processor_time else "best_ms"
        points = sorted((line[field], line[time]) for line in lines if line.get("axis") == axis)
        if len(points) < 2:
            continue
        (arguments.folder / f"growth-{axis}.svg").write_text(draw(title, points))
        print(f"{axis}: slope {slope(points):.3f}, of the last two points {slope(points[-2:]):.3f}")


if __name__ == "__main__":
    main()
