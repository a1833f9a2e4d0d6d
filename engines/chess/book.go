package chess

import (
	"errors"
	"fmt"
	"strings"
)

// ParseBook reads the openings of a book in EPD: a position a line, of which the
// first four fields are read, or six where the fifth and sixth are counts. Empty
// lines and lines that begin with # are skipped. Two equal positions are an
// error, since they would be counted as two starts.
func ParseBook(text string) ([]Position, error) {
	var book []Position
	seen := map[uint64]int{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Fields(line)
		n := min(len(fields), 4)
		if len(fields) >= 6 && digits(fields[4]) && digits(strings.TrimSuffix(fields[5], ";")) {
			n = 6
		}
		p, err := ParseFEN(strings.TrimSuffix(strings.Join(fields[:n], " "), ";"))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		var line Line
		line.Reset(p)
		if e := line.Ending(); e != Open {
			return nil, fmt.Errorf("line %d: expected a position in which the game goes on, got %s", number, e)
		}
		if first, twice := seen[p.key]; twice {
			return nil, fmt.Errorf("line %d: the position of line %d again", number, first)
		}
		seen[p.key] = number
		book = append(book, p)
	}
	if len(book) == 0 {
		return nil, errors.New("expected at least one position, got none")
	}
	return book, nil
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
