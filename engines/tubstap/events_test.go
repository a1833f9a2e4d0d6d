package tubstap

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"testing"

	"sakusen/engines/arena"
)

// eager attacks where it can and else takes the first of all actions.
type eager struct{ list []Action }

func (*eager) Turn(*State, *arena.Stream) {}
func (e *eager) Act(s *State) Action {
	id := s.FirstUnmoved()
	e.list = s.AppendAttacks(e.list[:0], id)
	if len(e.list) == 0 {
		e.list = s.AppendMoves(e.list[:0], id)
	}
	return e.list[len(e.list)-1]
}

func table(t testing.TB, o *Options) (arena.Referee[Player], []Player, *arena.Outcome) {
	t.Helper()
	r, err := newReferee(o)
	if err != nil {
		t.Fatal(err)
	}
	return r, []Player{&eager{}, &eager{}}, arena.NewOutcome(2, len(components))
}

// Events are copies: what a watcher keeps does not change as this game and the
// next go on, and each board follows from the one before.
func TestEvents(t *testing.T) {
	for _, noise := range []bool{false, true} {
		r, players, out := table(t, &Options{MapName: "own05", NoiseHP: noise, NoisePos: noise})
		var kept []any
		var then []string
		fx := arena.Fixture{Seed: 3, Watch: func(event any) {
			kept, then = append(kept, event), append(then, fmt.Sprintf("%+v", event))
		}}
		if err := r.Play(&fx, players, out); err != nil {
			t.Fatal(err)
		}
		n := len(kept)
		if err := r.Play(&fx, players, out); err != nil {
			t.Fatal(err)
		}
		for i, event := range kept {
			if now := fmt.Sprintf("%+v", event); now != then[i] {
				t.Fatalf("event %d was %s and is now %s", i, then[i], now)
			}
			if i >= n && then[i] != then[i-n] {
				t.Fatalf("event %d of the second game is %s, of the first %s", i-n, then[i], then[i-n])
			}
		}
		follow(t, kept[:n], noise)
	}
}

// follow checks that the events are one game.
func follow(t *testing.T, events []any, noise bool) {
	t.Helper()
	began, ok := events[0].(Began)
	if !ok {
		t.Fatalf("the first event is %T", events[0])
	}
	board := began.Board
	if changed := !reflect.DeepEqual(board.Units, board.Map.Units); changed != noise {
		t.Errorf("noise %v: the units at the start differ from the map's: %v", noise, changed)
	}
	s := NewState(board.Map, Rules{}, board.Units, board.Mover, board.Counter)
	for i, event := range events[1:] {
		switch e := event.(type) {
		case Acted:
			a, err := e.Step.Action()
			if err != nil || s.Check(a) != nil || s.StepOf(a) != e.Step {
				t.Fatalf("event %d: %+v cannot follow: %v, %v", i+1, e.Step, err, s.Check(a))
			}
			s.Do(a)
			board = e.Board
		case TurnEnded:
			if e.Team != s.mover {
				t.Fatalf("event %d: the turn of %v ends in that of %v", i+1, e.Team, s.mover)
			}
			s.EndTurn()
			board = e.Board
		case Ended:
			if w, end := s.Result(); i != len(events)-2 || w != e.Winner || end != e.Ending {
				t.Errorf("event %d of %d says %v, %v; the game says %v, %v", i+1, len(events), e.Winner, e.Ending, w, end)
			}
			board = e.Board
		}
		if !reflect.DeepEqual(board, s.Board()) {
			t.Fatalf("event %d, %T: the board is %+v, want %+v", i+1, event, board, s.Board())
		}
		for _, side := range []Team{Red, Blue} {
			if board.HP(side) != s.HP(side) || board.Alive(side) != s.Alive(side) {
				t.Fatalf("event %d: %v has %d HP in %d units, want %d in %d", i+1, side, board.HP(side), board.Alive(side), s.HP(side), s.Alive(side))
			}
		}
	}
}

// A recorded game is told as a played one is.
func TestRecordEvents(t *testing.T) {
	text, err := os.ReadFile("testdata/bestsingle.sgf")
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := ParseRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	var events []any
	if err := r.Events(Rules{}, func(event any) error {
		events = append(events, event)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	follow(t, events, false)
	end, err := r.Replay(Rules{})
	if err != nil {
		t.Fatal(err)
	}
	last := events[len(events)-1]
	if e, ok := last.(Ended); !ok || !reflect.DeepEqual(e.Board, end.Board()) {
		t.Errorf("the last event is %+v, the record leads to %+v", last, end.Board())
	}
	left := errors.New("the watcher left")
	for n := range len(events) {
		seen := 0
		if err := r.Events(Rules{}, func(any) error {
			if seen++; seen > n {
				return left
			}
			return nil
		}); err != left || seen != n+1 {
			t.Errorf("left after %d of %d events: %d were told, error %v", n, len(events), seen, err)
		}
	}
	r.Turns[0].Steps[0].Damage++
	if err := r.Events(Rules{}, func(any) error {
		t.Error("a bad record is told")
		return nil
	}); err == nil {
		t.Error("a bad record is no error")
	}
}

// An action against the rules is the last event.
func TestRefused(t *testing.T) {
	r, players, out := table(t, &Options{MapName: "own02"})
	players[1] = stub{func(s *State) Action { return Action{Unit: int16(s.FirstUnmoved()), Target: NoUnit} }}
	var last any
	if err := r.Play(&arena.Fixture{Watch: func(event any) { last = event }}, players, out); err != nil {
		t.Fatal(err)
	}
	if e, ok := last.(Refused); !ok || e.Team != Blue || e.Reason == "" {
		t.Errorf("the last event is %+v", last)
	}
}

// Who does not watch pays nothing: a game allocates nothing.
func TestUnwatched(t *testing.T) {
	r, players, out := table(t, &Options{MapName: "own02"})
	fx := arena.Fixture{Seed: 1}
	if n := testing.AllocsPerRun(20, func() {
		if err := r.Play(&fx, players, out); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("a game that is not watched allocates %g times", n)
	}
}

// BenchmarkReferee plays games that are not watched.
func BenchmarkReferee(b *testing.B) {
	r, players, out := table(b, &Options{MapName: "own05"})
	fx := arena.Fixture{Seed: 1}
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Play(&fx, players, out); err != nil {
			b.Fatal(err)
		}
	}
}
