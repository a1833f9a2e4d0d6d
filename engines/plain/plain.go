// Package plain makes text of other people safe to show: names in benchmarks, in
// tournaments and of players over a network come from files and programs that nobody
// has looked at, and a terminal or a spreadsheet does what it reads.
//
//	fmt.Fprintln(plain.NewWriter(os.Stdout), name) // whatever name is
//	row := []string{plain.Cell(name)}
//
// Control characters of C0 and C1 but for the ends of lines and tabs, DEL, characters
// that turn the direction of text (Unicode Technical Report 36, section 3.3) and bytes
// that are no UTF-8 are written as \u001b, which in JSON means the same character.
package plain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// hostile tells the characters that are not shown as they are.
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

// Is tells whether a text is shown as it is.
func Is(text string) bool { return utf8.ValidString(text) && !strings.ContainsFunc(text, hostile) }

// Text is a text that can be shown.
func Text(text string) string {
	if Is(text) {
		return text
	}
	return string(appended(nil, []byte(text)))
}

// Line is a text that can be shown in a line: ends of lines and tabs are written as \u000a too.
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

// Cell is a text for a cell of CSV. A spreadsheet takes what begins with = + - @ for a
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
