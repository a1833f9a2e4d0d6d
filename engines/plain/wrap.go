package plain

import "strings"

// Width is the number of columns that text for people fits into.
const Width = 80

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

// words are the words of a text; a percent sign belongs to its number.
func words(text string) []string {
	var out []string
	for _, word := range strings.Fields(text) {
		if n := len(out); n > 0 && strings.HasPrefix(word, "%") {
			out[n-1] += " " + word
			continue
		}
		out = append(out, word)
	}
	return out
}

// Reflowed is a text whose paragraphs are broken anew, in lines of [Width] columns; lines that
// are indented stay as they are.
func Reflowed(text string) string {
	var out, paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			out = append(out, Wrap(strings.Join(paragraph, " "), "", Width))
		}
		paragraph = nil
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
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

// Trimmed is a text whose lines end without blanks.
func Trimmed(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
