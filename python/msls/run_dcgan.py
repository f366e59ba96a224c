"""`python3 -m msls.run_dcgan ARGS`, the reference's command: becomes `nowhere run_dcgan ARGS`."""
import os
import sys

from msls.program import ProgramMissing, find_program


def main():
    try:
        program = find_program()
        # No second process: exit codes and signals are the program's own.
        os.execv(program, [str(program), "run_dcgan", *sys.argv[1:]])
    except ProgramMissing as missing:
        sys.exit(f"msls: {missing}")
    except OSError as error:
        sys.exit(f"msls: {program} cannot be started: {error.strerror}; build it for this machine")


if __name__ == "__main__":
    main()
