"""What scripts/corpus, scripts/chc-bench and others share: running one solver on one file within limits, reading what a
benchmark file says about itself, reading files of results, and saying which machine was measured on.

The CPU limit holds for the solver and all its children together: the kernel's own limit (RLIMIT_CPU) counts each
process for itself, so a solver that leaves the work to a child process would get the limit twice. Therefore the
processes of the run's session are summed up a few times a second. That needs Linux's /proc; elsewhere only the kernel's
limit and the wall clock hold.
"""
import json
import os
import platform
import re
import shlex
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

VERDICTS = ("sat", "unsat", "unknown")
# How much of a solver's output is kept; models and proofs can be long, a runaway solver longer.
OUTPUT_BYTES = 1 << 20
# Seconds between two looks at the session's CPU time.
SAMPLE_SECONDS = 0.2
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Run:
    """One finished run. `ended` is "exit", or "cpu" or "wall" if that limit ended it; `status` is the exit status,
    negative for a signal; `cpu` and `wall` are seconds, `memory` is the largest resident process in megabytes."""

    stdout: str
    stderr: str
    status: int
    ended: str
    cpu: float
    wall: float
    memory: int

    def first_line(self):
        return self.stdout.split("\n", 1)[0].strip()

    def verdicts(self):
        """All lines that are a verdict, in order: one for each check-sat of the file."""
        return [line.strip() for line in self.stdout.split("\n") if line.strip() in VERDICTS]


def command_for(template, path):
    """The words of a command template; {file} stands for the path, which comes last if the template has no {file}."""
    words = shlex.split(template)
    if not any("{file}" in word for word in words):
        words.append("{file}")
    return [word.replace("{file}", path) for word in words]


def processes_of(session):
    """Yields (process id, CPU seconds with reaped children) of every live process of a session."""
    try:
        entries = os.listdir("/proc")
    except OSError:
        return
    for entry in entries:
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", "rb") as stat:
                # The program's name may hold blanks and parentheses: the other fields begin after the last one.
                fields = stat.read().rpartition(b")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            yield int(entry), sum(map(int, fields[11:15])) / TICKS


def kill_session(session):
    """Ends every process of the session, also one that has moved to a process group of its own."""
    for pid in [session] + [pid for pid, _ in processes_of(session)]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def run(command, cpu, wall, memory_mb=None):
    """Runs a command (a list of words) until it ends or a limit ends it; limits are in seconds and megabytes."""
    limits = f"ulimit -t {int(cpu) + 2}"
    if memory_mb:
        limits += f"; ulimit -v {memory_mb * 1024}"
    words = ["sh", "-c", f'{limits}; exec "$@"', "sh", *command]
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        start = time.monotonic()
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True
        )
        ended, used = "exit", None
        pause, next_sample = 0.001, start + SAMPLE_SECONDS
        try:
            while used is None:
                done, status, usage = os.wait4(process.pid, os.WNOHANG)
                now = time.monotonic()
                if done:
                    used = usage.ru_utime + usage.ru_stime
                    break
                if now >= next_sample:
                    next_sample = now + SAMPLE_SECONDS
                    if sum(seconds for _, seconds in processes_of(process.pid)) > cpu:
                        ended = "cpu"
                if now - start > wall:
                    ended = "wall"
                if ended != "exit":
                    # Taken before the end: children that are killed along with their parent are never reaped by it.
                    used = sum(seconds for _, seconds in processes_of(process.pid))
                    kill_session(process.pid)
                    _, status, usage = os.wait4(process.pid, 0)
                    used = max(used, usage.ru_utime + usage.ru_stime)
                time.sleep(pause)
                pause = min(2 * pause, 0.05)
        finally:
            kill_session(process.pid)
            process.returncode = 0 if used is None else os.waitstatus_to_exitcode(status)
        elapsed = time.monotonic() - start
        texts = []
        for stream in (stdout, stderr):
            stream.seek(0)
            texts.append(stream.read(OUTPUT_BYTES).decode(errors="replace"))
    return Run(*texts, process.returncode, ended, round(used, 3), round(elapsed, 3), usage.ru_maxrss // 1024)


STATUS = re.compile(r"^\s*\(set-info\s+:status\s+(sat|unsat|unknown)\s*\)", re.MULTILINE)


def statuses(text):
    """The verdicts that a file announces by (set-info :status …), one before each check-sat."""
    return STATUS.findall(text)


def files_under(path):
    """The .smt2 files of a directory tree in a fixed order, or the file itself."""
    if os.path.isfile(path):
        return [path]
    found = []
    for folder, folders, names in os.walk(path):
        folders.sort()
        found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".smt2")]
    return found


def records_of(path):
    """The records of a file of results, which has one JSON object a line. A line cut off by a crash is passed over, and a file
    that is not there has none."""
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                continue


def machine():
    """What the figures depend on, without the machine's name."""
    cpu = platform.processor() or platform.machine()
    memory = None
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"(?m)^model name\s*:\s*(.*)$", file.read())
            cpu = found.group(1) if found else cpu
        with open("/proc/meminfo", encoding="utf-8") as file:
            memory = round(int(re.search(r"MemTotal:\s*(\d+)", file.read()).group(1)) / (1 << 20))
    return {"cpu": cpu, "cores": os.cpu_count(), "memory_gb": memory, "system": platform.system()}


def machine_text(computer):
    """A machine in words."""
    size = f", {computer['memory_gb']} GB" if computer.get("memory_gb") else ""
    return f"{computer['cpu']}, {computer['cores']} cores{size}, {computer['system']}"
