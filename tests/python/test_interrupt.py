"""Ctrl-C, in a program of its own."""

import os
import signal
import subprocess
import sys
import time

import pytest

PROGRAM = '''
import signal, sys
import numpy as np
import lockstep as ls
{handler}
loop = ls.Shader("""#version 460
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out {{ uint data[]; }};
void main() {{ for (uint k = 0u; data[0] == 0u; ++k) if (k == 0xffffffffu) data[1] = k; }}
""")
data = np.zeros(2, np.uint32)
print("running", flush=True)
try:
    {call}
except BaseException as error:
    print(type(error).__name__, error, flush=True)
# Python goes on as before.
assert ls.subgroup.add(np.ones(8)) == 8
print("went on", flush=True)
'''

CALLS = {
    "one long loop": "loop.run(1, {0: data}, max_steps=2**62)",
    "exploring": "[loop.explore(1, {0: data}, runs=10**6, max_steps=10**4) for _ in range(10**6)]",
}  # fmt: skip


def interrupted(call, handler=""):
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(call=call, handler=handler)],
        stdout=subprocess.PIPE, text=True, env=os.environ,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored in what runs in the background
    )  # fmt: skip
    try:
        assert program.stdout.readline() == "running\n"
        time.sleep(0.5)
        program.send_signal(signal.SIGINT)
        text, _ = program.communicate(timeout=60)
    finally:
        program.kill()
    return text, program.returncode


@pytest.mark.parametrize("what", ["one long loop", "exploring"])
def test_ctrl_c_ends_it(what):
    text, code = interrupted(CALLS[what])
    assert text == "KeyboardInterrupt \nwent on\n" and code == 0


def test_a_handler_that_raises_nothing_is_called_and_the_run_ends():
    handler = 'signal.signal(signal.SIGINT, lambda *_: print("handled", flush=True))'
    text, code = interrupted(CALLS["one long loop"], handler)
    assert text == "handled\nRunError the run was interrupted\nwent on\n" and code == 0


def test_an_ignored_signal_stays_ignored():
    text, code = interrupted("loop.run(1, {0: data}, max_steps=50_000_000)", "signal.signal(signal.SIGINT, signal.SIG_IGN)")
    assert text.startswith("RunError ") and "interrupted" not in text and code == 0
