package chess

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// script is a player that answers from a list of moves in algebraic notation, with
// scores; when the list ends it answers last.
type script struct {
	moves  string
	scores []int
	last   Reply
	spent  int64
	began  int
	ended  int

	left []string
	made int
}

func (s *script) Begin(*View) error {
	s.began++
	s.left, s.made = strings.Fields(s.moves), 0
	return nil
}

func (s *script) Move(v *View) Reply {
	if len(s.left) == 0 {
		return s.last
	}
	m, err := v.Line.Now().parseSAN(s.left[0])
	if err != nil {
		panic(err)
	}
	s.left = s.left[1:]
	r := Reply{Move: m, Spent: s.spent}
	if s.made < len(s.scores) {
		r.Score, r.Scored, r.Depth = s.scores[s.made], true, 3
	}
	s.made++
	return r
}

func (s *script) End(*View) { s.ended++ }

// refereed plays one game under rules.
func refereed(t *testing.T, white, black *script, rules ...string) (*arena.Outcome, *record, []string) {
	t.Helper()
	r := &Rules{}
	f, err := param.Bind(r.declare)
	if err != nil {
		t.Fatal(err)
	}
	values := param.Values{{Name: "book", Text: StartFEN}}
	for i := 0; i < len(rules); i += 2 {
		values = values.With(rules[i], rules[i+1])
	}
	if _, errs := f.Assign(values); len(errs) > 0 {
		t.Fatal(errs)
	}
	if err := r.check(); err != nil {
		t.Fatal(err)
	}
	record := &record{Event: "test", Players: [2]string{`a "b"`, "b"}, Tags: [][2]string{{"WhiteOptions", "x=1"}}}
	var story []string
	fx := &arena.Fixture{Seed: 1, Starts: 1, Watch: record.watch, Story: func(line string) { story = append(story, line) }}
	out := arena.NewOutcome(2, counted)
	if err := newReferee(r).Play(fx, []Player{white, black}, out); err != nil {
		t.Fatal(err)
	}
	if white.began != 1 || white.ended != 1 || black.began != 1 || black.ended != 1 {
		t.Errorf("players were told of %d, %d beginnings and %d, %d ends", white.began, black.began, white.ended, black.ended)
	}
	return out, record, story
}

func TestReferee(t *testing.T) {
	const waits = "Nf3 Ng1 Nf3 Ng1 Nf3 Ng1 Nf3 Ng1"
	const waits2 = "Nf6 Ng8 Nf6 Ng8 Nf6 Ng8 Nf6 Ng8"
	far := []int{-900, -900, -900, -900}
	ahead := []int{900, 900, 900, 900}
	for _, c := range []struct {
		name         string
		white, black script
		rules        []string
		score        [2]int64
		ending       Ending
		termination  string
	}{
		{name: "mate", white: script{moves: "f3 g4"}, black: script{moves: "e5 Qh4"}, score: [2]int64{0, 2}, ending: checkmate, termination: "normal"},
		{name: "repetition", white: script{moves: waits}, black: script{moves: waits2}, score: [2]int64{1, 1}, ending: repetition, termination: "normal"},
		{name: "illegal", white: script{moves: "e4", last: Reply{Move: newMove(0, 63, None)}}, black: script{moves: "e5"}, score: [2]int64{0, 2}, ending: illegal, termination: "rules infraction"},
		{name: "crash", white: script{moves: "e4"}, black: script{last: Reply{Fault: Crashed, Said: "signal: {killed}"}}, score: [2]int64{2, 0}, ending: Crashed, termination: "abandoned"},
		{name: "stall", white: script{last: Reply{Fault: Stalled}}, black: script{}, score: [2]int64{0, 2}, ending: Stalled, termination: "abandoned"},
		{name: "garbage", white: script{last: Reply{Fault: Garbled, Said: "bestmove banana"}}, black: script{}, score: [2]int64{0, 2}, ending: Garbled, termination: "rules infraction"},
		{name: "clock", white: script{moves: waits, spent: 1500}, black: script{moves: waits2}, rules: []string{"limit", "clock:2+0.5"}, score: [2]int64{0, 2}, ending: OutOfTime, termination: "time forfeit"},
		{name: "margin", white: script{moves: waits, spent: 1500}, black: script{moves: waits2}, rules: []string{"limit", "clock:2+0.5", "margin", "1000"}, score: [2]int64{1, 1}, ending: repetition, termination: "normal"},
		{name: "resigns", white: script{moves: waits, scores: far}, black: script{moves: waits2, scores: ahead}, rules: []string{"resign", "500"}, score: [2]int64{0, 2}, ending: resigned, termination: "adjudication"},
		{name: "resigns alone", white: script{moves: waits, scores: far}, black: script{moves: waits2}, rules: []string{"resign", "500", "resign_both", "false", "resign_moves", "2"}, score: [2]int64{0, 2}, ending: resigned, termination: "adjudication"},
		{name: "does not resign alone", white: script{moves: waits, scores: far}, black: script{moves: waits2}, rules: []string{"resign", "500"}, score: [2]int64{1, 1}, ending: repetition, termination: "normal"},
		{name: "agreed", white: script{moves: waits, scores: []int{0, 5}}, black: script{moves: waits2, scores: []int{-3, 0}}, rules: []string{"draw", "10", "draw_moves", "2", "draw_from", "2"}, score: [2]int64{1, 1}, ending: agreed, termination: "adjudication"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, record, story := refereed(t, &c.white, &c.black, c.rules...)
			if out.Scores[0] != c.score[0] || out.Scores[1] != c.score[1] || record.ended.Ending != c.ending {
				t.Errorf("scores %v by %s, expected %v by %s", out.Scores, record.ended.Ending, c.score, c.ending)
			}
			faults := out.Counts(0)[faultsMade] + out.Counts(1)[faultsMade]
			if (faults == 1) != c.ending.fault() || (out.Faults[0] || out.Faults[1]) != c.ending.fault() {
				t.Errorf("%d faults", faults)
			}
			pgn := record.pgn()
			if want := `[Termination "` + c.termination + `"]`; !strings.Contains(pgn, want) {
				t.Errorf("expected %s in\n%s", want, pgn)
			}
			if !strings.Contains(story[len(story)-1], c.ending.String()) {
				t.Errorf("the story ends with %q", story[len(story)-1])
			}
		})
	}
}

