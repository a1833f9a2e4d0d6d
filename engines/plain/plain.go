// Package plain makes text of other people safe to show. Names of benchmarks, entrants and
// players over a network come from files and programs that the user has not checked, and a
// terminal or a spreadsheet obeys what it reads.
//
//	fmt.Fprintln(plain.NewWriter(os.Stdout), name) // whatever name is
//	row := []string{plain.Cell(name)}
//
// Some characters are written as escapes such as \u001b, which in JSON means the same character.
// These are control characters of C0 and C1 except ends of lines and tabs, DEL, characters that
// turn the direction of text (Unicode Technical Report 36, section 3.3), and bytes that are no
// UTF-8. Files are read up to a size, and written so that a concurrent reader finds the old one or
// the new one, whole.
package plain

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"
)

// hostile reports whether a character is not shown as it is.
func hostile(r rune) bool {
	switch {
	case r < ' ':
		return r != '\n' && r != '\t'
	case r >= 0x7f && r <= 0x9f,
		r == 0x061c, r == 0x200e, r == 0x200f, r == 0x2028, r == 0x2029,
		r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// Is reports whether a text is shown as it is.
func Is(text string) bool { return utf8.ValidString(text) && !strings.ContainsFunc(text, hostile) }

// Text returns a text that can be shown.
func Text(text string) string {
	if Is(text) {
		return text
	}
	return string(appended(nil, []byte(text)))
}

// mostLines and mostBytes bound a message, and each of its lines.
const mostLines, mostBytes = 20, 1000

// Bounded returns a message of at most 20 lines, each of at most 1000 bytes, that says how much it leaves out.
func Bounded(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) > mostBytes {
			lines[i] = fmt.Sprintf("%s... (%d bytes more)", strings.ToValidUTF8(line[:mostBytes], ""), len(line)-mostBytes)
		}
	}
	if len(lines) > mostLines {
		lines = append(lines[:mostLines-1], fmt.Sprintf("... (%d lines more)", len(lines)-mostLines+1))
	}
	return strings.Join(lines, "\n")
}

// Line returns a text that can be shown in a line: ends of lines and tabs are written as \u000a too.
func Line(text string) string {
	return strings.NewReplacer("\n", `\u000a`, "\t", `\u0009`).Replace(Text(text))
}

// appended appends a text that can be shown.
func appended(to, text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n <= 1:
			to = fmt.Appendf(to, `\u%04x`, text[0])
		case hostile(r):
			to = fmt.Appendf(to, `\u%04x`, r)
		default:
			to = append(to, text[:n]...)
		}
		text = text[n:]
	}
	return to
}

// Cell returns a text for a cell of CSV. A spreadsheet takes what begins with = + - @ for a
// formula, also after blanks; unless it is a number it gets a ' in front.
func Cell(text string) string {
	text = Text(text)
	bare := strings.TrimLeft(text, " \t\r\n")
	if bare == "" || !strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20", []rune(bare)[0]) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}

// Writer writes what can be shown of all that is written to it. The end of a write
// may lie inside of a character.
type Writer struct {
	w io.Writer

	mu   sync.Mutex
	rest []byte // the beginning of a character
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write implements io.Writer.
func (p *Writer) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(text)
	if len(p.rest) > 0 {
		text = append(p.rest, text...)
	}
	whole := len(text) - partial(text)
	p.rest = append([]byte(nil), text[whole:]...)
	return n, p.write(text[:whole])
}

// Flush writes what was left of an unfinished character.
func (p *Writer) Flush() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := p.rest
	p.rest = nil
	return p.write(rest)
}

// write passes a text on, unless there is none: a pipe would wait for a reader.
func (p *Writer) write(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	_, err := p.w.Write(appended(nil, text))
	return err
}

// partial returns the number of bytes at the end that may begin a character.
func partial(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if at := text[len(text)-n:]; utf8.RuneStart(at[0]) {
			if !utf8.FullRune(at) {
				return n
			}
			return 0
		}
	}
	return 0
}

