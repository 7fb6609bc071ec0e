#!/usr/bin/python3
"""The command line as a user meets it: help, refusals, exit codes, output that cannot be written,
colour, and that help, man page and completions name the same options."""
import os
import pty
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

TLSMETER = os.environ["TLSMETER"]


def environment(**changes):
    env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "TERM")}
    env.update(changes)
    return env


def run(*arguments, stdin="", **changes):
    return subprocess.run([TLSMETER, *arguments], input=stdin, capture_output=True, text=True,
                          env=environment(**changes), timeout=60)


def commands():
    """The commands that the overview lists."""
    text = run("--help").stdout
    part = text.split("Commands:\n", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^  ([a-z]+)", part, re.M)


def help_options(command):
    return set(re.findall(r"^  (--[a-z-]+)", run(command, "--help").stdout, re.M))


class Help(unittest.TestCase):
    def test_overview_and_version(self):
        overview = run("--help")
        self.assertEqual((overview.returncode, overview.stderr), (0, ""))
        self.assertEqual(overview.stdout, run("help").stdout)
        self.assertEqual(overview.stdout, run("-h").stdout)
        self.assertIn("show", commands())
        self.assertNotIn("generate", commands())
        version = run("--version")
        self.assertEqual(version.returncode, 0)
        self.assertRegex(version.stdout, r"^tlsmeter \d+\.\d+\.\d+\n$")

    def test_nothing_said(self):
        result = run()
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("Usage: tlsmeter COMMAND", result.stderr)

    def test_command_help_in_both_spellings(self):
        for command in commands() + ["generate"]:
            result = run(command, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""), command)
            self.assertIn("Usage: tlsmeter " + command, result.stdout)
            self.assertEqual(result.stdout, run("help", command).stdout)

    def test_help_fits_the_width(self):
        for columns in (80, 120):
            for command in commands():
                text = run("help", command, COLUMNS=str(columns)).stdout
                # Examples are commands to copy: they are never broken.
                described = text.split("\nExamples:\n")[0]
                for line in described.splitlines():
                    self.assertLessEqual(len(line), columns, line)


class Refusals(unittest.TestCase):
    def expect(self, arguments, code, stderr):
        result = run(*arguments)
        self.assertEqual(result.stderr, stderr)
        self.assertEqual((result.returncode, result.stdout), (code, ""))

    def test_one_line_says_what_would_be_right(self):
        self.expect(["shwo"], 2, 'tlsmeter: unknown command "shwo"; did you mean show?\n')
        self.expect(["xyzzy"], 2, 'tlsmeter: unknown command "xyzzy"; see tlsmeter --help\n')
        self.expect(["help", "shwo"], 2, 'tlsmeter: unknown command "shwo"; did you mean show?\n')
        self.expect(["show", "--algoritm", "x"], 2,
                    "tlsmeter show: unknown option --algoritm; did you mean --algorithm?\n")
        self.expect(["show", "--algorithm"], 2,
                    "tlsmeter show: --algorithm: needs a value: GLOB,...\n")
        self.expect(["show"], 2, "tlsmeter show: needs FILE...; see tlsmeter show --help\n")
        self.expect(["generate", "pdf"], 2,
                    "tlsmeter generate: choose from man, bash, zsh, fish\n")

    def test_control_characters_do_not_reach_the_terminal(self):
        result = run("show", "/nowhere/\x1b]0;title\x07")
        self.assertEqual(result.returncode, 1)
        self.assertNotIn("\x1b", result.stderr)


