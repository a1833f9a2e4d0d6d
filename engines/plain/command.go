package plain

import (
	"os"
	"strings"
)

// Command returns the words of a command, which blanks part outside of quotation marks. A file whose path has
// blanks is one word where it is there.
func Command(text string) []string {
	text = strings.TrimSpace(text)
	for end := len(text); end > 0; end = strings.LastIndexByte(text[:end], ' ') {
		if info, err := os.Stat(text[:end]); err == nil && info.Mode().IsRegular() {
			return append([]string{text[:end]}, Command(text[end:])...)
		}
	}
	var words []string
	var word strings.Builder
	begun, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, begun = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		case c == '\\' && i+1 < len(text) && strings.IndexByte(` "'`, text[i+1]) >= 0 && quote != '\'':
			i++
			word.WriteByte(text[i])
			begun = true
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

// Quoted returns words as a command, which [Command] splits into them again.
func Quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		switch {
		case !strings.Contains(w, "'") && (w == "" || strings.ContainsAny(w, " \t\"\\")):
			w = "'" + w + "'"
		case strings.ContainsAny(w, " \t\"'"):
			w = strings.NewReplacer(" ", `\ `, `"`, `\"`, "'", `\'`, "\t", "\"\t\"").Replace(w)
		}
		out[i] = w
	}
	return strings.Join(out, " ")
}
