package lines

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Item is a piece of a text of another program that cannot be read.
type Item struct {
	Line  int    `json:"line"` // from 1 on
	Field string `json:"field"`
	Want  string `json:"expected"`
	Got   string `json:"got"`
}

// LeftOut is what could not be read of a text of another program or author. All readers of
// such texts have one policy: an item that is not understood is refused, the rest is kept,
// and it is said what was left out. The zero value, of nothing, is ready to use.
type LeftOut struct {
	File  string // of which it was left out; may be empty
	Items []Item // the first ones
	More  int    // how many further ones there were
}

// mostItems bounds how many items of one text are kept, mostTold how many of them are told,
// and mostPart each part of an item, bytes.
const mostItems, mostTold, mostPart = 10000, 18, 200

// Add leaves an item out.
func (l *LeftOut) Add(line int, field, want, got string) {
	if len(l.Items) >= mostItems {
		l.More++
		return
	}
	item := Item{line, field, want, got}
	for _, part := range []*string{&item.Field, &item.Want, &item.Got} {
		if len(*part) > mostPart {
			*part = strings.ToValidUTF8((*part)[:mostPart], "") + "..."
		}
	}
	l.Items = append(l.Items, item)
}

// Count returns how many items were left out.
func (l *LeftOut) Count() int { return len(l.Items) + l.More }

// MarshalJSON writes how many items were left out, and the first ones.
func (l LeftOut) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"count": l.Count(), "items": append([]Item{}, l.Items[:min(mostTold, len(l.Items))]...)})
}

// Err returns the items as one error, a line each; nil where nothing was left out.
func (l *LeftOut) Err() error {
	var all []error
	for _, text := range l.Lines(mostTold) {
		all = append(all, errors.New(text))
	}
	return errors.Join(all...)
}

// Lines returns the items as text, at most so many and never above 18, and a line for the further ones.
func (l *LeftOut) Lines(most int) []string {
	var out []string
	for _, i := range l.Items[:min(most, mostTold, len(l.Items))] {
		place := fmt.Sprintf("%s:%d", l.File, i.Line)
		if l.File == "" {
			place = fmt.Sprintf("line %d", i.Line)
		}
		out = append(out, fmt.Sprintf("%s: %s: expected %s, got %s", place, i.Field, i.Want, cmp.Or(i.Got, `""`)))
	}
	if more := l.Count() - len(out); more > 0 {
		out = append(out, strings.TrimPrefix(fmt.Sprintf("%s: and %d more", l.File, more), ": "))
	}
	return out
}

// Summary returns the items for people, headed by what is done without them; empty where
// nothing was left out.
func (l *LeftOut) Summary(what string) string {
	if l.Count() == 0 {
		return ""
	}
	return fmt.Sprintf("%s (left out: %d)\n  %s", what, l.Count(), strings.Join(l.Lines(5), "\n  "))
}

// mostText bounds what Text returns, bytes: a small compressed file may hold any number.
const mostText = 64 << 20

// Text returns a whole file as text. See [Decoded]; a line that is not UTF-8 is read as
// Windows-1252. Of a file that cannot be read to its end the whole lines before are returned with the error.
func Text(content []byte) (string, error) {
	in, err := Decoded(bytes.NewReader(content))
	if err != nil {
		return "", err
	}
	all, err := io.ReadAll(io.LimitReader(in, mostText+1))
	switch {
	case err != nil:
		all = all[:bytes.LastIndexByte(all, '\n')+1]
	case len(all) > mostText:
		return "", fmt.Errorf("expected a text of at most %d bytes, got a longer one", mostText)
	}
	if utf8.Valid(all) {
		return string(all), err
	}
	var b strings.Builder
	for line := range strings.Lines(string(all)) {
		b.WriteString(Latin(line))
	}
	return b.String(), err
}

// Decoded returns the text of a file that may be packed by gzip, bzip2 or zip, written in UTF-16, headed by a byte
// order mark, or have lines that end with a carriage return alone.
func Decoded(file io.Reader) (*bufio.Reader, error) {
	in, err := unpacked(bufio.NewReaderSize(file, 64<<10))
	if err != nil {
		return nil, err
	}
	head, _ := in.Peek(3)
	switch {
	case string(head) == "\ufeff":
		_, _ = in.Discard(3)
	case len(head) < 2:
	case head[0] == 0xff && head[1] == 0xfe, head[0] != 0 && head[1] == 0: // a Latin letter has a zero beside it
		in = bufio.NewReaderSize(&wide{in: in}, 64<<10)
	case head[0] == 0xfe && head[1] == 0xff, head[0] == 0 && head[1] != 0:
		in = bufio.NewReaderSize(&wide{in: in, high: 1}, 64<<10)
	}
	head, _ = in.Peek(64 << 10)
	if bytes.Count(head, []byte("\r"))-bytes.Count(head, []byte("\r\n")) > bytes.Count(head, []byte("\n")) {
		in = bufio.NewReaderSize(returns{in}, 64<<10)
	}
	return in, nil
}

// mostUnpacked bounds what is read of a compressed file, bytes.
const mostUnpacked = 4 << 30

// bounded is a reader that fails beyond a number of bytes.
type bounded struct {
	in   io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("expected at most %d bytes when unpacked", int64(mostUnpacked))
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// returns reads carriage returns as line ends.
type returns struct{ in io.Reader }

func (r returns) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	for i := range p[:n] {
		if p[i] == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// wide reads UTF-16 as UTF-8.
type wide struct {
	in   *bufio.Reader
	high int // which byte of a unit is the low one: 0 the first, 1 the second
	out  []byte
}

func (w *wide) unit() (rune, error) {
	var two [2]byte
	if _, err := io.ReadFull(w.in, two[:]); err != nil {
		return 0, err
	}
	return rune(two[w.high]) | rune(two[1-w.high])<<8, nil
}

// Read implements io.Reader.
func (w *wide) Read(p []byte) (int, error) {
	for len(w.out) < len(p) {
		r, err := w.unit()
		if err == io.ErrUnexpectedEOF {
			err = io.EOF // half of a unit
		}
		if err != nil && len(w.out) == 0 {
			return 0, err
		}
		if err != nil {
			break
		}
		if utf16.IsSurrogate(r) {
			second, _ := w.unit()
			r = utf16.DecodeRune(r, second)
		}
		if r != '\ufeff' {
			w.out = utf8.AppendRune(w.out, r)
		}
	}
	n := copy(p, w.out)
	w.out = w.out[n:]
	return n, nil
}

// windows are the letters of the bytes 0x80 to 0x9f in Windows-1252, which is Latin-1 elsewhere.
var windows = [32]rune([]rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"))

// Latin returns a line as it is where it is UTF-8, and else read as Windows-1252.
func Latin(line string) string {
	if utf8.ValidString(line) {
		return line
	}
	out := make([]rune, len(line))
	for i := range len(line) {
		if out[i] = rune(line[i]); out[i]&^0x1f == 0x80 {
			out[i] = windows[out[i]&0x1f]
		}
	}
	return string(out)
}
