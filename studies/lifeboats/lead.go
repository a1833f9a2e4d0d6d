package lifeboats

import (
	"context"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
	"sakusen/strategies/lifeboats/worth"
)

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

// watchedConfig declares what the watched strategy does.
type watchedConfig struct {
	arena.Config[lifeboats.Rules, lifeboats.Player]
	to *leads
}

func (c watchedConfig) Player(r *lifeboats.Rules) (lifeboats.Player, error) {
	p, err := c.Config.Player(r)
	return &watcher{p, c.to}, err
}

func watched(to *leads, name string, s arena.Strategy[lifeboats.Rules, lifeboats.Player]) arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	make := s.New
	s.Name = name
	s.New = func() arena.Config[lifeboats.Rules, lifeboats.Player] { return watchedConfig{make(), to} }
	return s
}

var _ modeled = (*worth.Model)(nil)

// Moment is a watched player at the start of one round, on average over games.
type Moment struct {
	Round int
	Games int64 // that last so long
	Lead  float64
	Aimed float64 // share of the others that would have a boat leak on which it is strong
}

// Lead watches one player of a strategy, level0 or level1, against four evolved
// level-0 players over the given number of blocks. Its lead is E in units of the
// largest weight. Only a host that plays every game shows it.
func (l *Lab) Lead(ctx context.Context, strategy string, blocks int64, given param.Values, players []param.Values) ([]Moment, error) {
	*l.leads = leads{}
	if _, err := l.against(ctx, "watched-"+strategy, blocks, given, players); err != nil {
		return nil, err
	}
	var out []Moment
	for r := 1; r <= maxRounds && l.leads.count[r] > 0; r++ {
		n := l.leads.count[r]
		out = append(out, Moment{r, n, float64(l.leads.lead[r]) / 1e6 / float64(n), float64(l.leads.hits[r]) / float64(l.leads.votes[r])})
	}
	return out, nil
}
