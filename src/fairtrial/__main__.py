"""`python -m fairtrial`: the same door as the command."""

import sys

from fairtrial.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
