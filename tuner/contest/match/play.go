package match

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

const (
	// lookEvery is the number of blocks between two looks of a test: few enough
	// to stop in time, many enough that a look costs nothing.
	lookEvery = 8
	// firstStage is the number of blocks that are handed to the host at first; each later
	// stage is a quarter of what was played. So a test that ends has played few blocks too
	// many, and slow games are shown, stored and interrupted in small pieces.
	firstStage = 16
	// fewBlocks that are all the same game may be so by chance.
	fewBlocks = 8
)

// errDecided stops a series when the test has ended.
var errDecided = errors.New("the test has ended")

// Play plays the match to its end. Interrupted, m.Tally covers what was played.
func (m *Match) Play(ctx context.Context, host arena.Host) error {
	rs := m.Series.Ruleset
	m.sum, m.seen, m.posted, m.differ = sha256.New(), arena.Seen{}, 0, false
	if m.race = nil; m.Test == nil || m.AllPairs {
		m.race = entry.NewRace(rs)
	}
	m.Tally = arena.NewTally(rs.Seats, len(rs.Components))
	for from := int64(0); from < m.Series.To && (m.Test == nil || m.silent() == ""); {
		stage := m.Series
		stage.From = from
		stage.To = min(m.Series.To, from+max(firstStage, from/4/lookEvery*lookEvery))
		if err := m.playStage(ctx, host, stage); errors.Is(err, errDecided) {
			return nil
		} else if err != nil {
			return err
		}
		from = stage.To
	}
	if silent := m.silent(); m.Test != nil && silent != "" { // and more blocks would say no more
		m.Look.Verdict, m.Look.Reason = stats.Inconclusive, "no information: "+silent
	}
	return nil
}

// playStage plays a part of the match.
func (m *Match) playStage(ctx context.Context, host arena.Host, stage arena.Series) error {
	if m.Test != nil {
		_, err := host.Play(ctx, stage, m.judge)
		return err
	}
	_, err := host.Play(ctx, stage, func(r *arena.Run) error {
		m.addDigests(r)
		m.Tally.Add(r)
		m.tell(r.From+int64(r.Blocks), int64(r.Blocks*r.Rotations))
		return nil
	})
	return err
}

// silent is the reason why the blocks played so far say nothing about strength, and why
// more of them would not either; "" if they do say something.
func (m *Match) silent() string {
	switch {
	case m.Tally.Blocks == 0:
		return ""
	case m.Mirror():
		return "all entrants are the same, so the rotations of a block are one game"
	case m.Tally.Blocks >= fewBlocks && m.seen.Blocks() == 1:
		return fmt.Sprintf("all %d blocks are the same games: nothing is left to chance", m.Tally.Blocks)
	}
	return ""
}

// judge adds a run, part by part up to the next look, and ends the series when the test
// ends. The looks do not depend on how the host divided the series into runs.
func (m *Match) judge(r *arena.Run) error {
	end := r.From + int64(r.Blocks)
	for from := r.From; from < end; {
		to := min(end, (from/lookEvery+1)*lookEvery)
		part := r.Slice(from, to)
		m.addDigests(part)
		m.Tally.Add(part)
		from = to
		alike := m.playAlike(part)
		if to%lookEvery != 0 && to != m.Test.MaxBlocks {
			continue
		}
		var err error
		if m.Look, err = m.Test.Judge(m.judged()); err != nil {
			return err
		}
		if alike && !m.Look.Done() {
			m.endAlike()
			return errDecided
		}
		if m.Look.Done() && m.silent() == "" {
			return errDecided
		}
	}
	m.tell(end, int64(r.Blocks*r.Rotations))
	return nil
}

// blocks is an entrant's histogram of block scores.
func (m *Match) blocks(entrant int) stats.Blocks {
	b := stats.Rotated(m.Tally.Seats, m.Tally.Entrants[entrant].Scores)
	b.Distinct = m.repeated()
	return b
}

// judged is what the test judges: the first entrant's blocks or all pairs of their games.
func (m *Match) judged() stats.Blocks {
	b := m.blocks(0)
	if m.AllPairs && b.Distinct == 0 {
		b.Placed = stats.Place(m.race.Lengths())
	}
	return b
}

// distinct is the number of different blocks so far.
func (m *Match) distinct() int64 {
	if m.Series.Ruleset.Game.FreshChance {
		return m.Tally.Blocks
	}
	return m.seen.Blocks()
}

// repeated is the number of different blocks where some came again, else 0.
func (m *Match) repeated() int64 {
	if d := m.distinct(); d < m.Tally.Blocks {
		return d
	}
	return 0
}

// tell shows how far the match is.
func (m *Match) tell(to, games int64) {
	if m.Progress != nil {
		m.Progress(to, games, m.Running)
	}
}

// Running is what the games so far say of the first entrant's strength: its score, Elo
// and, where a test decides, how far that is; empty where they say nothing yet.
func (m *Match) Running() string {
	if m.Tally.Blocks == 0 || m.Series.Ruleset.Game.Unscored || m.silent() != "" {
		return ""
	}
	e := m.entrant(0)
	score, _ := e.CI95.Round(e.Score, 4)
	text := "score " + score
	if e.Elo.Defined && e.EloCI95.Defined() {
		value, margin := numeral.Pair(e.Elo.Value, e.EloCI95.Half())
		text += fmt.Sprintf(", Elo %s +- %s", value, margin)
	}
	if m.Test != nil {
		text += fmt.Sprintf(", LLR %.2f in (%.2f, %.2f)", m.Look.LLR, m.Look.Lower, m.Look.Upper)
	}
	return text
}
