package insight

import (
	"context"
	"math"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// Games are how many games the parts of a study take.
type Games struct {
	// Search is at most so many, and SearchLeast where a race stops all that it may.
	Search      int64 `json:"search"`
	SearchLeast int64 `json:"search_least"`
	// Final is the race of the best few, or the measuring of the answer.
	Final int64 `json:"final"`
	// Validation is at most so many, and ValidationLeast where the first look decides.
	Validation      int64 `json:"validation"`
	ValidationLeast int64 `json:"validation_least"`
	// Estimate are held back for the gain to quote after a pass.
	Estimate int64 `json:"estimate"`
	// Most are at most in all, Least at least.
	Most  int64 `json:"most"`
	Least int64 `json:"least"`
	// EndedBy says what ends the search: trials, games or space.
	EndedBy string `json:"search_ended_by" enum:"trials,games,space"`
}

// count adds up the games of a study. answers tells whether its sampler names the
// answer itself, which is then measured in place of a final.
func count(s *tuner.Setup, answers bool) Games {
	var g Games
	proof := s.Validation.MaxBlocks * s.ValidationBlockGames()
	pool := s.Validation.PoolBlocks * int64(s.Ruleset.Seats*len(s.PoolEntrants))
	g.Validation, g.ValidationLeast = proof+pool, firstLook(s)*s.ValidationBlockGames()+pool
	reserved := s.Reserved(answers)
	g.Estimate = s.Validation.Held() * s.ValidationBlockGames()
	g.Final = reserved - g.Validation - g.Estimate
	trials := s.Budget.Trials
	g.EndedBy = "trials"
	if n := s.Tune.Params.Count(s.Tune.Fix); n > 0 && n < trials && s.Evaluate == nil && !s.Duels && !answers {
		trials, g.EndedBy = n, "space"
	}
	most, least := searchGames(s, trials)
	room := max(0, s.Budget.Games-reserved)
	if most > room {
		if most = room; least >= room {
			least, g.EndedBy = room, "games"
		}
	}
	g.Search, g.SearchLeast = most, min(least, most)
	g.Most = g.Search + g.Final + g.Validation + g.Estimate
	g.Least = g.SearchLeast + g.Final + g.ValidationLeast
	return g
}

const (
	// PerAgain is the number of blocks of which one is played again before a verdict, where nothing
	// else is asked for: 1 %.
	PerAgain = 100
	// LeastAgain is how many are played again of a small whole: a player that plays one block in a
	// hundred otherwise is found among them with a chance of 95 %.
	LeastAgain = 300
	// mostAgain bounds the price of that, as a part of all blocks.
	mostAgain = 0.1
)

// Again returns how many of n blocks are played again before a verdict. share is what was asked for,
// nil for the usual.
func Again(n int64, share *float64) int64 {
	if share != nil {
		return min(n, int64(math.Ceil(*share*float64(n))))
	}
	return max((n+PerAgain-1)/PerAgain, min(LeastAgain, int64(math.Ceil(mostAgain*float64(n)))))
}

// withAgain returns a number of games together with those that are played again, none of games that are
// kept.
func withAgain(s *tuner.Setup, games int64) float64 {
	for _, name := range s.Strategies() {
		if why, err := s.Ruleset.Recorded(name); err != nil || why != "" {
			return float64(games)
		}
	}
	seats := int64(s.Ruleset.Seats)
	return float64(games + seats*Again(games/seats, s.Validation.Replay))
}

// firstLook returns the number of blocks at which the validation can end first.
func firstLook(s *tuner.Setup) int64 {
	if plan, ok := planOf(s, 0.01); ok && s.Validation.Plan == tuner.PlanGroup {
		return plan.Looks()[0]
	}
	return s.Validation.MaxBlocks
}

// searchGames returns how many games so many trials take at most and at least.
func searchGames(s *tuner.Setup, trials int) (most, least int64) {
	rungs := s.Race.Rungs
	last := rungs[len(rungs)-1]
	batches := (trials + s.Sampler.Batch - 1) / max(1, s.Sampler.Batch)
	switch {
	case s.Evaluate != nil:
		all := trials * s.Evaluate.Rounds * int(s.Evaluate.Games) / max(1, s.Evaluate.Group)
		return int64(all), int64(all)
	case s.Duels:
		all := int64((trials+1)/2) * rungs[0] * int64(s.Ruleset.Seats)
		return all, all
	}
	block := s.BlockGames()
	again := int64(0) // the incumbent's, batch by batch
	if s.Race.Incumbent {
		again = rungs[0]
		if s.Race.Fresh() {
			again = last
		}
		again *= int64(max(0, batches-1)) * block
	}
	reference := s.ReferenceGames(last)
	if s.Race.Fresh() {
		reference *= int64(batches)
	}
	full := int64(trials)*last*block + again + reference
	lowest := int64(trials)*rungs[0]*block + reference
	if s.Race.Method != "halving" {
		if s.Race.Method == "none" && !s.Race.Incumbent {
			return full, full
		}
		return full, lowest
	}
	halved, in, before := int64(0), float64(s.Sampler.Batch), int64(0)
	for _, r := range rungs { // of a whole batch
		halved += int64(in) * (r - before)
		in, before = math.Max(1, math.Ceil(in*s.Race.Keep)), r
	}
	most = halved*int64(trials)/int64(max(1, s.Sampler.Batch))*block + again + reference
	if s.Race.Incumbent {
		return most, lowest
	}
	return most, most
}

// Known holds measurements of a study's games from before it begins.
type Known struct {
	// PerSecond is how many games a second are played, 0 where that is not known.
	PerSecond float64 `json:"games_per_second"`
	// SD is the standard deviation of a block's score, 0 where that is not known.
	SD float64 `json:"block_sd"`
	// MetricSD is that of the metric to be proved, in its unit; 0 where it is not
	// known, and where a score is proved.
	MetricSD float64 `json:"metric_sd,omitempty"`
	// Games were played to find out.
	Games int64 `json:"games"`
}

// Patience is how long a probe plays, a usual choice; ProgramPatience is that for other people's programs, as
// their games differ and begin with the start of a process.
const (
	Patience        = 300 * time.Millisecond
	ProgramPatience = 3 * time.Second
)

// probeBlocks are the most blocks of a probe: enough to know a spread within 5 %.
const probeBlocks = 256

// Probe plays a few games of the tuned strategy against the baseline, for about the
// given time, and tells how fast they went and how they spread. Nothing is stored.
// Games that take longer are given ten times as long; where even then none ends,
// nothing is known.
func Probe(ctx context.Context, s *tuner.Setup, host arena.Host, patience time.Duration) Known {
	candidate, opponent, ok := pair(s)
	if !ok {
		return Known{}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*patience)
	defer cancel()
	all := arena.NewTally(s.Ruleset.Seats, len(s.Ruleset.Components))
	var k Known
	var counted int64
	var spent time.Duration
	began := time.Now()
	for from, n := int64(0), int64(1); from < probeBlocks && time.Since(began) < patience; n *= 2 {
		to := min(from+n, probeBlocks)
		at := time.Now()
		tally, err := host.Play(ctx, s.Series(candidate, opponent, s.Sampler.Seed, arena.Tune, from, to), nil)
		if tally.Blocks > 0 {
			// The first stage counts only alone: it makes the players.
			if from == 1 {
				counted, spent = 0, 0
			}
			if counted, spent = counted+tally.Games, spent+time.Since(at); spent > 0 {
				k.PerSecond = float64(counted) / spent.Seconds()
			}
			k.Games += tally.Games
		}
		if tally.Blocks == 0 || all.Merge(tally) != nil || err != nil {
			break
		}
		from = to
	}
	if all.Blocks < 8 || candidate.Canonical() == opponent.Canonical() {
		return k
	}
	e := entry.NewEvidence(s.Series(candidate, opponent, s.Sampler.Seed, arena.Tune, 0, all.Blocks), all)
	root := math.Sqrt(float64(all.Blocks))
	if sd := e.Score(s.Ruleset.Seats).Error * root; sd > 0 && sd <= 0.5 {
		k.SD = sd
	}
	if goal := s.Proved(); goal.Of == "metric" && !goal.Relative && len(s.Opponents()) < 2 {
		m, err := s.Ruleset.Metric(goal.Metric)
		if sd := e.Metric(s.Ruleset, m).Error * root; err == nil && sd > 0 && !math.IsInf(sd, 0) {
			k.MetricSD = sd
		}
	}
	return k
}

// pair returns a candidate and whom it meets: the strategy with its defaults or, where
// that is the baseline, with values from inside of the ranges.
func pair(s *tuner.Setup) (candidate, opponent arena.Entrant, ok bool) {
	candidate, err := s.Candidate(-1, nil)
	for _, share := range []float64{0.5, 0.3} {
		if err == nil && candidate.Canonical() != s.BaselineEntrant.Canonical() {
			break
		}
		candidate, err = s.Candidate(-1, s.Tune.Params.Activate(s.Tune.Fix, inside(s.Tune.Params, share)))
	}
	if err != nil {
		return candidate, opponent, false
	}
	opponent = candidate
	if all := s.Opponents(); len(all) > 0 {
		opponent = all[0]
	}
	return candidate, opponent, true
}

// inside returns the point of a space at a share of every range.
func inside(space tuner.Space, share float64) param.Values {
	var out param.Values
	for i := range space {
		d := &space[i]
		text := ""
		if n := d.Points(); n > 0 {
			text = d.Point(int(share * float64(n)))
		} else if low, high := d.Domain.Low, d.Domain.High; d.Domain.Log && low > 0 {
			text = d.Text(low * math.Pow(high/low, share))
		} else {
			text = d.Text(low + share*(high-low))
		}
		out = append(out, param.Value{Name: d.Name, Text: text})
	}
	return out
}
