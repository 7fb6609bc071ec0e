#!/usr/bin/python3
"""What README.md, docs/ and the help texts say holds: every tlsmeter command in code blocks and examples
runs, every command of the program is described and in the man page, and links lead somewhere.

Commands are lines that start with "tlsmeter " or "$ tlsmeter ", in indented or fenced blocks. They run
in the order of the page, in one folder. Records, plans and logs that a page does not make itself are
small stand-ins. Commands that measure get the least time per cell, and `run` a plan of one cell, so
figures mean nothing and are not looked at. `# exit 3` at a line's end says that another exit code is right. A block below
`<!-- not run: REASON -->` is not run."""
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

TLSMETER = os.path.abspath(os.environ["TLSMETER"])
SOURCE_DIR = os.environ["SOURCE_DIR"]
STAND_INS = os.path.join(SOURCE_DIR, "tests", "golden", "docs")
COMMAND = re.compile(r"^(?:\$ )?(tlsmeter .*)$")
NOT_RUN = re.compile(r"<!-- not run: \S.*-->")
EXIT = re.compile(r"#\s*exit (\d+)\s*$")
HOST = re.compile(r" [a-z][a-z0-9.-]*(?::\d+)(?= |$)")
URL = re.compile(r" https://[a-z][a-z0-9.-]*(?::\d+)?(/\S*)")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def pages():
    docs = os.path.join(SOURCE_DIR, "docs")
    names = ["README.md"] + [os.path.join("docs", name) for name in sorted(os.listdir(docs))]
    return [name for name in names if name.endswith(".md") and
            os.path.exists(os.path.join(SOURCE_DIR, name))]


def text_of(page):
    with open(os.path.join(SOURCE_DIR, page), encoding="utf-8") as file:
        return file.read()


def blocks(text):
    """Yields (line number, lines, run) of each code block."""
    block, start, fence, run, above = [], 0, False, True, ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("```"):
            if fence:
                yield start, block, run
                block, fence = [], False
            else:
                if block:
                    yield start, block, run
                block, start, fence, run = [], number + 1, True, not NOT_RUN.search(above)
        elif fence:
            block.append(line)
        elif line.startswith("    "):
            if not block:
                start, run = number, not NOT_RUN.search(above)
            block.append(line[4:])
        elif line.strip() or number > len(text.splitlines()):
            if block:
                yield start, block, run
            block, above = [], line
        elif block:
            block.append("")


def commands_of(page):
    """Yields (place, command line, exit code expected)."""
    for start, lines, run in blocks(text_of(page)):
        index = 0
        while run and index < len(lines):
            line, place = lines[index], f"{page}:{start + index}"
            while line.endswith("\\") and index + 1 < len(lines):
                index += 1
                line = line[:-1] + lines[index].strip()
            index += 1
            match = COMMAND.match(line)
            if match:
                code = EXIT.search(line)
                yield place, match.group(1), int(code.group(1)) if code else 0


def program(*arguments):
    return subprocess.run([TLSMETER, *arguments], capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL, check=True).stdout


