"""What peers answer on the same small data, and how long they take.

Run as ``python benchmarks/peers.py``. likelier and its peers get an environment of
their own, ``.venv-peers``, made at the first run; the tables of ``docs/differ.md`` are
what ``peers_run.py`` prints there.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv-peers"
NEEDS = (
    "autorank==1.3.0",
    "baycomp==1.0.3",
    "confidenceinterval==1.0.5",
    "deepsig==1.2.8",
    "errorbars==0.2.4",
    "evalstats==0.3.3",
    "mlxtend==0.25.0",
    "prob_conf_mat==0.4.0",
    "sacrebleu==2.6.0",
    "scipy==1.17.1",
    "statsmodels==0.15.0",
    "truescore==0.7.4",
)


def main() -> None:
    """Make the environment if there is none, and measure in it."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    install = [str(python), "-m", "pip", "install", "-q", "--editable", str(ROOT)]
    subprocess.run([*install, *NEEDS], check=True)
    script = ROOT / "benchmarks" / "peers_run.py"
    done = subprocess.run([str(python), str(script)], check=False)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