func TestPGN(t *testing.T) {
	_, record, _ := refereed(t, &script{moves: "f3 g4", scores: []int{-31, 3 - Mate}}, &script{moves: "e5 Qh4"})
	const want = `[Event "test"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "a \"b\""]
[Black "b"]
[Result "0-1"]
[PlyCount "4"]
[Termination "normal"]
[Limit "nodes:10000"]
[WhiteOptions "x=1"]

1. f3 {-0.31/3} 1... e5 2. g4 {-M3/3} 2... Qh4# {checkmate} 0-1

`
	if got := record.pgn(); got != want {
		t.Errorf("got\n%s\nexpected\n%s", got, want)
	}
}

// randomMover makes random moves.
type randomMover struct{}

func (randomMover) Begin(*View) error { return nil }

func (randomMover) Move(v *View) Reply {
	return Reply{Move: v.Line.Legal()[v.Chance.IntN(len(v.Line.Legal()))], Score: v.Chance.IntN(200) - 100, Scored: v.Chance.Bool()}
}

func (randomMover) End(*View) {}

// Another program, Debian's pgn-extract, replays random games from the start and
// from positions of a book, and finds mates where we say so.
func TestPGNIsReplayed(t *testing.T) {
	extract, err := exec.LookPath("pgn-extract")
	if err != nil {
		extract, err = exec.LookPath("/usr/games/pgn-extract") // where Debian puts it
	}
	if err != nil {
		t.Skip("Debian's package pgn-extract is not installed")
	}
	var all strings.Builder
	games, mates, stalemates := 0, 0, 0
	book := "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1|r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 3 9|" +
		"4k2r/8/8/2pP4/8/8/6P1/R3K3 w Qk c6 0 30"
	for _, rules := range []param.Values{nil, {{Name: "book", Text: book}}} {
		r := &Rules{}
		f, err := param.Bind(r.declare)
		if err != nil {
			t.Fatal(err)
		}
		if _, errs := f.Assign(rules); len(errs) > 0 {
			t.Fatal(errs)
		}
		if err := r.check(); err != nil {
			t.Fatal(err)
		}
		ref := newReferee(r)
		for block := range int64(60) {
			record := &record{Event: "random", Players: [2]string{"white", "black"}}
			out := arena.NewOutcome(2, counted)
			if err := ref.Play(&arena.Fixture{Seed: 3, Block: block, Starts: r.starts(), Watch: record.watch}, []Player{randomMover{}, randomMover{}}, out); err != nil {
				t.Fatal(err)
			}
			games++
			switch record.ended.Ending {
			case checkmate:
				mates++
			case stalemate:
				stalemates++
			}
			all.WriteString(record.pgn())
		}
	}
	file := filepath.Join(t.TempDir(), "games.pgn")
	if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	count := func(args ...string) (int, string) {
		var out, told strings.Builder
		c := exec.Command(extract, append(args, file)...)
		c.Stdout, c.Stderr = &out, &told
		if err := c.Run(); err != nil {
			t.Fatalf("%v\n%s", err, told.String())
		}
		return strings.Count(out.String(), "[Event "), told.String()
	}
	n, told := count("--quiet")
	for line := range strings.Lines(told) {
		if !strings.HasPrefix(line, "Processing ") && !strings.Contains(line, " games matched out of ") {
			t.Errorf("pgn-extract complains: %s", line)
		}
	}
	if n != games {
		t.Errorf("%d of %d games are replayed", n, games)
	}
	if n, _ := count("-s", "--checkmate"); n != mates {
		t.Errorf("%d games end in mate, expected %d", n, mates)
	}
	if n, _ := count("-s", "--stalemate"); n != stalemates {
		t.Errorf("%d games end in stalemate, expected %d", n, stalemates)
	}
	t.Logf("%d games, %d mates, %d stalemates", games, mates, stalemates)
}
