"""What the end to end tests share: running the program and reading its records."""
import json
import os
import subprocess

TLSMETER = os.path.abspath(os.environ["TLSMETER"])
SOURCE_DIR = os.environ["SOURCE_DIR"]
# AddressSanitizer is in the program: memory and valgrind say nothing then.
with open(TLSMETER, "rb") as program_file:
    SANITIZED = b"__asan_init" in program_file.read()
# The least time per cell: figures mean nothing and are not looked at.
SHORT = ("--max-time", "20ms", "--quick")


def environment(**changes):
    variables = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "OPENSSL_ia32cap")}
    return dict(variables, COLUMNS="100", **changes)


def tlsmeter(*arguments, **keywords):
    keywords = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                "env": environment(), **keywords}
    return subprocess.run([TLSMETER, *arguments], text=True, timeout=120, check=False, **keywords)


def crypto(*arguments, **keywords):
    return tlsmeter("crypto", *SHORT, *arguments, **keywords)


def lines_of(path):
    """Every line as an object; a line that is none is an error."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def faults_of(path):
    """What docs/record.schema.json says against the lines of a file; None: nothing can be said."""
    try:
        import jsonschema
    except ImportError:
        return None
    with open(os.path.join(SOURCE_DIR, "docs", "record.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    validator = jsonschema.validators.validator_for(schema)(schema)
    return [f"{line['record']} {error.json_path}: {error.message[:300]}"
            for line in lines_of(path) for error in validator.iter_errors(line)]


def cells_of(path):
    return [line for line in lines_of(path) if line["record"] == "cell"]


def key_of(cell):
    """What two cells share that measured the same thing (docs/record-format.md)."""
    who = {name: cell["implementation"].get(name)
           for name in ("library", "interface", "device", "cpu_features")}
    return json.dumps([cell["instrument"], cell["subject"], who, cell.get("side")], sort_keys=True)
