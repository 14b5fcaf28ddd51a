"""Programs that take training steps when asked, so that two of them can take turns on one machine."""
import json
import statistics
import subprocess


class Stepper:
    """A program that prints a line about itself, then a line of losses and times for every number it reads."""

    def __init__(self, command):
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.command = command
        self.about = self.read()
        self.losses, self.times, self.peak = [], [], 0

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{' '.join(map(str, self.command))} ended with status {self.process.wait()}")
        return json.loads(line)

    def take(self, steps):
        self.process.stdin.write(f"{steps}\n")
        self.process.stdin.flush()
        answer = self.read()
        self.losses += answer["loss"]
        self.times.append(answer["ms"])
        self.peak = max(self.peak, answer["peak"])
        return answer["ms"]

    def growth(self):
        """Bytes of memory that it took beyond what it had before the problem: resident at the peak of a step."""
        return self.peak - self.about["resident_before"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def verify(ours, peer, steps, tolerance):
    """Both take their first steps; whether the losses agree is decided before anything is timed."""
    if len(ours.losses) < steps:
        ours.take(steps)
    peer.take(steps)
    pairs = list(zip(ours.losses, peer.losses))[:steps]
    worst = max(abs(a - b) / abs(a) for a, b in pairs)
    if not worst <= tolerance:
        raise SystemExit(f"losses differ by {worst:.2g} (at most {tolerance:g} is allowed): {pairs}\n"
                         f"  {' '.join(map(str, peer.command))}")
    return worst


def steps_in(stepper, milliseconds):
    """How many steps take about that long, by the last ones taken."""
    return max(1, min(200, round(milliseconds / statistics.median(stepper.times[-1][-3:]))))


def take_turns(ours, peer, rounds, milliseconds=4000):
    """ours, peer, ours, peer, …, ours. Returns the median milliseconds of a step of each, and the shortest. Turns are
    long enough for most steps to follow one of the same program, as they do in training, with caches of its own."""
    timed = {ours: [], peer: []}
    for _ in range(rounds):
        for stepper in (ours, peer):
            timed[stepper] += stepper.take(steps_in(stepper, milliseconds))
    timed[ours] += ours.take(steps_in(ours, milliseconds))
    return [(statistics.median(timed[stepper]), min(timed[stepper])) for stepper in (ours, peer)]