class Output(unittest.TestCase):
    def test_full_disk(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([TLSMETER, "--help"], stdout=full, stderr=subprocess.PIPE,
                                    text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr,
                         "tlsmeter: cannot write to standard output: No space left on device\n")

    def test_closed_pipe(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        result = subprocess.run([TLSMETER, "generate", "man"], stdout=write_end,
                                stderr=subprocess.PIPE, text=True, check=False)
        os.close(write_end)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr,
                         "tlsmeter: cannot write to standard output: Broken pipe\n")

    def test_closed_standard_output(self):
        """A file opened later must not take its place and collect the results."""
        result = subprocess.run(["/bin/sh", "-c", '"$0" --version >&-', TLSMETER],
                                stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot write to standard output", result.stderr)

    def test_interrupt(self):
        read_end, write_end = os.pipe()
        child = subprocess.Popen([TLSMETER, "show", "-"], stdin=read_end,
                                 stderr=subprocess.DEVNULL)
        os.close(read_end)
        # It has opened its input when it has read this line.
        os.write(write_end, b'{"record":"other"}\n')
        child.send_signal(signal.SIGINT)
        self.assertIn(child.wait(60), (130, -signal.SIGINT))
        os.close(write_end)


def on_terminal(arguments, **changes):
    """What the program writes to a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(TLSMETER, [TLSMETER, *arguments], environment(**changes))
    output = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other side is gone
            break
        if not part:
            break
        output += part
    os.close(terminal)
    os.waitpid(child, 0)
    return output.decode()


class Colour(unittest.TestCase):
    RECORD = ('{"record":"cell","schema":1,"run":"r","instrument":"crypto","status":"ok",'
              '"subject":{"algorithm":"sha256","operation":"digest","size_bytes":16},'
              '"implementation":{"library":"%s"},"metrics":{"wall_ns":{"n":9,"median":%d}}}\n')

    def test_only_where_it_is_welcome(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(self.RECORD % ("openssl", 160) + self.RECORD % ("mbedtls", 320))
            file.flush()
            arguments = ["show", file.name]
            self.assertIn("\x1b[1m100\x1b[0m*", on_terminal(arguments, TERM="xterm"))
            for changes in ({"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}, {}):
                self.assertNotIn("\x1b", on_terminal(arguments, **changes))
            piped = run(*arguments, TERM="xterm")
            self.assertNotIn("\x1b", piped.stdout)
            self.assertIn("100*", piped.stdout)


class Generated(unittest.TestCase):
    def test_man_page_and_completions_know_the_options_of_help(self):
        man = run("generate", "man").stdout.replace("\\-", "-")
        texts = {shell: run("generate", shell).stdout for shell in ("bash", "zsh", "fish")}
        sections = dict(re.findall(r"^\.Ss ([a-z]+)\n(.*?)(?=^\.S[sh] )", man, re.M | re.S))
        for command in commands() + ["generate"]:
            options = help_options(command)
            in_man = {"-" + o for o in re.findall(r"^\.It Fl (-[a-z-]+)", sections[command], re.M)}
            self.assertEqual(in_man, options, command)
            bash = re.search(r"^    %s\)\n        options=\"([^\"]*)\"" % command, texts["bash"],
                             re.M).group(1)
            self.assertEqual(set(bash.split()) - {"--help"}, options, command)
            zsh = re.search(r"^    %s\)\n(.*?);;" % command, texts["zsh"], re.M | re.S).group(1)
            self.assertEqual(set(re.findall(r"'(--[a-z-]+)=?\[", zsh)) - {"--help"}, options)
            fish = re.findall(r"^complete .*__fish_seen_subcommand_from %s' -l ([a-z-]+)" % command,
                              texts["fish"], re.M)
            self.assertEqual({"--" + o for o in fish}, options, command)

    def test_examples_name_real_options(self):
        for command in commands():
            text = run("help", command).stdout
            if "\nExamples:\n" not in text:
                continue
            examples = re.findall(r"^  (tlsmeter .*)", text.split("\nExamples:\n")[1], re.M)
            self.assertTrue(examples, command)
            for example in examples:
                name = example.split()[1]
                used = set(re.findall(r"(?<= )--[a-z-]+", example))
                self.assertLessEqual(used, help_options(name) | {"--help"}, example)

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_mandoc_finds_nothing(self):
        with tempfile.NamedTemporaryFile("w", suffix=".1") as page:
            page.write(run("generate", "man").stdout)
            page.flush()
            lint = subprocess.run(["mandoc", "-T", "lint", page.name], capture_output=True,
                                  text=True, check=False)
            found = [line for line in lint.stdout.splitlines() if "Mdocdate" not in line]
            self.assertEqual(found, [])

    def complete(self, *words):
        """What bash offers after these words; the last is being typed."""
        script = run("generate", "bash").stdout + (
            'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tlsmeter; printf "%s\\n" '
            '"${COMPREPLY[@]}"\n')
        result = subprocess.run(["bash", "-c", script, "bash", "tlsmeter", *words],
                                capture_output=True, text=True, check=True)
        return result.stdout.split()

    def test_bash_completes(self):
        self.assertEqual(self.complete("sh"), ["show"])
        self.assertEqual(self.complete("generate", "b"), ["bash"])
        self.assertEqual(self.complete("show", "--mark"), ["--markdown"])
        self.assertIn("show", self.complete("help", ""))

    def test_other_shells_accept_their_scripts(self):
        for shell in ("zsh", "fish"):
            if shutil.which(shell) is None:
                continue
            with tempfile.NamedTemporaryFile("w") as script:
                script.write(run("generate", shell).stdout)
                script.flush()
                check = subprocess.run([shell, "-n", script.name], capture_output=True, text=True,
                                       check=False)
                self.assertEqual((check.returncode, check.stderr), (0, ""), shell)


if __name__ == "__main__":
    unittest.main()
