"""The power that a GPU draws while a program takes training steps, by nvidia-smi."""
import shutil
import statistics
import subprocess
import threading
import time


class Power:
    """Samples the power of one GPU ten times a second while it is open. `watts` is the mean, or None with a reason in
    `missing`."""

    def __init__(self, gpu=0):
        self.gpu, self.samples, self.missing, self.process = gpu, [], None, None

    def __enter__(self):
        if shutil.which("nvidia-smi") is None:
            self.missing = "nvidia-smi was not found"
            return self
        self.process = subprocess.Popen(
            ["nvidia-smi", "-i", str(self.gpu), "--query-gpu=power.draw", "--format=csv,noheader,nounits", "-lms", "100"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        return self

    def read(self):
        for line in self.process.stdout:
            try:
                self.samples.append(float(line))
            except ValueError:
                self.missing = f"nvidia-smi says '{line.strip()}'"

    def __exit__(self, *_):
        if self.process is not None:
            self.process.terminate()
            self.process.wait()
            self.reader.join()
        if len(self.samples) < 5 and self.missing is None:
            self.missing = "nvidia-smi gave too few samples"

    @property
    def watts(self):
        # The first samples are from before the GPU was busy.
        return statistics.mean(self.samples[2:]) if len(self.samples) >= 5 else None


def joules_per_step(stepper, seconds, power=None):
    """Mean power times seconds per step, over steps for about so many seconds; or what is missing for it."""
    each = max(1e-3 * statistics.median(stepper.times[-1]), 1e-6)
    steps = max(10, round(seconds / each))
    start = time.monotonic()
    with power or Power() as meter:
        stepper.take(steps)
        taken = time.monotonic() - start
    if meter.watts is None:
        return {"power_missing": meter.missing}
    return {"watts": meter.watts, "joules_per_step": meter.watts * taken / steps}


def steps_to_converge(losses, share=1e-3):
    """The number of steps after which the loss, as a mean over ten steps, comes within this share of its final value, the mean
    of the last tenth; None if it still changes by as much from one tenth to the next."""
    last = losses[-max(1, len(losses) // 10):]
    final = statistics.mean(last)
    before = losses[-2 * len(last):-len(last)] or last
    if abs(statistics.mean(before) - final) > share * abs(final):
        return None
    for k in range(len(losses) - 9):
        if statistics.mean(losses[k:k + 10]) <= final + share * abs(final):
            return k + 1
    return len(losses)
