"""The tests run against the server of the checkout that they are in."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests" / "Support"))
