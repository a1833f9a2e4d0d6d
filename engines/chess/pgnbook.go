package chess

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parsePGNBook reads the openings of a book in PGN: the position after the moves of each
// game, or after the first so many plies unless that is 0. Comments and variations are
// passed over. A position that comes twice is taken once.
func parsePGNBook(text string, plies int) ([]Position, error) {
	var book []Position
	seen := map[uint64]bool{}
	var line Line
	begun := false // moves of a game were read
	number := 0    // of the game
	end := func() error {
		if e := line.Ending(); begun && e != Open {
			return fmt.Errorf("game %d: expected a position in which the game goes on, got %s", number, e)
		}
		if key := line.Now().Key(); begun && !seen[key] {
			seen[key] = true
			position := line.now
			book = append(book, position)
		}
		begun = false
		return nil
	}
	line.Reset(Start())
	for _, word := range pgnWords(text) {
		if word[0] == '[' {
			if begun {
				if err := end(); err != nil {
					return nil, err
				}
			}
			name, value, _ := strings.Cut(strings.Trim(word, "[]"), " ")
			if name == "FEN" {
				p, err := ParseFEN(strings.Trim(value, "\" "))
				if err != nil {
					return nil, fmt.Errorf("game %d: FEN: %w", number+1, err)
				}
				line.Reset(p)
			} else if name == "Event" {
				line.Reset(Start())
			}
			continue
		}
		if !begun {
			begun, number = true, number+1
		}
		if slices.Contains([]string{"1-0", "0-1", "1/2-1/2", "*"}, word) {
			if err := end(); err != nil {
				return nil, err
			}
			line.Reset(Start())
			continue
		}
		if plies > 0 && len(line.moves) >= plies {
			continue
		}
		m, err := line.now.parseSAN(word)
		if err != nil {
			return nil, fmt.Errorf("game %d: after %d plies: %w", number, len(line.moves), err)
		}
		line.Do(m)
	}
	if err := end(); err != nil {
		return nil, err
	}
	if len(book) == 0 {
		return nil, fmt.Errorf("expected at least one game, got none")
	}
	return book, nil
}

// pgnWords are the tags, whole, the moves and the results of a PGN text, without move
// numbers, comments, variations and marks.
func pgnWords(text string) []string {
	var words []string
	depth := 0
	for i := 0; i < len(text); {
		c := text[i]
		until := func(stop string) string {
			if j := strings.Index(text[i:], stop); j >= 0 {
				return text[i : i+j+len(stop)]
			}
			return text[i:]
		}
		switch {
		case c == '{':
			i += len(until("}"))
		case c == ';' || c == '%' && (i == 0 || text[i-1] == '\n'):
			i += len(until("\n"))
		case c == '(':
			depth++
			i++
		case c == ')':
			depth = max(0, depth-1)
			i++
		case c == '[':
			tag := strings.TrimSpace(until("\n"))
			words = append(words, tag)
			i += len(until("\n"))
		case c <= ' ':
			i++
		default:
			j := i
			for j < len(text) && text[j] > ' ' && !strings.ContainsRune("{}();[", rune(text[j])) {
				j++
			}
			if j == i {
				j++
			}
			word := text[i:j]
			i = j
			if dot := strings.LastIndexByte(word, '.'); dot >= 0 {
				if _, err := strconv.Atoi(strings.Trim(word[:dot], ".")); err == nil || strings.Trim(word[:dot], ".") == "" {
					word = word[dot+1:]
				}
			}
			_, err := strconv.Atoi(word)
			if depth == 0 && word != "" && word[0] != '$' && err != nil && strings.Trim(word, "!?.") != "" {
				words = append(words, word)
			}
		}
	}
	return words
}
