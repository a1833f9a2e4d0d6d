package arenatest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
	"sakusen/engines/param"
)

// raceRules are the rules of a race of dice: each seat throws in turn, may bank or throw on, and is first at
// the goal. mistake plants one.
type raceRules struct {
	players, goal, handicap int
	mistake                 string
	broken                  bool
}

type racer interface {
	// hold tells whether to bank; own is the player's stream, peek the fixture.
	hold(turn int, own *arena.Stream, fx *arena.Fixture, seat int) bool
}

type holder struct {
	at, unread int
	rules      *raceRules
	games      int
}

func (h *holder) Declare(f *param.Fields, r *raceRules) {
	f.Int(&h.at, "at", 6, param.Range(1, 20), "points at which to bank")
	if r.mistake == "a parameter that is not read" {
		f.Int(&h.unread, "unread", 1, param.Range(1, 9), "nothing")
	}
	h.rules = r
}

func (h *holder) Player(*raceRules) (racer, error) {
	if h.rules.mistake == "an extreme value that panics" && h.at == 20 {
		panic("at twenty")
	}
	return h, nil
}

var shared int // between players, which is one of the mistakes

func (h *holder) hold(turn int, own *arena.Stream, fx *arena.Fixture, seat int) bool {
	h.games++
	switch h.rules.mistake {
	case "a player that carries something over":
		return turn >= h.at+h.games%3
	case "players that share a variable":
		shared++
		return turn >= h.at+shared%3
	case "a player that peeks at the dice":
		dice := fx.Stream(seat, throwing)
		return dice.IntN(6) == 0 || turn >= h.at
	case "a player that builds the dice again by itself":
		again := arena.Fixture{Seed: fx.Seed, Phase: fx.Phase, Block: fx.Block}
		dice := again.Stream(seat, throwing)
		return dice.IntN(6) == 0 || turn >= h.at
	case "a player that knows its rotation":
		return turn >= h.at+fx.Rotation
	case "a player that asks the clock":
		return turn >= h.at+int(time.Now().UnixNano()/1000%2)
	case "a value that never ends":
		return h.at < 20 && turn >= h.at
	}
	return turn >= h.at
}

const (
	throwing arena.Purpose = iota
	deciding
)

type raceReferee struct {
	rules *raceRules
	games int
	last  int // of the game before
}

func (r *raceReferee) Play(fx *arena.Fixture, players []racer, out *arena.Outcome) error {
	r.games++
	seats, mistake := len(players), r.rules.mistake
	points := make([]int, seats)
	dice := make([]arena.Stream, seats)
	minds := make([]arena.Stream, seats)
	for s := range dice {
		asked := *fx
		asked.Seed, asked.Phase = cond(mistake == "dice that ignore the seed", 0, fx.Seed), cond(mistake == "dice that ignore the phase", 0, fx.Phase)
		if mistake == "dice that know the rotation" {
			asked.Seed += uint64(fx.Rotation)
		}
		dice[s], minds[s] = asked.Stream(s, throwing), asked.Stream(s, deciding)
		if mistake == "openings from a list that is not declared" {
			pick := fx.Stream(-1, throwing)
			dice[s] = arena.NewStream(uint64(pick.IntN(7)), uint64(s))
		}
		if mistake == "starts that are declared and not asked for" {
			dice[s] = arena.NewStream(uint64(fx.Block%50), uint64(s))
		}
	}
	if mistake == "a referee that carries something over" {
		points[0] = r.last % 3
	}
	points[0] += r.rules.handicap
	if r.rules.broken {
		panic("quick")
	}
	for turns := 0; ; turns++ {
		seat := turns % seats
		for mistake == "a referee that does not end" && points[0] > 8 {
			time.Sleep(time.Millisecond)
		}
		turn := 0
		for range 100 {
			n := 1 + dice[seat].IntN(6)
			if mistake != "a transcript without the dice and the moves" && mistake != "an empty transcript" {
				out.Transcript.Add(uint64(n))
			}
			if n == 1 {
				turn = 0
				break
			}
			turn += n
			banked := players[seat].hold(turn, &minds[seat], fx, seat)
			if mistake == "a transcript without the dice and the moves" {
				continue
			}
			if banked {
				break
			}
		}
		points[seat] += turn
		if mistake == "a rare fault" && points[seat] == 37 && turn == 7 || mistake == "a fault" && turn == 5 {
			out.Faults[seat] = true
		}
		if fx.Story != nil && mistake != "no story" {
			fx.Story(fmt.Sprintf("seat %d stands at %d", seat, points[seat]))
		}
		if fx.Watch != nil {
			if mistake == "a watcher that changes the game" {
				points[seat]++
			}
			fx.Watch(points[seat])
		}
		if points[seat] < r.rules.goal && turns < 400 {
			continue
		}
		out.Count(seat, 0, int64(turns))
		r.last = turns
		switch mistake {
		case "a transcript without the dice and the moves":
			out.Transcript.Add(uint64(seat))
		case "results that the transcript does not tell":
			out.Transcript = arena.Transcript{}
			out.Transcript.Add(uint64(points[seat]))
		case "scores that do not add up":
			out.Scores[0] = 1
			return nil
		case "a rare score that does not add up":
			if turns%17 == 16 {
				return nil
			}
		case "a score below nothing":
			out.Win(seat)
			out.Scores[0], out.Scores[1] = -1, arena.Scale(seats)+1
			return nil
		case "a result by chance of its own":
			if time.Now().UnixNano()/1000%2 == 0 {
				out.Win(0)
				return nil
			}
		case "a rare panic":
			if turns == 23 {
				panic("at 23 turns")
			}
		case "an error in a rare game":
			if turns == 23 {
				return fmt.Errorf("no rule for 23 turns")
			}
		}
		out.Win(seat)
		return nil
	}
}

