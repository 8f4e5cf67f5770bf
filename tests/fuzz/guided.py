"""Fuzz one target led by what its inputs reach: `python -m tests.fuzz.guided TARGET SECONDS FOLDER`.

Needs Atheris, which `make fuzz` installs aside.
"""

import sys
from pathlib import Path

import atheris
from hypothesis import HealthCheck, given, settings

with atheris.instrument_imports(include=["serving", "assets"]):
    from tests.fuzz.corpus import keep
    from tests.fuzz.targets import TARGETS


def main(name: str, seconds: str, folder: str) -> None:
    """Fuzz until the time is over or something breaks."""
    (target,) = (target for target in TARGETS if target.name == name)

    @settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(target.inputs)
    def run(data: bytes) -> None:
        try:
            with target.ready(None) as check:
                check(data)
        except BaseException:
            print(f"kept as {keep(name, data)}", file=sys.stderr)
            raise

    arguments = [
        sys.argv[0],
        f"-max_total_time={seconds}",
        f"-artifact_prefix={Path(folder)}/",
        "-timeout=60",
    ]
    # Short inputs draw the plainest examples: begin with long ones.
    arguments += ["-max_len=8192", "-len_control=0"]
    fuzz_one_input = run.hypothesis.fuzz_one_input  # type: ignore[attr-defined]  # `given` sets it
    atheris.Setup(arguments, fuzz_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
