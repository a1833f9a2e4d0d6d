package tubstap

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A tag is one NAME[text] of a map or replay file and the line it begins on.
type tag struct {
	name string
	text string
	line int // 1-based
}

// scanTags reads a file as the original program does: lines are joined without a separator,
// pieces end at ';', and a tag is a name, '[', and everything to the first ']'. In a file
// that is not UTF-8, two-byte characters of Shift_JIS are kept whole, since their second
// byte may be '[' or ']'. The texts of the tags are UTF-8.
func scanTags(data []byte) ([]tag, error) {
	s := tagScanner{data: data, line: 1, wide: !utf8.Valid(data)}
	var tags []tag
	for {
		t, ok, err := s.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return tags, nil
		}
		tags = append(tags, t)
	}
}

type tagScanner struct {
	data []byte
	at   int
	line int
	wide bool
}

// step returns the bytes of the next character, none at the end, and passes
// over line ends.
func (s *tagScanner) step() []byte {
	for s.at < len(s.data) {
		c := s.data[s.at]
		if c == '\n' {
			s.line++
		}
		if c == '\n' || c == '\r' {
			s.at++
			continue
		}
		n := 1
		if s.wide && s.at+1 < len(s.data) && (c >= 0x81 && c <= 0x9f || c >= 0xe0 && c <= 0xfc) && s.data[s.at+1] >= 0x40 {
			n = 2
		}
		s.at += n
		return s.data[s.at-n : s.at]
	}
	return nil
}

// next finds the next tag.
func (s *tagScanner) next() (tag, bool, error) {
	var name []byte
	for {
		c := s.step()
		switch {
		case c == nil:
			return tag{}, false, nil
		case c[0] == '[' && len(c) == 1:
			t := tag{name: string(name), line: s.line}
			text, ok := s.text()
			if !ok {
				return tag{}, false, fmt.Errorf("line %d: %s[: no closing ']' before the end of the file", t.line, t.name)
			}
			t.text = Text(text)
			return t, true, nil
		case len(c) == 1 && (c[0] >= 'A' && c[0] <= 'Z'):
			name = append(name, c[0])
		default:
			name = name[:0]
		}
	}
}

// text reads to the first ']'.
func (s *tagScanner) text() (string, bool) {
	var b strings.Builder
	for {
		c := s.step()
		if c == nil {
			return "", false
		}
		if len(c) == 1 && c[0] == ']' {
			return b.String(), true
		}
		b.Write(c)
	}
}

// numbers splits the text at commas and reads each as a number in lo..hi.
func (t tag) numbers(lo, hi int, names ...string) ([]int, error) {
	parts := strings.Split(t.text, ",")
	if len(parts) != len(names) {
		return nil, t.errorf("%d fields, want %d: %s", len(parts), len(names), strings.Join(names, ","))
	}
	out := make([]int, len(parts))
	for i, p := range parts {
		n, err := t.number(names[i], p, lo, hi)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// number reads one number of the tag, blanks around it allowed.
func (t tag) number(field, text string, lo, hi int) (int, error) {
	n, err := strconv.Atoi(strings.Trim(text, " \t"))
	if err != nil {
		return 0, t.errorf("%s %q: want a whole number", field, text)
	}
	if n < lo || n > hi {
		return 0, t.errorf("%s %d: want %d to %d", field, n, lo, hi)
	}
	return n, nil
}

func (t tag) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %s: %s", t.line, t.name, fmt.Sprintf(format, args...))
}
