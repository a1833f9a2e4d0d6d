package service

import (
	"errors"
	"fmt"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/contest/match"
)

// DetailOf is every game of a run.
func DetailOf(r *arena.Run) *BlockDetail {
	d := &BlockDetail{Seats: r.Seats, Components: r.Components, Rotations: r.Rotations, Digests: []string{}, Values: r.Values}
	for _, x := range r.Digests {
		d.Digests = append(d.Digests, strconv.FormatUint(x, 10))
	}
	return d
}

// PostedBy is who is credited with blocks that a command has played and posted.
// They are a match's and lie apart: no study, tournament or experiment meets them.
const PostedBy = match.Posted

// Run is the blocks as they are stored. [PlayedBlocks.Check] says what else is
// wrong with them.
func (p *PlayedBlocks) Run() (tuner.BlockKey, *arena.Run, error) {
	seed, err := param.ParseSeed(p.Seed)
	key := tuner.BlockKey{Game: p.Game, Rules: p.Rules, Signatures: p.Signatures, Entrants: p.Entrants, Seed: uint64(seed), Phase: arena.Match, Posted: true}
	run := &arena.Run{
		Seats: p.Seats, Components: p.Components, Rotations: p.Rotations, From: p.From, Blocks: p.Blocks, Values: p.Values, Worker: PostedBy,
	}
	for _, text := range p.Digests {
		d, parse := strconv.ParseUint(text, 10, 64)
		err = errors.Join(err, parse)
		run.Digests = append(run.Digests, d)
	}
	if err == nil {
		err = run.Check()
	}
	if err != nil {
		return key, nil, fmt.Errorf("digests, values: %w", err)
	}
	return key, run, nil
}
