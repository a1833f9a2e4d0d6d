package tubstap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	strategies "sakusen/strategies/tubstap"
	"sakusen/tuner/stats"
)

// seed of all chance: one for all thresholds, so that they meet the same
// blocks and their differences are known better than their scores.
const seed = 2017

// lab plays on one map with one budget.
type lab struct {
	Simulations int64
	Seed        uint64 // of all chance
	rules       *arena.Ruleset
	muct        arena.Entrant
	single      arena.Entrant
	field       *tubstap.Map
}

// named returns the rules of a map named so.
func named(name string) param.Values { return param.Values{{Name: "map", Text: name}} }

// newLab opens the game under rules. simulations are those of every search, for
// each unit action.
func newLab(game *arena.Game, rules param.Values, simulations int64) (*lab, error) {
	rs, errs := game.Open(rules)
	if len(errs) > 0 {
		return nil, fmt.Errorf("tubstap: %w", errors.Join(errs...))
	}
	var o tubstap.Options
	err := param.Set(rules, o.Declare)
	if err != nil {
		return nil, fmt.Errorf("tubstap: %w", err)
	}
	l := &lab{Simulations: simulations, Seed: seed, rules: rs}
	if l.field, err = o.Map(); err != nil {
		return nil, err
	}
	if l.single, err = rs.NewEntrant("single", "single", nil); err != nil {
		return nil, err
	}
	l.muct, err = rs.NewEntrant("muct", "muct", param.Values{l.budget("simulations")})
	return l, err
}

func (l *lab) budget(name string) param.Value {
	return param.Value{Name: name, Text: strconv.FormatInt(l.Simulations, 10)}
}

// start returns the first position.
func (l *lab) start() *tubstap.State { return l.field.Start(tubstap.Rules{}) }

// switching returns switch with the given values and the lab's budget.
func (l *lab) switching(values param.Values) (arena.Entrant, error) {
	return l.rules.NewEntrant("switch", "switch", append(slices.Clone(values), l.budget("muct.simulations")))
}

// score is the result of a player against M-UCT with the same budget.
type score struct {
	Blocks stats.Blocks
	Games  int64
	Wins   int64
	Draws  int64
	Losses int64
}

// estimate returns the win rate, a draw counted as half a win, with its interval by
// blocks.
func (s score) estimate() stats.Estimate { return s.Blocks.Estimate() }

// String describes wins, draws and losses.
func (s score) String() string {
	return fmt.Sprintf("%d won, %d drawn, %d lost", s.Wins, s.Draws, s.Losses)
}

// meet plays blocks of a player against M-UCT in a phase.
func (l *lab) meet(ctx context.Context, host arena.Host, player arena.Entrant, phase arena.Phase, blocks int64, tell func(games int64)) (score, error) {
	return l.meetOther(ctx, host, player, l.muct, phase, blocks, tell)
}

// meet plays a series of two and scores the first.
func meet(ctx context.Context, host arena.Host, s arena.Series, tell func(games int64)) (score, error) {
	tally, err := host.Play(ctx, s, func(r *arena.Run) error {
		if tell != nil {
			tell(int64(r.Blocks * r.Rotations))
		}
		return nil
	})
	if err != nil {
		return score{}, err
	}
	e := tally.Entrants[0]
	return score{Blocks: stats.Rotated(tally.Seats, e.Scores), Games: tally.Games, Wins: e.Wins, Draws: e.Draws, Losses: e.Losses}, nil
}

// clockMaps is how many generated maps ClockRules has for each share of planes.
const clockMaps = 8

// clockRules returns the rules of a fair map of 10 x 10 cells with 12 units a side, of
// which planes per cent are planes: what can be read from the paper of its map. i
// counts from 0.
func clockRules(i, planes int) param.Values {
	d := tubstap.DefaultDesign()
	d.Seed, d.Width, d.Height, d.Units, d.Planes = 5000+i, 10, 10, 12, planes
	return rulesOf(d)
}

// paced returns switch with the given values and M-UCT, both with the lab's simulations and
// further values of their search. Without values the first is the best single action alone,
// which searches nothing.
func (l *lab) paced(values, search param.Values) (player, muct arena.Entrant, err error) {
	own := append(slices.Clone(values), l.budget("muct.simulations"))
	other := param.Values{l.budget("simulations")}
	for _, v := range search {
		own = append(own, param.Value{Name: "muct." + v.Name, Text: v.Text})
		other = append(other, v)
	}
	if player = l.single; len(values) > 0 {
		if player, err = l.rules.NewEntrant("switch", "switch", own); err != nil {
			return player, muct, err
		}
	}
	muct, err = l.rules.NewEntrant("muct", "muct", other)
	return player, muct, err
}

// meetOther plays blocks of two players in a phase.
func (l *lab) meetOther(ctx context.Context, host arena.Host, player, opponent arena.Entrant, phase arena.Phase, blocks int64, tell func(games int64)) (score, error) {
	return meet(ctx, host, arena.Series{Ruleset: l.rules, Entrants: []arena.Entrant{player, opponent}, Seed: l.Seed, Phase: phase, To: blocks}, tell)
}

