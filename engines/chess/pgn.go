package chess

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
)

// record is a game as its events told it, to be written as PGN. Its method watch is
// a listener for Fixture.Watch:
//
//	r := &record{Event: "match", Round: "1.1", Players: [2]string{"a", "b"}}
//	series.Watch = func(block int64, rotation int) func(any) { return r.watch }
type record struct {
	Event, Site, Date, Round string    // as tags; empty ones are written as unknown
	Players                  [2]string // White, Black
	Tags                     [][2]string

	began Began
	moves []Moved
	ended Ended
}

// watch takes one event of the game.
func (r *record) watch(event any) {
	switch e := event.(type) {
	case Began:
		r.began, r.moves, r.ended = e, nil, Ended{}
	case Moved:
		r.moves = append(r.moves, e)
	case Ended:
		r.ended = e
	}
}

// Result returns 1-0, 0-1, 1/2-1/2, or * while the game goes on.
func (r *record) Result() string {
	switch e := r.ended.Ending; {
	case e == Open:
		return "*"
	case !e.Decided():
		return "1/2-1/2"
	case r.ended.Position.turn == White:
		return "0-1"
	}
	return "1-0"
}

// termination returns the tag that says how the game ended, in the words of the standard.
func (e Ending) termination() string {
	switch e {
	case Open:
		return "unterminated"
	case tooLong, agreed, resigned:
		return "adjudication"
	case illegal, Garbled:
		return "rules infraction"
	case Crashed, Stalled:
		return "abandoned"
	case OutOfTime:
		return "time forfeit"
	}
	return "normal"
}

// pgn writes the game. Comments hold what the players told of their moves, and why
// the game ended.
func (r *record) pgn() string {
	var b strings.Builder
	tag := func(name, value string) {
		value = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ").Replace(value)
		fmt.Fprintf(&b, "[%s \"%s\"]\n", name, value)
	}
	known := func(text, unknown string) string {
		if text == "" {
			return unknown
		}
		return text
	}
	tag("Event", known(r.Event, "?"))
	tag("Site", known(r.Site, "?"))
	tag("Date", known(r.Date, "????.??.??"))
	tag("Round", known(r.Round, "?"))
	tag("White", known(r.Players[White], "?"))
	tag("Black", known(r.Players[Black], "?"))
	tag("Result", r.Result())
	if fen := r.began.Start.FEN(); fen != StartFEN {
		tag("SetUp", "1")
		tag("FEN", fen)
	}
	tag("PlyCount", fmt.Sprint(len(r.began.Opening)+len(r.moves)))
	tag("Termination", r.ended.Ending.termination())
	if r.began.Limit != (Limit{}) {
		tag("Limit", r.began.Limit.String())
	}
	for _, t := range r.Tags {
		tag(t[0], t[1])
	}
	b.WriteByte('\n')
	w := wrapped{b: &b}
	r.writeMoves(&w)
	if e := r.ended.Ending; e != Open {
		why := e.String()
		if r.ended.Said != "" {
			why += ": " + r.ended.Said
		}
		w.comment(why)
	}
	w.word(r.Result())
	b.WriteString("\n\n")
	return b.String()
}

func (r *record) writeMoves(w *wrapped) {
	p := r.began.Start
	first := true
	write := func(m Move) {
		if p.turn == White {
			w.word(fmt.Sprintf("%d.", p.number))
		} else if first {
			w.word(fmt.Sprintf("%d...", p.number))
		}
		first = false
		w.word(p.SAN(m))
		p.Do(m)
	}
	for _, m := range r.began.Opening {
		write(m)
	}
	for i := range r.moves {
		write(r.moves[i].Move)
		if text := r.moves[i].Reply.told(); text != "" {
			w.comment(text)
			first = true // after a comment the number of Black's move is told again
		}
	}
}

// told returns what a player told of its move: score for the player and depth, such as
// "+0.31/8" or "-M4/12".
func (r *Reply) told() string {
	if !r.Scored {
		return ""
	}
	text := fmt.Sprintf("%+.2f", float64(r.Score)/100)
	switch {
	case r.Score > Mate-1000:
		text = fmt.Sprintf("+M%d", Mate-r.Score)
	case r.Score < 1000-Mate:
		text = fmt.Sprintf("-M%d", Mate+r.Score)
	}
	if r.Depth > 0 {
		text += fmt.Sprintf("/%d", r.Depth)
	}
	return text
}

// wrapped writes words in lines of at most 79 characters.
type wrapped struct {
	b  *strings.Builder
	at int
}

func (w *wrapped) word(text string) {
	switch {
	case w.at > 0 && w.at+1+len(text) > 79:
		w.b.WriteByte('\n')
		w.at = 0
	case w.at > 0:
		w.b.WriteByte(' ')
		w.at++
	}
	w.b.WriteString(text)
	w.at += len(text)
}

func (w *wrapped) comment(text string) {
	text = strings.Map(func(c rune) rune {
		if c == '{' || c == '}' || c < ' ' {
			return ' '
		}
		return c
	}, text)
	words := strings.Fields(text)
	if len(words) == 0 {
		return
	}
	words[0] = "{" + words[0]
	words[len(words)-1] += "}"
	for _, word := range words {
		w.word(word)
	}
}

// openingTag is the tag with the number of plies that were made before the players began.
const openingTag = "OpeningPlies"

// recorder writes a game down as PGN; text is empty until the game has ended.
func recorder(seats []string) (see func(event any), text func() string) {
	r := &record{Event: "sakusen", Players: [2]string{seats[0], seats[1]}}
	return r.watch, func() string {
		if r.ended.Ending == Open {
			return ""
		}
		r.Tags = [][2]string{{openingTag, strconv.Itoa(len(r.began.Opening))}}
		return r.pgn()
	}
}

// ReadRecord reads a game that PGN has written: one game that has ended. Everything is
// there again but the nodes and times of moves, and the blanks in what a player said.
func ReadRecord(text string) (*record, error) {
	tags, moves, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	r := &record{began: Began{Start: Start()}}
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
func (r *record) readMoves(text string, opening int) error {
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
	for e := checkmate; e <= Garbled; e++ {
		why, said, _ := strings.Cut(text, ": ")
		if why == e.String() {
			return Ended{Position: at, Ending: e, Said: said}
		}
	}
	return Ended{}
}

// Events passes on the events that the record was made of. An error of see ends it
// and is returned.
func (r *record) Events(see func(event any) error) error {
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

// Digest returns the digest of the game's transcript, as the referee made it.
func (r *record) Digest() uint64 {
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
