package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/service"
)

// blockCache opens the cache of blocks in the database: in the file itself, or,
// where a daemon holds that, read from the file and written through the daemon.
func blockCache(a *app, ctx context.Context) (cache tuner.Blocks, end func() error, err error) {
	s, end, err := a.write(ctx)
	if err == nil {
		return s.Blocks(), end, nil
	}
	c, err := a.daemonOf(err)
	if err != nil {
		return nil, nil, err
	}
	if err := c.call(ctx, http.MethodGet, "/api/v1", nil, nil); err != nil { // before anything is played
		return nil, nil, err
	}
	if s, end, err = a.read(ctx); err != nil {
		return nil, nil, err
	}
	return &postedBlocks{Blocks: s.Blocks(), api: c}, end, nil
}

// postedBlocks reads blocks from the file and posts those that were played to the
// daemon.
type postedBlocks struct {
	tuner.Blocks
	api *apiClient
}

// postedValues bounds the numbers of one post.
const postedValues = 1 << 18

// Save implements tuner.Blocks. The daemon takes blocks of matches alone: others,
// which an experiment may have, are not kept.
func (p *postedBlocks) Save(ctx context.Context, key tuner.BlockKey, run *arena.Run) error {
	if key.Phase != arena.Match {
		return nil
	}
	most := int64(max(1, postedValues/(run.Rotations*run.Seats*run.Width())))
	for at, end := run.From, run.From+int64(run.Blocks); at < end; at += most {
		part := run.Slice(at, min(at+most, end))
		played := service.PlayedBlocks{
			Game: key.Game, Rules: key.Rules, Signatures: key.Signatures, Entrants: key.Entrants,
			Seed: param.Seed(key.Seed).String(), From: part.From, Blocks: part.Blocks, BlockDetail: *detailOf(part),
		}
		if err := p.api.call(ctx, http.MethodPost, "/api/v1/blocks", played, nil); err != nil {
			return fmt.Errorf("save blocks: %w", err)
		}
	}
	return nil
}

// playedRun is posted blocks as they are stored.
func playedRun(p *service.PlayedBlocks) (tuner.BlockKey, *arena.Run, error) {
	seed, err := param.ParseSeed(p.Seed)
	key := tuner.BlockKey{Game: p.Game, Rules: p.Rules, Signatures: p.Signatures, Entrants: p.Entrants, Seed: uint64(seed), Phase: arena.Match}
	run := &arena.Run{
		Seats: p.Seats, Components: p.Components, Rotations: p.Rotations, From: p.From, Blocks: p.Blocks, Values: p.Values, Worker: postedBy,
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