def listed_commands():
    part = program("--help").split("Commands:\n", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^  ([a-z]+)", part, re.M)


def shortened(line):
    """The command with the least measured time per cell, where it measures."""
    words = shlex.split(line, comments=True)
    if "--help" in words or len(words) < 2 or words[1] not in listed_commands():
        return line
    if words[1] == "run":
        plan = [word for word in words if word.endswith(".ini")] if "--print-plan" not in words else []
        small = os.path.join(STAND_INS, "example.ini")
        if plan:
            return line.replace(plan[0], small)
        return line if "--print-plan" in words else f"{EXIT.sub('', line)} {small}"
    if words[1] == "serve": # until it is told to end
        return "timeout --preserve-status --signal=TERM 1 " + EXIT.sub("", line).rstrip("& ")
    if "--max-time " not in program(words[1], "--help"):
        return line
    line = re.sub(r"(--max-time[ =])\S+", r"\g<1>1ms", EXIT.sub("", line))
    line = re.sub(r"(--duration[ =])\S+", r"\g<1>100ms", line)
    if "--max-time" not in line:
        line = re.sub(r"^tlsmeter \w+", r"\g<0> --max-time 1ms", line)
    return with_server(line) if HOST.search(line) or URL.search(line) else line


def with_server(line):
    """A server of our own stands in for the one that the line names."""
    protocol = "tls1.2" if "tls1.2" in line and "dtls" not in line else "tls1.3"
    line = HOST.sub(" localhost:14433 --no-verify", re.sub(r"--ca \S+", "", line))
    line = URL.sub(r" https://localhost:14434\1 --no-verify", line)
    return ("tlsmeter serve --address 127.0.0.1 --tls 14433 --dtls 14433 --https 14434 "
            f"--protocol {protocol} "
            ">serve.out 2>serve.err & server=$!; "
            "until grep -q 'https.* on ' serve.err || ! kill -0 $server; do sleep 0.05; done; "
            f"{line}; code=$?; kill $server; wait $server; exit $code")


def stand_in(line, folder):
    """Files that a line reads and that no line before it has written."""
    words = shlex.split(line, comments=True)
    for before, word in zip(words, words[1:]):
        kind = os.path.splitext(word)[1]
        source = os.path.join(STAND_INS, "example" + (".log" if kind == ".txt" else kind))
        target = os.path.join(folder, word)
        written = before in ("--output", ">", ">>") or word.startswith(("-", "/"))
        if not written and kind and os.path.exists(source) and not os.path.exists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(source, target)


def examples_of(command):
    text = program("help", command).partition("\nExamples:\n")[2]
    for line in re.findall(r"^  (tlsmeter .*)", text, re.M):
        yield f"tlsmeter {command} --help", line, 0


class Docs(unittest.TestCase):
    def test_every_command_runs(self):
        sources = [commands_of(page) for page in pages()]
        for commands in sources + [examples_of(command) for command in listed_commands()]:
            with tempfile.TemporaryDirectory() as folder:
                bin_folder = os.path.join(folder, ".bin")
                os.mkdir(bin_folder)
                os.symlink(TLSMETER, os.path.join(bin_folder, "tlsmeter"))
                os.symlink(os.path.join(SOURCE_DIR, "data"), os.path.join(folder, "data"))
                environment = dict(os.environ, PATH=bin_folder + os.pathsep + os.environ["PATH"])
                for place, line, code in commands:
                    with self.subTest(place=place, command=line):
                        stand_in(line, folder)
                        result = subprocess.run(
                            ["sh", "-c", shortened(line)], cwd=folder, env=environment,
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240,
                            check=False)
                        # 3 is a verdict on the stand-in, not a failure.
                        right = (code, 3) if line.startswith("tlsmeter check") else (code,)
                        self.assertIn(result.returncode, right, result.stderr[-2000:])

    def test_every_command_is_described(self):
        text = "\n".join(text_of(page) for page in pages())
        manual = program("generate", "man")
        for command in listed_commands():
            with self.subTest(command=command):
                self.assertTrue(re.search(rf"`tlsmeter {command}\b", text), "no page names it")
                self.assertTrue(f"\n.Ss {command}\n" in manual, "the man page lacks it")

    def test_links_lead_somewhere(self):
        for page in pages():
            for target in LINK.findall(text_of(page)):
                with self.subTest(page=page, link=target):
                    if re.match(r"[a-z]+:", target):
                        continue
                    path, _, anchor = target.partition("#")
                    file = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
                    self.assertTrue(os.path.exists(os.path.join(SOURCE_DIR, file)))
                    if anchor:
                        self.assertIn(anchor, anchors(text_of(file)))


def anchors(text):
    """What GitHub and others make of headings: lower case, blanks to hyphens, no punctuation."""
    headings = re.findall(r"^#+ +(.*?) *$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


unittest.main()