func cond[T any](is bool, a, b T) T {
	if is {
		return a
	}
	return b
}

// race returns the game with a mistake, or without.
func race(mistake string) *arena.Game {
	d := arena.Definition[raceRules, racer]{
		Name: "race", Doc: "The first at the goal wins.", Source: "ours",
		Declare: func(r *raceRules, f *param.Fields) {
			r.mistake = mistake
			f.Int(&r.players, "players", 2, param.Range(2, 4), "players")
			f.Int(&r.goal, "goal", 40, param.Range(10, 60), "points")
			f.Int(&r.handicap, "handicap", 0, param.Range(0, 5), "points of the first seat")
			if mistake == "an option of the rules that is not read" {
				f.Bool(new(bool), "quick", false, "nothing")
			}
			if mistake == "an option of the rules that panics" {
				f.Bool(&r.broken, "quick", false, "nothing")
			}
		},
		Seats:       func(r *raceRules) int { return r.players },
		SeatsOption: "players",
		Components:  []string{"turns"},
		Metrics:     []arena.Metric{{Name: "turns", Doc: "turns", Of: "turns"}},
		Referee:     func(r *raceRules) (arena.Referee[racer], error) { return &raceReferee{rules: r}, nil },
	}
	if mistake == "starts that are declared and not asked for" {
		d.Starts = func(*raceRules) int64 { return 50 }
	}
	if mistake == "a metric of a component that is not counted" {
		d.Metrics[0].Of = "points"
	}
	s := arena.Strategy[raceRules, racer]{Name: "hold", Doc: "Banks at a number.", Source: "ours",
		New: func(f *param.Fields, r *raceRules) arena.Maker[racer] {
			c := &holder{}
			c.Declare(f, r)
			return func() (racer, error) { return c.Player(r) }
		}}
	if mistake == "a strategy without documentation" {
		s.Doc = ""
	}
	all := []arena.Strategy[raceRules, racer]{s}
	if mistake == "two strategies of one name" {
		all = append(all, s)
	}
	return arena.Enter(d, all...)
}

// TestPlantedMistakes plants mistakes in a game, one at a time, and looks which of
// them the battery finds. What it cannot find stands in the list with the reason.
func TestPlantedMistakes(t *testing.T) {
	mistakes := []struct{ name, check, reason string }{
		{"", "", ""}, // none
		{"dice that ignore the seed", "seed and phase", ""},
		{"dice that ignore the phase", "seed and phase", ""},
		{"dice that know the rotation", "rotation", ""},
		{"openings from a list that is not declared", "long run", ""},
		{"starts that are declared and not asked for", "streams", ""},
		{"an empty transcript", "transcript", ""},
		{"a transcript without the dice and the moves", "", ""},
		{"results that the transcript does not tell", "long run", ""},
		{"a parameter that is not read", "values that are read", ""},
		{"an option of the rules that is not read", "rules that are read", ""},
		{"an option of the rules that panics", "rules that are read", ""},
		{"a player that builds the dice again by itself", "", "whoever has the seed can compute every stream: no check sees it"},
		{"an extreme value that panics", "values that are read", ""},
		{"a player that carries something over", "", ""},
		{"players that share a variable", "", ""},
		{"a referee that carries something over", "", ""},
		{"a player that peeks at the dice", "streams", ""},
		{"a player that knows its rotation", "rotation", ""},
		{"a player that asks the clock", "", ""},
		{"a result by chance of its own", "", ""},
		{"a fault", "", ""},
		{"a rare fault", "long run", ""},
		{"a rare panic", "long run", ""},
		{"an error in a rare game", "long run", ""},
		{"a rare score that does not add up", "", ""},
		{"scores that do not add up", "", ""},
		{"a score below nothing", "", ""},
		{"a referee that does not end", "ends", ""},
		{"no story", "watched", ""},
		{"a watcher that changes the game", "watched", ""},
		{"a metric of a component that is not counted", "declaration", ""},
		{"a strategy without documentation", "declaration", ""},
		{"two strategies of one name", "declaration", ""},
	}
	found := 0
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			findings, err := arenatest.Inspect(race(m.name), arenatest.Options{
				Entrants: []string{"hold", "hold(at=12)"}, Limit: 300 * time.Millisecond, Quiet: []string{"players"},
			})
			var checks []string
			if err != nil {
				checks = append(checks, "declaration")
			}
			for _, f := range findings {
				checks = append(checks, f.Check)
				t.Logf("%s (warning %v): %s", f.Check, f.Warning, f.Text)
			}
			switch {
			case m.name == "" && len(checks) > 0:
				t.Errorf("a game without a mistake: %v, %v", checks, err)
			case m.name != "" && m.reason == "" && len(checks) == 0:
				t.Error("not found")
			case m.check != "" && !strings.Contains(strings.Join(checks, "\n"), m.check):
				t.Errorf("found by %v, want %s", checks, m.check)
			}
			if m.name != "" && len(checks) > 0 {
				found++
			}
		})
	}
	t.Logf("%d of %d mistakes found", found, len(mistakes)-1)
}
