"""The default encoder: built from packaged weights into ONNX int8 and checked against reference vectors."""

import serving.encoder  # noqa: F401 - what it sets must be set before ONNX Runtime is loaded
