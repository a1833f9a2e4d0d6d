package service

import (
	"errors"
	"fmt"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

// DetailOf is every game of a run.
func DetailOf(r *arena.Run) *BlockDetail {
	d := &BlockDetail{Seats: r.Seats, Components: r.Components, Rotations: r.Rotations, Digests: []string{}, Values: r.Values}
	for _, x := range r.Digests {
		d.Digests = append(d.Digests, strconv.FormatUint(x, 10))
	}
	return d
}

// PostedBy is who is credited with blocks that a command has played and posted:
// study drop takes them out again. They are a match's, which no study counts.
const PostedBy = "posted"

// Run is the blocks as they are stored. [PlayedBlocks.Check] says what else is
// wrong with them.
func (p *PlayedBlocks) Run() (tuner.BlockKey, *arena.Run, error) {
	seed, err := param.ParseSeed(p.Seed)
	key := tuner.BlockKey{Game: p.Game, Rules: p.Rules, Signatures: p.Signatures, Entrants: p.Entrants, Seed: uint64(seed), Phase: arena.Match}
	run := &arena.Run{
		Seats: p.Seats, Components: p.Components, Rotations: p.Rotations, From: p.From, Blocks: p.Blocks, Values: p.Values, Worker: PostedBy,
	}
	for _, text := range p.Digests {
		d, parse := strconv.ParseUint(text, 10, 64)
		err = errors.Join(err, parse)
		run.Digests = append(run.Digests, d)
	}
	for b := range p.Blocks * p.Rotations {
		for s := range p.Seats {
			g := run.Values[(b*p.Seats+s)*run.Width():]
			if g[0] < 0 || g[0] > arena.Scale(p.Seats) || g[1] < 0 || g[1] > 1 {
				err = errors.Join(err, fmt.Errorf("values: game %d: expected a score from 0 to %d and a fault of 0 or 1, got %d and %d", b, arena.Scale(p.Seats), g[0], g[1]))
			}
		}
		if err != nil {
			return key, nil, err
		}
	}
	return key, run, nil
}
