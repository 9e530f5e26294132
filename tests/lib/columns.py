"""columns.py LIMIT FILE...: prints FILE:LINE: COLUMNS of every line of Python, JavaScript or shell that is longer and
can be broken. Text in another language is left whole: here-documents, texts of several lines, and in a shell a word,
such as a quoted message that a test compares, which alone takes most of a line."""
import io
import pathlib
import re
import sys
import tokenize

WORD = 85  # columns of a shell's word that may make a line longer

# one step through a line of a shell: an escape, a quoted text (its end may be missing), a substitution's bracket, a
# comment, a blank, anything else
STEP = re.compile(r"""\\.?|'[^']*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$)|(?:(?<=\s)|^)\#.*|\s+|[^\\'"\s]+|.""")


def texts(lines):
    """Numbers of the lines of Python inside of texts of several lines, other than documentation."""
    inside = set()
    for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
        if token.type == tokenize.STRING and token.line[:token.start[1]].strip():
            inside.update(range(token.start[0], token.end[0] + 1) if token.end[0] > token.start[0] else ())
    return inside


def heredocs(lines):
    """Numbers of the lines of here-documents."""
    inside, waiting = set(), []
    for number, line in enumerate(lines, 1):
        if waiting:
            inside.add(number)
            word, tabs = waiting[0]
            if (line.lstrip("\t") if tabs else line).rstrip("\n") == word:
                waiting.pop(0)
        else:
            waiting = [(word, dash) for dash, word in re.findall(r"(?<!<)<<(-?)\s*['\"]?(\w+)['\"]?", line)]
    return inside


def longest_word(line):
    words, word = [0], 0
    for part in STEP.findall(line.strip()):
        word = 0 if part.isspace() or part.startswith("#") else word + len(part)
        words.append(word)
    return max(words)


def long_lines(path, limit):
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines(keepends=True)
    first = lines[0] if lines else ""
    python = path.endswith(".py") or "python" in first
    shell = path.endswith(".sh") or "bash" in first
    whole = texts(lines) if python else heredocs(lines) if shell else set()
    for number, line in enumerate(lines, 1):
        length = len(line.rstrip("\n"))
        if length > limit and number not in whole and not (shell and longest_word(line) > WORD):
            yield f"{path}:{number}: {length} columns"


if __name__ == "__main__":
    for name in sys.argv[2:]:
        for found in long_lines(name, int(sys.argv[1])):
            print(found)
