"""Names of processes in leases."""

import os
import subprocess
import sys

import pytest

from portal.jobs import process

LINUX = pytest.mark.skipif(not process.PROC.joinpath("self/stat").exists(), reason="needs /proc")


def test_a_living_process_is_not_dead_and_two_names_differ() -> None:
    first, second = process.own_name(), process.own_name()
    assert first != second
    assert not process.is_dead(first)


@LINUX
def test_a_process_that_ended_is_dead_also_before_its_parent_collects_it() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    name = f"{process.machine()}/{child.pid}/{process.started(child.pid)}/abcd"
    assert not process.is_dead(name)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # ended, not collected
    assert process.is_dead(name)
    child.communicate()
    assert process.is_dead(name)


@LINUX
def test_the_number_of_a_dead_process_given_to_a_new_one_does_not_keep_its_lease() -> None:
    assert process.is_dead(f"{process.machine()}/{os.getpid()}/1/abcd")


@pytest.mark.parametrize("name", ["", "a/b", "other-machine/1/2/3", f"{process.machine()}/x/1/2", "////"])
def test_what_cannot_be_judged_is_not_dead(name: str) -> None:
    assert not process.is_dead(name)
