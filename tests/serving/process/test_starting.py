"""A server loads nothing before it serves that only some servers, or later requests, need."""

import subprocess
import sys


def test_stripes_client_is_not_loaded_where_nothing_is_sold():
    code = "import sys; import serving.process.application; print('stripe' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
