package web

import (
	"context"

	"sakusen/tuner/service"
)

// Writer is what commands write through the server that holds the database, and
// the blocks that are read from it. Its errors are as Library's.
type Writer interface {
	// RecordBench keeps benchmark runs; baseline, unless empty, becomes the name
	// of the first one.
	RecordBench(ctx context.Context, runs []service.BenchRun, baseline string) ([]service.BenchRecorded, error)
	// SetBaseline gives the run that source means a name.
	SetBaseline(ctx context.Context, name, source string) (service.BenchNamed, error)
	RemoveBaseline(ctx context.Context, name string) error
	// AcceptBench lets a series begin anew with a run.
	AcceptBench(ctx context.Context, a service.BenchAccept) (service.BenchAccepted, error)
	// PruneBench removes runs older than so many days, or, dry, counts them.
	PruneBench(ctx context.Context, days int, dry bool) (int64, error)
	// Drop takes a worker's blocks out and has the study begin anew.
	Drop(ctx context.Context, study, worker string) (Dropped, error)
	// Blocks lists at most limit runs of blocks of a study's game and seeds, after
	// the one with the given id; each with its digests and values where asked.
	Blocks(ctx context.Context, study string, after int64, limit int, values bool) ([]BlockRun, error)
	// SaveBlocks keeps blocks of a match that were played elsewhere.
	SaveBlocks(ctx context.Context, p PlayedBlocks) error
}

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
	Phase      string `json:"phase"`
	Seed       string `json:"seed"`
	Rules      string `json:"rules"` // hash
	Signatures string `json:"signatures"`
	Entrants   string `json:"entrants"` // hash of the entrants in order
	From       int64  `json:"from"`
	Blocks     int64  `json:"blocks"`
	Games      int64  `json:"games"`
	// Scores are each entrant's mean score, in [0, 1]; null in games without.
	Scores []*float64 `json:"scores"`
	Digest string     `json:"digest"` // of the transcripts
	// Detail is there where it was asked for.
	Detail *BlockDetail `json:"detail,omitempty"`
}

// BlockDetail is every game of a run of blocks: see arena.Run.
type BlockDetail struct {
	Seats      int      `json:"seats"`
	Components int      `json:"components"`
	Rotations  int      `json:"rotations"`
	Digests    []string `json:"digests"`
	Values     []int64  `json:"values"`
}

// PlayedBlocks are blocks of a match that were played elsewhere.
type PlayedBlocks struct {
	Game       string   `json:"game"`
	Rules      string   `json:"rules"`
	Signatures string   `json:"signatures"`
	Entrants   []string `json:"entrants"` // hashes, in order
	Seed       string   `json:"seed"`
	From       int64    `json:"from"`
	Blocks     int      `json:"blocks"`
	BlockDetail
}