// Width is the number of columns that text for people fits into.
const Width = 80

// Near returns a text on one line, at most so many characters of it; of a longer one the part
// that has the first difference from another text. An empty one is "".
func Near(text, other string, most int) string {
	a, b := []rune(strings.Join(strings.Fields(text), " ")), []rune(strings.Join(strings.Fields(other), " "))
	same, from := 0, 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if same > most/2 && len(a) > most {
		from = min(same-most/3, len(a)-most/2)
	}
	out := string(a[from:min(len(a), from+most)])
	if from > 0 {
		out = "..." + out
	}
	if from+most < len(a) {
		out += "..."
	}
	return cmp.Or(out, `""`)
}

// Wrap breaks a paragraph into lines of at most width columns, between words; a word
// that is longer stands on a line of its own. All lines but the first begin with
// the indent, for which the first one leaves room.
func Wrap(text, indent string, width int) string {
	var b strings.Builder
	at := len(indent)
	for i, word := range words(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteString("\n" + indent)
			at = len(indent)
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// words returns the words of a text; a percent sign belongs to its number.
func words(text string) []string {
	var out []string
	for word := range strings.FieldsSeq(text) {
		if n := len(out); n > 0 && strings.HasPrefix(word, "%") {
			out[n-1] += " " + word
			continue
		}
		out = append(out, word)
	}
	return out
}

// Reflowed returns a text whose paragraphs are broken anew, in lines of [Width] columns;
// lines that are indented stay as they are.
func Reflowed(text string) string {
	var out, paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			out = append(out, Wrap(strings.Join(paragraph, " "), "", Width))
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		end()
		out = append(out, line)
	}
	end()
	return strings.Join(out, "\n")
}

// Trimmed returns a text whose lines end without blanks.
func Trimmed(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// Open opens a regular file of at most so many bytes to read. A device or a pipe is refused, without waiting for who
// writes to it: it may never end.
func Open(path string, most int64) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: expected a regular file, got %s", path, kindOf(info.Mode()))
	}
	if err == nil && info.Size() > most {
		err = tooLong(path, most)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func tooLong(name string, most int64) error {
	return fmt.Errorf("%s: expected at most %d bytes, got more", name, most)
}

// patience is how long a file of the kernel, such as /proc/kmsg, is waited for.
const patience = 10 * time.Second

// kindOf returns what a file is that is no regular one.
func kindOf(mode os.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeDevice != 0:
		return "a device"
	}
	return "another kind"
}

// ReadFile returns the content of a regular file of at most so many bytes.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := Open(path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	_ = f.SetReadDeadline(time.Now().Add(patience)) // files of the kernel alone may have one
	return ReadAll(f, path, most)
}

// ReadAll reads at most so many bytes to the end; more is an error, which names the source.
func ReadAll(r io.Reader, name string, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, tooLong(name, most)
	}
	return text, err
}

// What files of a kind have at most, bytes: a text that people write, results and records of
// programs, a book of openings (the largest published ones of chess take half of it), an
// archive of games or a program.
const (
	MostText   = 4 << 20
	MostRecord = 64 << 20
	MostBook   = 32 << 20
	MostGames  = 16 << 30
)

// WriteFile replaces a file in one step, after what write has written is on the disk: others
// a concurrent reader finds the old one or the new one, whole.
func WriteFile(path string, write func(io.Writer) error) error {
	path = filepath.Clean(path)
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = write(w)
	err = errors.Join(err, w.Flush(), f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// WriteText does what WriteFile does, for a text.
func WriteText(path string, text []byte) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// ShellWord returns a text as a shell reads it as one word: in quotes where it has more than letters
// and digits of ASCII and signs that mean nothing there.
func ShellWord(text string) string {
	usual := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,+@%", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !usual(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Pattern returns a function that returns a regular expression, which is compiled when it is first
// asked for: a program that compiled all of its expressions would start later for it.
func Pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
