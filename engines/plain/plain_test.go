package plain_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/plain"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"plain, höfliche Wörter 作戦\n\t": "plain, höfliche Wörter 作戦\n\t",
		"\x1b]0;title\a":                `\u001b]0;title\u0007`,
		"\u009b31m":                     `\u009b31m`,
		"a\u202eb\u2066c":               `a\u202eb\u2066c`,
		"a\rb\x00\x7f":                  `a\u000db\u0000\u007f`,
		"\xff\xc3":                      `\u00ff\u00c3`,
		"\ufffd":                        "\ufffd",
	} {
		if got := plain.Text(text); got != want || plain.Is(text) != (text == want) {
			t.Errorf("%q becomes %q, expected %q", text, got, want)
		}
	}
}

// Nothing is written where there is nothing: a pipe without a reader would wait.
func TestFlushOfNothing(t *testing.T) {
	_, w := io.Pipe()
	if err := plain.NewWriter(w).Flush(); err != nil {
		t.Error(err)
	}
}

func TestCell(t *testing.T) {
	for text, want := range map[string]string{
		"=HYPERLINK(\"x\")": "'=HYPERLINK(\"x\")", "@SUM(1)": "'@SUM(1)", "+cmd": "'+cmd", "-cmd|' /C calc'!A0": "'-cmd|' /C calc'!A0",
		"\t=1": "'\t=1", " =1": "' =1", "＝1": "'＝1", "-3.5": "-3.5", "+1e3": "+1e3", "a=b": "a=b", "": "", "\x1b=": `\u001b=`,
	} {
		if got := plain.Cell(text); got != want {
			t.Errorf("%q becomes %q, expected %q", text, got, want)
		}
	}
}

// Whatever is written in whatever parts, nothing hostile comes out; JSON keeps its
// meaning.
func FuzzWriter(f *testing.F) {
	f.Add("a\x1bb\u009bc\u202e作", 3)
	f.Add("\xe4\xbd", 1)
	f.Fuzz(func(t *testing.T, text string, size int) {
		var b bytes.Buffer
		w := plain.NewWriter(&b)
		for rest := []byte(text); len(rest) > 0; {
			n := min(max(size, 1), len(rest))
			if m, err := w.Write(rest[:n]); m != n || err != nil {
				t.Fatal(m, err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil || b.String() != plain.Text(text) || !plain.Is(b.String()) {
			t.Errorf("%q in parts of %d: %q, %v", text, size, b.String(), err)
		}
		doc, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var before, after string
		if err := json.Unmarshal(doc, &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(plain.Text(string(doc))), &after); err != nil || after != before {
			t.Errorf("%q as JSON: %q, %v", text, after, err)
		}
	})
}

func TestLine(t *testing.T) {
	if got, want := plain.Line("a\nb\tc\x1b"), `a\u000ab\u0009c\u001b`; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
}

// Descriptions are broken anew, and what is indented stays as it is.
func TestReflowed(t *testing.T) {
	const text = "One\ntwo.\n\n  kept   as it is\n\nThree"
	if got, want := plain.Reflowed(text), "One two.\n\n  kept   as it is\n\nThree"; got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
	long := strings.Repeat("word ", 40)
	for line := range strings.SplitSeq(plain.Reflowed(long), "\n") {
		if len(line) > plain.Width {
			t.Error(line)
		}
	}
}

// A message of many or of long lines is cut, and says by how much.
func TestBounded(t *testing.T) {
	if text := strings.Repeat("x\n", 19); plain.Bounded(text) != text || plain.Bounded("") != "" {
		t.Errorf("%q", plain.Bounded(text))
	}
	if got := plain.Bounded(strings.Repeat("x\n", 1251) + "x"); strings.Count(got, "\n") != 19 || !strings.HasSuffix(got, "\n... (1233 lines more)") {
		t.Errorf("%q", got)
	}
	if got := plain.Bounded("a\n" + strings.Repeat("é", 1000)); len(got) > 1100 || !strings.HasSuffix(got, "... (1000 bytes more)") {
		t.Errorf("%q", got)
	}
}

func TestShellWord(t *testing.T) {
	for text, want := range map[string]string{"": "''", "./a-b_c": "./a-b_c", "a b": "'a b'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "é": "'é'", "~": "'~'", "a=1,b:2": "a=1,b:2"} {
		if got := plain.ShellWord(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// Words of a command come out as they went in, whatever is in them.
func TestCommand(t *testing.T) {
	for text, want := range map[string][]string{
		`'/a b/c' -x "d e" f\ g ''`: {"/a b/c", "-x", "d e", "f g", ""}, `C:\x.exe  -y`: {`C:\x.exe`, "-y"}, " ": nil,
	} {
		if got := plain.Command(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, words := range [][]string{{"a b", `it's "x" y`, "", `\ \`, "t\tb", "é", "'", `"`, `\`}} {
		if got := plain.Command(plain.Quoted(words)); !slices.Equal(got, words) {
			t.Errorf("%q: %q of %s", words, got, plain.Quoted(words))
		}
	}
}
