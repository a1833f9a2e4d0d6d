package lifeboats

import (
	"context"
	"fmt"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
	strategies "sakusen/strategies/lifeboats"
	"sakusen/tuner/contest/experiment"
)

// Rounds that are shown: nearly all games last until the last of them. A lead can exist
// from the second round on, and others can react to it from the third.
const (
	earlyRound  = 2
	answerRound = 3
	lateRound   = 8
	roundsShown = 9
)

// raceCourse returns the lead of level 1 over the course of a game.
func raceCourse() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-lead",
		Doc: "At the start of each round, how far a player is ahead (E, in units of the largest weight) and which share of the others " +
			"would have a boat leak on which it is strong: level 1, and level 0 in its place; teams of several evolutions (games are of each player and team).",
		Source: paper + ", section 4", Games: 5000, Seed: seeded(), Fresh: true,
		Run: onTeams(1, 3, func(ctx context.Context, lab *lab, teams [][]param.Values, blocks int64, add func(experiment.Row)) error {
			base, err := courses(ctx, lab, "level0", blocks, nil, teams)
			if err != nil {
				return err
			}
			base.tell("level 0", add)
			for _, alive := range []string{"strict", "expected"} {
				one, err := courses(ctx, lab, "level1", blocks, param.Values{{Name: "alive", Text: alive}}, teams)
				if err != nil {
					return err
				}
				label := "level 1, " + alive
				one.tell(label, add)
				for _, f := range []struct {
					metric string
					round  int
					of     func(moment) float64
				}{
					{"lead less level 0's", earlyRound, moment.lead},
					{"aimed at less level 0", answerRound, moment.aimed},
					{"behind level 0's lead", lateRound, moment.behind},
				} {
					row := measured(fmt.Sprintf("%s, round %d", label, f.round), f.metric, one.less(base, f.round, f.of), "%+.3f")
					add(experiment.Stated(row, "above 0", row.CI, 0, 1))
				}
			}
			return nil
		}),
	}
}

func (m moment) lead() float64   { return m.Lead }
func (m moment) behind() float64 { return -m.Lead }
func (m moment) aimed() float64  { return m.Aimed }

// course is a player's moments, by team.
type course [][]moment

func courses(ctx context.Context, lab *lab, strategy string, blocks int64, given param.Values, teams [][]param.Values) (course, error) {
	var out course
	for _, team := range teams {
		m, err := lab.Lead(ctx, strategy, blocks, given, team)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// at returns one number of a round, by team; a team whose games end before has none.
func (c course) at(round int, of func(moment) float64) []float64 {
	var out []float64
	for _, m := range c {
		if round <= len(m) {
			out = append(out, of(m[round-1]))
		}
	}
	return out
}

// less returns the differences from another course, by team.
func (c course) less(d course, round int, of func(moment) float64) []float64 {
	var out []float64
	for i := range c {
		if round <= len(c[i]) && round <= len(d[i]) {
			out = append(out, of(c[i][round-1])-of(d[i][round-1]))
		}
	}
	return out
}

// tell adds the rows of the first rounds.
func (c course) tell(label string, add func(experiment.Row)) {
	for r := 1; r <= roundsShown; r++ {
		for _, f := range []struct {
			metric string
			of     func(moment) float64
		}{{"lead", moment.lead}, {"aimed at", moment.aimed}} {
			if x := c.at(r, f.of); len(x) > 0 {
				add(measured(fmt.Sprintf("%s, round %d", label, r), f.metric, x, "%.3f"))
			}
		}
	}
}

// maxRounds is the most rounds that a game can take: every round leaks, and six
// boats have 24 leaks.
const maxRounds = 24

// leads adds up how far ahead watched players are at the start of each round.
type leads struct {
	mu    sync.Mutex
	count [maxRounds + 1]int64
	lead  [maxRounds + 1]int64 // millionths, so that the order of games does not matter
	hits  [maxRounds + 1]int64 // votes of others against a boat on which it has the most crew
	votes [maxRounds + 1]int64
}

// watcher plays as another does and notes its lead.
type watcher struct {
	lifeboats.Player
	to *leads
}

// modeled is a model that knows the lead of a position as it is.
type modeled interface {
	Lead(p *lifeboats.Position, seat int) float64
}

func (w *watcher) Vote(v *lifeboats.View) int {
	if v.Phase == lifeboats.Leak && v.Round <= maxRounds {
		e := w.Model().(modeled).Lead(v.Position, v.Seat)
		hits, votes := aimed(v)
		w.to.mu.Lock()
		w.to.count[v.Round]++
		w.to.lead[v.Round] += int64(e * 1e6)
		w.to.hits[v.Round] += hits
		w.to.votes[v.Round] += votes
		w.to.mu.Unlock()
	}
	return w.Player.Vote(v)
}

// aimed counts the other seats that favour a leak of a boat on which the seat
// has more crew than on average.
func aimed(v *lifeboats.View) (hits, votes int64) {
	mean := 0.0
	for s := v.Options(); s != 0; s = s.Rest() {
		mean += v.Crew[s.First()][v.Seat] / float64(v.Options().Len())
	}
	for seat := range v.Players {
		if seat == v.Seat || !v.HasModel(seat) {
			continue
		}
		votes++
		if v.Crew[v.Favourites(seat).First()][v.Seat] > mean {
			hits++
		}
	}
	return hits, votes
}

func watched(to *leads, name string, s arena.Strategy[lifeboats.Rules, lifeboats.Player]) arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	of := s.New
	s.Name = name
	s.New = func(f *param.Fields, r *lifeboats.Rules) arena.Maker[lifeboats.Player] {
		player := of(f, r)
		return func() (lifeboats.Player, error) { p, err := player(); return &watcher{p, to}, err }
	}
	return s
}

var _ modeled = (*strategies.Model)(nil)

// moment is a watched player at the start of one round, on average over games.
type moment struct {
	Round int
	Games int64 // that last so long
	Lead  float64
	Aimed float64 // share of the others that would have a boat leak on which it is strong
}

// Lead watches one player of a strategy, level0 or level1, against four evolved
// level-0 players over the given number of blocks. Its lead is E in units of the
// largest weight. Only a host that plays every game shows it.
func (l *lab) Lead(ctx context.Context, strategy string, blocks int64, given param.Values, players []param.Values) ([]moment, error) {
	*l.leads = leads{}
	if _, err := l.against(ctx, "watched-"+strategy, blocks, given, players); err != nil {
		return nil, err
	}
	var out []moment
	for r := 1; r <= maxRounds && l.leads.count[r] > 0; r++ {
		n := l.leads.count[r]
		out = append(out, moment{r, n, float64(l.leads.lead[r]) / 1e6 / float64(n), float64(l.leads.hits[r]) / float64(l.leads.votes[r])})
	}
	return out, nil
}