// moment is a position at the start of a turn.
type moment struct {
	Turn     int     // half-turns played
	Units    int     // the mover's units
	LogMoves float64 // estimated legal moves, log10
}

// chancePlay is the purpose of the players' streams in the game's referee, so
// that a watched game is the one that a match plays.
const chancePlay arena.Purpose = 1

// watchGames plays games of M-UCT against itself on the map, as the match with the
// lab's seed does, and returns every turn's start of each. The result does not
// depend on the number of workers. turn, unless nil, is how a game comes to be
// played.
func (l *lab) watchGames(ctx context.Context, games, workers int, turn func(game int, play func() ([]moment, error)) ([]moment, error), tell func(done int)) ([][]moment, error) {
	all, errs := make([][]moment, games), make([]error, games)
	if turn == nil {
		turn = func(_ int, play func() ([]moment, error)) ([]moment, error) { return play() }
	}
	next := make(chan int)
	var group sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range max(1, min(workers, games)) {
		group.Add(1)
		go func() {
			defer group.Done()
			var players [2]strategies.MuctPlayer
			for i := range players {
				players[i].MuctSettings = strategies.MuctProgram()
				players[i].Simulations = int(l.Simulations)
			}
			for i := range next {
				all[i], errs[i] = turn(i, func() ([]moment, error) { return l.watch(ctx, &players, int64(i)), ctx.Err() })
				mu.Lock()
				done++
				if tell != nil && ctx.Err() == nil {
					tell(done)
				}
				mu.Unlock()
			}
		}()
	}
	for i := range games {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
	return all, errors.Join(append(errs, ctx.Err())...)
}

// watch plays one game; it stops between two turns when the context is done.
func (l *lab) watch(ctx context.Context, players *[2]strategies.MuctPlayer, block int64) []moment {
	fx := arena.Fixture{Seed: l.Seed, Phase: arena.Match, Block: block}
	streams := [2]arena.Stream{fx.Stream(0, chancePlay), fx.Stream(1, chancePlay)}
	var moments []moment
	s := l.start()
	for !s.Over() && ctx.Err() == nil {
		mover := s.Mover()
		if !s.TurnDone() {
			moments = append(moments, moment{s.Counter(), s.Alive(mover), s.LogMoves(mover)})
		}
		p := &players[mover]
		for p.Turn(s, &streams[mover]); !s.TurnDone(); {
			s.Do(p.Act(s))
		}
		s.EndTurn()
	}
	return moments
}

var _ tubstap.Player = (*strategies.MuctPlayer)(nil)

// rulesOf returns the rules of a generated map.
func rulesOf(d tubstap.Design) param.Values {
	number := func(name string, n int) param.Value { return param.Value{Name: name, Text: strconv.Itoa(n)} }
	return param.Values{
		{Name: "map", Text: tubstap.Generated}, number("map_seed", d.Seed), number("map_width", d.Width),
		number("map_height", d.Height), number("map_units", d.Units), number("map_planes", d.Planes),
	}
}

// learningMaps returns the maps on which the threshold is learned: 24 of 7 to 12 by 7 to 10
// cells with 5 to 16 units, a quarter of them planes on every third map. M-UCT's fast
// boards hold no more than 16 units a side.
func learningMaps() []tubstap.Design {
	sizes, heights := []int{7, 8, 9, 10, 11, 12}, []int{7, 8, 9, 10}
	units, planes := []int{5, 7, 9, 11, 13, 15, 16}, []int{0, 0, 25}
	var all []tubstap.Design
	for i := range 24 {
		d := tubstap.DefaultDesign()
		d.Seed, d.Width, d.Height, d.Planes = 3000+i, sizes[i%6], heights[i/2%4], planes[i%3]
		d.Units = min(units[i%7], d.Width*d.Height/5)
		all = append(all, d)
	}
	return all
}

// heldOutMaps returns 50 maps never seen in learning: other seeds, other sizes, other
// numbers of units and shares of planes, half of them with planes.
func heldOutMaps() []tubstap.Design {
	sizes := [][2]int{{13, 8}, {6, 11}, {11, 11}, {14, 7}, {9, 12}, {12, 6}}
	units, planes := []int{14, 6, 12, 8, 10}, []int{0, 40, 0, 15}
	var all []tubstap.Design
	for i := range mostMaps {
		d := tubstap.DefaultDesign()
		d.Seed, d.Width, d.Height, d.Planes = 9000+i, sizes[i%6][0], sizes[i%6][1], planes[i%4]
		d.Units = units[i%5]
		all = append(all, d)
	}
	return all
}

// mostMaps is how many held-out maps there are; twelve of them have every size
// and share of planes.
const mostMaps = 50

// learningBudgets returns budgets in simulations for each unit action; those of the
// held-out maps are others than those of learning.
func learningBudgets() []int64 { return []int64{25, 100, 400} }

func heldOutBudgets() []int64 { return []int64{50, 200} }
