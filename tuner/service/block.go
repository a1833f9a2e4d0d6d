package service

import (
	"fmt"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/store/blocks"
)

// Dropped is what dropping a worker did.
type Dropped struct {
	Blocks   int64    `json:"blocks"`
	Archived string   `json:"archived"` // the name under which the former log is kept
	Others   []string `json:"others"`   // studies that have met that worker's blocks too
}

// BlockRun is consecutive blocks of one series, as they are stored. Numbers that
// may exceed 2^53 are decimal texts.
type BlockRun struct {
	ID         int64  `json:"id"`
	Game       string `json:"game"`
	Phase      string `json:"phase" enum:"match,tune,final,validation"`
	Seed       string `json:"seed" schema:"Decimal"`
	Rules      string `json:"rules" help:"Hash."`
	Signatures string `json:"signatures"`
	Entrants   string `json:"entrants" help:"Hash of the entrants in order."`
	From       int64  `json:"from"`
	Blocks     int64  `json:"blocks"`
	Games      int64  `json:"games"`
	// Scores are each entrant's mean score, in [0, 1]; null in games without a winner.
	Scores []*float64 `json:"scores" help:"Each entrant's mean score, in [0, 1]."`
	Digest string     `json:"digest" schema:"Decimal"` // of the transcripts
	// Detail is present if it was asked for.
	Detail *BlockDetail `json:"detail,omitempty"`
}

// BlockDetail is every game of a run of blocks: see arena.Run.
type BlockDetail struct {
	Seats      int      `json:"seats"`
	Components int      `json:"components"`
	Rotations  int      `json:"rotations"`
	Digests    []string `json:"digests" help:"Of each game's transcript, block by block and rotation by rotation." schema:"Decimals"`
	Values     []int64  `json:"values" help:"In the same order and seat by seat: score, 1 for a fault, components."`
}

// PlayedBlocks are blocks of a match that were played elsewhere.
type PlayedBlocks struct {
	Game       string   `json:"game" line:"1-100"`
	Rules      string   `json:"rules" line:"1-200"`
	Signatures string   `json:"signatures" line:"1-20000"`
	Entrants   []string `json:"entrants" most:"64" line:"1-200"` // hashes, in order
	Seed       string   `json:"seed" schema:"Decimal"`
	From       int64    `json:"from" min:"0"`
	Blocks     int      `json:"blocks" min:"1"`
	BlockDetail
}

// Check says what is wrong with the numbers.
func (p *PlayedBlocks) Check() error {
	bad := func(format string, args ...any) error {
		return New(Invalid, fmt.Sprintf(format, args...))
	}
	if _, err := param.ParseSeed(p.Seed); err != nil {
		return bad("seed: %v", err)
	}
	if p.Blocks < 1 || p.Blocks > 1<<20 || p.From < 0 || p.From > 1<<40 {
		return bad("from, blocks: expected at least one block, of a number from 0 to 2^40, got %d from %d", p.Blocks, p.From)
	}
	if p.Seats < 1 || p.Seats > 64 || len(p.Entrants) != p.Seats {
		return bad("seats, entrants: expected 1 to 64 and as many entrants, got %d and %d", p.Seats, len(p.Entrants))
	}
	if p.Components < 0 || p.Components > 1024 || p.Rotations != 1 && p.Rotations != p.Seats {
		return bad("components, rotations: expected up to 1024, and 1 or as many as seats, got %d and %d", p.Components, p.Rotations)
	}
	games := p.Blocks * p.Rotations
	if values := games * p.Seats * (2 + p.Components); len(p.Digests) != games || len(p.Values) != values {
		return bad("digests, values: expected %d and %d, got %d and %d", games, values, len(p.Digests), len(p.Values))
	}
	for _, d := range p.Digests {
		if _, err := strconv.ParseUint(d, 10, 64); err != nil {
			return bad("digests: expected integers from 0 to 2^64-1 as texts, got %.40q", d)
		}
	}
	return nil
}

// blockRun is a stored run of blocks as it is served.
func blockRun(s blocks.StoredRun, values bool) BlockRun {
	tally := arena.NewTally(s.Run.Seats, s.Run.Components)
	tally.Add(s.Run)
	out := BlockRun{
		ID: s.ID, Game: s.Game, Phase: s.Phase.String(), Seed: param.Seed(s.Seed).String(), Rules: s.Rules, Signatures: s.Signatures,
		Entrants: fmt.Sprintf("%x", s.Entrants), From: s.Run.From, Blocks: int64(s.Run.Blocks), Games: tally.Games,
		Digest: strconv.FormatUint(tally.Digest, 10), Scores: []*float64{},
	}
	for _, e := range tally.Entrants {
		units, games := int64(0), int64(0)
		for _, seat := range e.Seats {
			units, games = units+seat.Score, games+seat.Games
		}
		var mean *float64
		if s.Run.Seats > 1 && games > 0 {
			x := float64(units) / float64(games*arena.Scale(s.Run.Seats))
			mean = &x
		}
		out.Scores = append(out.Scores, mean)
	}
	if values {
		out.Detail = DetailOf(s.Run)
	}
	return out
}
