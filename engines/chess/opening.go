package chess

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
)

// Opening is the index-th opening of our own making: plies random moves from the
// start, drawn again until neither side can win material by force of captures
// within two plies. The same seed, index and number of plies always give the same
// opening.
func Opening(seed, index uint64, plies int) []Move {
	chance := arena.NewStream(seed, index)
	for {
		if moves := drawn(&chance, plies); moves != nil {
			return moves
		}
	}
}

// drawn is an opening of random moves; nil if it ends the game early, leaves a check, or is
// not balanced.
func drawn(chance *arena.Stream, plies int) []Move {
	p := Start()
	moves := make([]Move, plies)
	var buffer [256]Move
	for i := range moves {
		legal := p.Legal(buffer[:0])
		if len(legal) == 0 {
			return nil
		}
		moves[i] = legal[chance.IntN(len(legal))]
		p.Do(moves[i])
	}
	if p.Check() || len(p.Legal(buffer[:0])) == 0 {
		return nil
	}
	if v := look(&p, 2, -mated, mated); v < -balance || v > balance {
		return nil
	}
	return moves
}

const (
	balance = 50 // most advantage of an opening, hundredths of a pawn
	mated   = 100000
)

// values are what pieces are worth in look, hundredths of a pawn.
var values = [...]int{None: 0, Pawn: 100, Knight: 300, Bishop: 300, Rook: 500, Queen: 900, King: 0}

// look is the material that the side to move is ahead after some plies and all captures
// that pay. It is a small alpha-beta search; openings in which a piece can be won are
// refused by it.
func look(p *Position, depth, alpha, beta int) int {
	var buffer [256]Move
	legal := p.Legal(buffer[:0])
	if len(legal) == 0 {
		if p.Check() {
			return -mated
		}
		return 0
	}
	if depth <= 0 {
		v := 0
		for k := Pawn; k <= Queen; k++ {
			v += values[k] * (p.Squares(p.turn, k).Len() - p.Squares(p.turn^1, k).Len())
		}
		if v >= beta {
			return v
		}
		alpha = max(alpha, v)
	}
	for _, m := range legal {
		if depth <= 0 && (p.kind(m.To()) == None || depth < -6) {
			continue
		}
		next := *p
		next.Do(m)
		if v := -look(&next, depth-1, -beta, -alpha); v > alpha {
			if alpha = v; alpha >= beta {
				break
			}
		}
	}
	return alpha
}

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
