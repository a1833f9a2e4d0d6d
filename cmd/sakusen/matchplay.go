package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/tuner/rating"
)

// match is a match as it is played.
type match struct {
	series   arena.Series
	test     *rating.Test // nil: a fixed number of blocks
	progress *ticker

	tally arena.Tally
	look  rating.Result // the test's last look
	sum   hash.Hash     // of the digest's lines
	line  []byte
	first uint64 // digest of the first block's games
	vary  bool   // another block was another game
}

const (
	// lookEvery is the number of blocks between two looks of a test: few enough
	// to stop in time, many enough that a look costs nothing.
	lookEvery = 8
	// firstStage is the number of blocks that are handed to the host at first; a
	// later stage is a quarter of what was played. So a test plays little in vain,
	// and slow games are shown, kept and interrupted in small pieces.
	firstStage = 16
	// fewBlocks that are all the same game may be so by chance.
	fewBlocks = 8
)

// errDecided stops a series when the test has ended.
var errDecided = errors.New("the test has ended")

// check says what is wrong with the match.
func (m *match) check() error {
	if err := m.series.Check(); err != nil {
		return err
	}
	if m.test == nil {
		return nil
	}
	if m.series.Ruleset.Game.Unscored {
		return fmt.Errorf("--sprt: expected a game with a winner, %s has only metrics", m.series.Ruleset.Game.Name)
	}
	if m.candidate() != 0 && !m.mirror() && m.series.Ruleset.Seats != 2 {
		return errors.New("--sprt: with more than two seats, expected the first entrant against others that are all the same")
	}
	return nil
}

// mirror tells whether all entrants are the same, so that the seats decide.
func (m *match) mirror() bool {
	for _, e := range m.series.Entrants[1:] {
		if e.Canonical() != m.series.Entrants[0].Canonical() {
			return false
		}
	}
	return len(m.series.Entrants) > 1
}

// candidate is the index of the one entrant that meets equals, -1 if there is
// none. Of two entrants it is the first.
func (m *match) candidate() int {
	count := map[string]int{}
	for _, e := range m.series.Entrants {
		count[e.Canonical()]++
	}
	if len(count) != 2 {
		return -1
	}
	for i, e := range m.series.Entrants {
		if count[e.Canonical()] == 1 {
			return i
		}
	}
	return -1
}

// play plays the match to its end. Interrupted, m.tally covers what was played.
func (m *match) play(ctx context.Context, host arena.Host) error {
	rs := m.series.Ruleset
	m.sum = sha256.New()
	m.tally = arena.NewTally(rs.Seats, len(rs.Components))
	for from := int64(0); from < m.series.To && (m.test == nil || m.silent() == ""); {
		stage := m.series
		stage.From = from
		stage.To = min(m.series.To, from+max(firstStage, from/4/lookEvery*lookEvery))
		if err := m.playStage(ctx, host, stage); errors.Is(err, errDecided) {
			return nil
		} else if err != nil {
			return err
		}
		from = stage.To
	}
	if silent := m.silent(); m.test != nil && silent != "" { // and more blocks would say no more
		m.look.Verdict, m.look.Reason = rating.Inconclusive, "no information: "+silent
	}
	return nil
}

// playStage plays a part of the match.
func (m *match) playStage(ctx context.Context, host arena.Host, stage arena.Series) error {
	if m.test != nil {
		_, err := host.Play(ctx, stage, m.judge)
		return err
	}
	tally, err := host.Play(ctx, stage, func(r *arena.Run) error {
		m.digest(r)
		m.progress.show(r.From+int64(r.Blocks), int64(r.Blocks*r.Rotations), "")
		return nil
	})
	if tally.Blocks == 0 {
		return err
	}
	return errors.Join(err, m.tally.Merge(tally))
}

// silent is the reason why the blocks played so far say nothing about strength,
// and more of them would not either; or "".
func (m *match) silent() string {
	switch {
	case m.tally.Blocks == 0:
		return ""
	case m.mirror():
		return "all entrants are the same, so the rotations of a block are one game"
	case m.tally.Blocks >= fewBlocks && !m.vary:
		return fmt.Sprintf("all %d blocks are the same games: nothing is left to chance", m.tally.Blocks)
	}
	return ""
}

// judge adds a run, part by part up to the next look, and ends the series
// where the test ends. Where the looks are does not depend on how the host cut
// the series into runs.
func (m *match) judge(r *arena.Run) error {
	end := r.From + int64(r.Blocks)
	for from := r.From; from < end; {
		to := min(end, (from/lookEvery+1)*lookEvery)
		part := r.Slice(from, to)
		m.digest(part)
		m.tally.Add(part)
		from = to
		if to%lookEvery != 0 && to != m.test.MaxBlocks {
			continue
		}
		var err error
		if m.look, err = m.test.Judge(m.blocks(0)); err != nil {
			return err
		}
		if m.look.Done() && m.silent() == "" {
			return errDecided
		}
	}
	m.progress.show(end, int64(r.Blocks*r.Rotations),
		fmt.Sprintf("LLR %.2f in (%.2f, %.2f)", m.look.LLR, m.look.Lower, m.look.Upper))
	return nil
}

// blocks is an entrant's histogram of block scores.
func (m *match) blocks(entrant int) rating.Blocks {
	return rating.Rotated(m.tally.Seats, m.tally.Entrants[entrant].Scores)
}

// digest adds the lines "block,rotation,transcript digest" of a run.
func (m *match) digest(r *arena.Run) {
	for b := range r.Blocks {
		block := r.From + int64(b)
		games := r.Digests[b*r.Rotations : (b+1)*r.Rotations]
		m.line = m.line[:0]
		for rotation, d := range games {
			m.line = strconv.AppendInt(m.line, block, 10)
			m.line = append(m.line, ',')
			m.line = strconv.AppendInt(m.line, int64(rotation), 10)
			m.line = append(m.line, ',')
			for shift := 60; shift >= 0; shift -= 4 {
				m.line = append(m.line, "0123456789abcdef"[d>>shift&15])
			}
			m.line = append(m.line, '\n')
		}
		m.sum.Write(m.line)
		if !m.vary {
			var t arena.Transcript
			for _, d := range games {
				t.Add(d)
			}
			if block == 0 {
				m.first = t.Sum()
			}
			m.vary = t.Sum() != m.first
		}
	}
}

// digestText is the digest of all games played so far.
func (m *match) digestText() string { return hex.EncodeToString(m.sum.Sum(nil)) }
