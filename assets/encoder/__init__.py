"""The default encoder: built from packaged weights into ONNX int8 and checked against reference vectors."""
