"""The sentence encoder: one implementation for passages at build time and for queries."""

import os

# Unless this is set before it is loaded, ONNX Runtime tells its maker what it runs, on a thread of its own,
# and a process that was forked after it hangs at its end.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
