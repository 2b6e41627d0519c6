"""Commands that a page tells: a shell reads them as they were given."""

import os
import subprocess

from likelier.origin import shell_command

HARD = [
    "a b",
    "it's",
    "x\x1b[31m",
    "new\nline'\\",
    "\u202egpj",
    "\udcff.csv",
    "$(x)",
    "",
]


def test_a_shell_reads_the_words_of_a_command_as_they_were():
    command = shell_command(["printf", "%s\\0", *HARD])
    assert command.isprintable()
    read = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert read.stdout.split(b"\0")[:-1] == [os.fsencode(word) for word in HARD]
