package lifeboats_test

import (
	"context"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
)

// A scripted player votes by a function; a strategy for each script.
type scripted func(v *lifeboats.View) int

func (scripted) Declare(*param.Fields, *lifeboats.Rules)             {}
func (p scripted) Player(*lifeboats.Rules) (lifeboats.Player, error) { return p, nil }
func (p scripted) Vote(v *lifeboats.View) int                        { return p(v) }
func (scripted) Model() lifeboats.Model                              { return nil }

// table plays one block with scripts as entrants and returns the games and the
// story of the first.
func table(t *testing.T, rules param.Values, scripts map[string]scripted, entrants ...string) (*arena.Run, string) {
	t.Helper()
	var strategies []arena.Strategy[lifeboats.Rules, lifeboats.Player]
	for name, script := range scripts {
		strategies = append(strategies, arena.Strategy[lifeboats.Rules, lifeboats.Player]{
			Name: name, Doc: "a script", Source: "ours",
			New: func(f *param.Fields, r *lifeboats.Rules) arena.Maker[lifeboats.Player] {
				c := script
				c.Declare(f, r)
				return func() (lifeboats.Player, error) { return c.Player(r) }
			},
		})
	}
	rs, errs := arena.Enter(lifeboats.Game(), strategies...).Open(rules)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var story strings.Builder
	s := arena.Series{Ruleset: rs, Seed: 5, To: 1, Story: func(line string) { story.WriteString(line + "\n") }}
	for _, text := range entrants {
		e, err := rs.Entrant(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, e)
	}
	var run *arena.Run
	if _, err := arena.NewPool(1).Play(context.Background(), s, func(r *arena.Run) error { run = r; return nil }); err != nil {
		t.Fatal(err)
	}
	return run, story.String()
}

func first(v *lifeboats.View) int { return v.Options().First() }
func last(v *lifeboats.View) int  { return v.Options().Nth(v.Options().Len() - 1) }

// Votes that are no option: the voter loses, the others share.
func TestFault(t *testing.T) {
	for _, wrong := range []int{-1, 6, 7, 1 << 40} {
		run, story := table(t, nil, map[string]scripted{
			"first": first, "wrong": func(*lifeboats.View) int { return wrong },
		}, "first", "first", "wrong", "first", "first")
		for seat := range 5 {
			score, fault := int64(15), int64(0)
			if seat == 2 {
				score, fault = 0, 1
			}
			if g := run.Game(0, 0, seat); g[0] != score || g[1] != fault {
				t.Errorf("vote %d: seat %d has %v", wrong, seat, g)
			}
		}
		if !strings.Contains(story, "which is no option") {
			t.Error(story)
		}
	}
}

// Everybody votes for the lowest option: the story is known to the end. Boat 0
// leaks and moves until it is home, then boat 1, ...
func TestUnanimous(t *testing.T) {
	_, story := table(t, nil, map[string]scripted{"first": first}, "first", "first", "first", "first", "first")
	home := strings.Count(story, "home,")
	if home != 6 || strings.Contains(story, "sinks") || strings.Contains(story, "tied") {
		t.Errorf("%d boats home:\n%s", home, story)
	}
	if rounds := strings.Count(story, "advance: votes"); rounds != 18 {
		t.Errorf("%d rounds", rounds)
	}
}

// Votes of an expulsion weigh as much as the voter's crew aboard, and only
// those aboard are asked; a vote in leak and advance weighs one.
func TestWeights(t *testing.T) {
	watch := func(v *lifeboats.View) int {
		for q := range v.Players {
			want := 1
			if v.Phase == lifeboats.Expel {
				want = int(v.Crew[v.Boat][q])
			}
			if v.Votes(q) != want {
				t.Errorf("%d votes, expected %d", v.Votes(q), want)
			}
		}
		if v.Votes(v.Seat) == 0 {
			t.Error("asked without a vote")
		}
		if v.HasModel(v.Seat) {
			t.Error("a model from nowhere")
		}
		return v.Draw(v.Options())
	}
	table(t, nil, map[string]scripted{"watch": watch, "last": last}, "watch", "last", "watch", "last", "watch")
}

// Four players, two against two: the rule decides.
func TestVoteTies(t *testing.T) {
	for _, c := range []struct{ rule, first, second string }{
		{"lowest", "boat 0: ", "boat 0: "},
		{"start_player", "boat 4: ", "boat 0: "},
	} {
		_, story := table(t, param.Values{{Name: "players", Text: "4"}, {Name: "vote_tie", Text: c.rule}},
			map[string]scripted{"first": first, "last": last}, "last", "first", "last", "first")
		lines := strings.Split(story, "\n")
		var leaks []string
		for i, line := range lines {
			if len(leaks) < 2 && strings.Contains(line, ", leak: votes") {
				if !strings.Contains(line, "2 tied") {
					t.Fatalf("%s: no tie in %q", c.rule, line)
				}
				for i++; !strings.Contains(lines[i], "flooded") && !strings.Contains(lines[i], "sinks"); i++ {
				}
				leaks = append(leaks, lines[i])
			}
		}
		if !strings.Contains(leaks[0], c.first) || !strings.Contains(leaks[1], c.second) {
			t.Errorf("%s: first leaks %q", c.rule, leaks[:2])
		}
	}
}

func TestGameTies(t *testing.T) {
	for rule, want := range map[string]func(winners int64) int64{
		"share":  func(n int64) int64 { return 60 / n },
		"all":    func(int64) int64 { return 60 },
		"strict": func(n int64) int64 { return 60 * (2 / (n + 1)) },
	} {
		ties := 0
		random := func(v *lifeboats.View) int { return v.Draw(v.Options()) }
		// Two names for one script, so that the block is no mirror.
		run, _ := table(t, param.Values{{Name: "game_tie", Text: rule}},
			map[string]scripted{"random": random, "chance": random}, "random", "random", "chance", "random", "chance")
		for rot := range run.Rotations {
			top, winners := int64(-1), int64(0)
			for seat := range 5 {
				if n := run.Game(0, rot, seat)[2]; n > top {
					top, winners = n, 1
				} else if n == top {
					winners++
				}
			}
			if winners > 1 {
				ties++
			}
			for seat := range 5 {
				g := run.Game(0, rot, seat)
				score := int64(0)
				if g[2] == top {
					score = want(winners)
				}
				if g[0] != score {
					t.Errorf("%s: seat %d of %d winners has %d", rule, seat, winners, g[0])
				}
			}
		}
		t.Logf("%s: %d ties of %d", rule, ties, run.Rotations)
	}
}
