package chess

import (
	"fmt"
	"strings"
)

// Record is a game as its events told it, to be written as PGN. Its method Watch is
// a listener for Fixture.Watch:
//
//	record := &chess.Record{Event: "match", Round: "1.1", Players: [2]string{"a", "b"}}
//	series.Watch = func(block int64, rotation int) func(any) { return record.Watch }
type Record struct {
	Event, Site, Date, Round string    // as tags; empty ones are written as unknown
	Players                  [2]string // White, Black
	Tags                     [][2]string

	began Began
	moves []Moved
	ended Ended
}

// Watch takes one event of the game.
func (r *Record) Watch(event any) {
	switch e := event.(type) {
	case Began:
		r.began, r.moves, r.ended = e, nil, Ended{}
	case Moved:
		r.moves = append(r.moves, e)
	case Ended:
		r.ended = e
	}
}

// Result is 1-0, 0-1, 1/2-1/2, or * while the game goes on.
func (r *Record) Result() string {
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

// termination is the tag that says how the game ended, in the words of the standard.
func (e Ending) termination() string {
	switch e {
	case Open:
		return "unterminated"
	case TooLong, Agreed, Resigned:
		return "adjudication"
	case Illegal, Garbled:
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
func (r *Record) pgn() string {
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

func (r *Record) writeMoves(w *wrapped) {
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

// told is what a player told of its move: score for the player and depth, such as
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
