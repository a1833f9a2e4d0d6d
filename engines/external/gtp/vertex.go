package gtp

import (
	"strconv"
	"strings"
)

// ParseMove reads the answer to genmove: "pass", "resign" or a vertex on a board of
// so many lines, in the spelling of the protocol's examples.
func ParseMove(text string, size int) (string, bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if text == "PASS" || text == "RESIGN" {
		return strings.ToLower(text), true
	}
	if len(text) < 2 {
		return "", false
	}
	column := strings.IndexByte("ABCDEFGHJKLMNOPQRSTUVWXYZ", text[0])
	line, err := strconv.Atoi(text[1:])
	return text, column >= 0 && column < size && err == nil && line >= 1 && line <= size && text[1] != '+' && text[1] != '0'
}

// Winner reads the answer to final_score, such as "B+3.5", "W+Resign" or "0": 0 for
// Black, 1 for White, -1 for a draw.
func Winner(text string) (seat int, ok bool) {
	word, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(text)), " ")
	if word == "0" || word == "DRAW" || word == "JIGO" || word == "0.0" {
		return -1, true
	}
	side, margin, found := strings.Cut(word, "+")
	seat = strings.Index("BW", side)
	if !found || len(side) != 1 || seat < 0 {
		return 0, false
	}
	if n, err := strconv.ParseFloat(margin, 64); err == nil {
		if n == 0 {
			return -1, true
		}
		return seat, n > 0
	}
	return seat, margin == "R" || margin == "RESIGN" || margin == "T" || margin == "TIME" || margin == "F" || margin == "FORFEIT" || margin == ""
}
