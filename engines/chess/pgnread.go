package chess

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
)

// openingTag is the tag with the number of plies that were made before the players began.
const openingTag = "OpeningPlies"

// recorder writes a game down as PGN; text is empty until the game has ended.
func recorder(seats []string) (see func(event any), text func() string) {
	r := &Record{Event: "sakusen", Players: [2]string{seats[0], seats[1]}}
	return r.Watch, func() string {
		if r.ended.Ending == Open {
			return ""
		}
		r.Tags = [][2]string{{openingTag, strconv.Itoa(len(r.began.Opening))}}
		return r.pgn()
	}
}

// ReadRecord reads a game that PGN has written: one game that has ended. Everything is
// there again but the nodes and times of moves, and the blanks in what a player said.
func ReadRecord(text string) (*Record, error) {
	tags, moves, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	r := &Record{began: Began{Start: Start()}}
	opening := 0
	for line := range strings.SplitSeq(tags, "\n") {
		name, value, _ := strings.Cut(strings.Trim(line, "[]"), " ")
		value = strings.Trim(value, `"`)
		var err error
		switch name {
		case "FEN":
			r.began.Start, err = ParseFEN(value)
		case "Limit":
			r.began.Limit, err = ParseLimit(value)
		case openingTag:
			opening, err = strconv.Atoi(value)
		}
		if err != nil {
			return nil, fmt.Errorf("tag %s: %w", name, err)
		}
	}
	return r, r.readMoves(moves, opening)
}

// readMoves reads the moves, of which so many are the opening, and the end.
func (r *Record) readMoves(text string, opening int) error {
	now := r.began.Start
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		if rest[0] == '{' {
			comment, after, ok := strings.Cut(rest[1:], "}")
			if !ok {
				return fmt.Errorf("expected the end of a comment, got %.40q", rest)
			}
			rest, comment = after, strings.Join(strings.Fields(comment), " ")
			if n := len(r.moves); n == 0 || !r.moves[n-1].Reply.readTold(comment) {
				r.ended = readEnding(comment, now)
			}
			continue
		}
		end := strings.IndexAny(rest, " \n\t\r{")
		if end < 0 {
			end = len(rest)
		}
		word := rest[:end]
		rest = rest[end:]
		if slices.Contains([]string{"1-0", "0-1", "1/2-1/2", "*"}, word) {
			if word != r.Result() || r.ended.Ending == Open || strings.TrimSpace(rest) != "" {
				return fmt.Errorf("expected a game that has ended with %s, got %s", r.Result(), word)
			}
			return nil
		}
		if strings.HasSuffix(word, ".") {
			continue
		}
		m, err := now.parseSAN(word)
		if err != nil {
			return err
		}
		san := now.SAN(m)
		now.Do(m)
		if len(r.began.Opening) < opening {
			r.began.Opening = append(r.began.Opening, m)
		} else {
			r.moves = append(r.moves, Moved{Move: m, SAN: san, Position: now, Reply: Reply{Move: m}})
		}
	}
	return fmt.Errorf("expected a result, got the end of the text")
}

// readTold reads what told writes; false if the text is something else.
func (r *Reply) readTold(text string) bool {
	score, depth, deep := strings.Cut(text, "/")
	if r.Scored || len(score) < 2 || score[0] != '+' && score[0] != '-' {
		return false
	}
	d := 0
	var err error
	if deep {
		if d, err = strconv.Atoi(depth); err != nil {
			return false
		}
	}
	if n, mate := strings.CutPrefix(score[1:], "M"); mate {
		moves, err := strconv.Atoi(n)
		if err != nil {
			return false
		}
		r.Score = Mate - moves
		if score[0] == '-' {
			r.Score = -r.Score
		}
	} else {
		pawns, err := strconv.ParseFloat(score, 64)
		if err != nil || math.Abs(pawns) > Mate {
			return false
		}
		r.Score = int(math.Round(100 * pawns))
	}
	r.Scored, r.Depth = true, d
	return true
}

// readEnding reads why a game ended, Open where the text does not say so.
func readEnding(text string, at Position) Ended {
	for e := Checkmate; e <= Garbled; e++ {
		why, said, _ := strings.Cut(text, ": ")
		if why == e.String() {
			return Ended{Position: at, Ending: e, Said: said}
		}
	}
	return Ended{}
}

// Events passes on the events that the record was made of. An error of see ends it
// and is returned.
func (r *Record) Events(see func(event any) error) error {
	if err := see(r.began); err != nil {
		return err
	}
	for _, m := range r.moves {
		if err := see(m); err != nil {
			return err
		}
	}
	return see(r.ended)
}

// Digest is the digest of the game's transcript, as the referee made it.
func (r *Record) Digest() uint64 {
	var t arena.Transcript
	t.Add(r.began.Start.key)
	for _, m := range r.began.Opening {
		t.Add(uint64(m))
	}
	for _, m := range r.moves {
		t.Add(uint64(m.Move))
	}
	t.Add(uint64(r.ended.Ending) << 32)
	return t.Sum()
}
