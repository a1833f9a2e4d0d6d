package service

import (
	"encoding/json"
	"time"

	"sakusen/tuner"
)

// AskRequest says what somebody wants to play.
type AskRequest struct {
	N      int   `json:"n,omitempty" help:"Asks at most, 1 to 256; 0 is 1."`
	Blocks int64 `json:"blocks,omitempty" help:"Blocks of an ask at most, 1 to 1024; 0 is 16."`
	// Again also hands out what has been handed out before and is not told.
	Again bool `json:"again,omitempty" help:"First those that were handed out before and are not told."`
	// DeadlineSeconds, unless 0, is the time after which these asks may be handed out
	// again. Without it they wait for their results for ever.
	DeadlineSeconds int64 `json:"deadline_seconds,omitempty" help:"After this time they may be handed out again; 0 is never."`
}

// Asked is what there is to play.
type Asked struct {
	Study string `json:"study"`
	State string `json:"state" schema:"State"`
	// Asks may be fewer than were wanted, and none: then the study waits for results of
	// those that are Open.
	Asks   []Ask         `json:"asks"`
	Open   int           `json:"open" help:"Asks that are handed out and not told, these included."`
	Result *tuner.Result `json:"result" help:"The verdict, as sakusen tune --json prints it; null until it is there."`
}

// Ask is consecutive blocks of games between the same entrants.
type Ask struct {
	Ask      int64        `json:"ask" help:"Its number in the study."`
	Study    string       `json:"study"`
	Phase    string       `json:"phase" schema:"Phase"`
	Entrants []AskEntrant `json:"entrants"`
	// Games are those of each block: by seat, the number of the entrant who sits there,
	// from 0.
	Games    [][]int    `json:"games" help:"Of each block: by seat, the number of the entrant who sits there."`
	Blocks   []AskBlock `json:"blocks"`
	Deadline *time.Time `json:"deadline,omitempty"`
}

// AskEntrant is a player: a program and its parameters.
type AskEntrant struct {
	Name     string                     `json:"name"`
	Strategy string                     `json:"strategy"`
	Params   map[string]json.RawMessage `json:"params" help:"Values by name: numbers, switches, texts."`
}

// AskBlock is a block. Its games share the seed.
type AskBlock struct {
	Block int64  `json:"block"`
	Seed  string `json:"seed" help:"Of all games of the block, 64 bits, decimal."`
}

// ToldBlock is how the games of a block ended.
type ToldBlock struct {
	Ask   int64 `json:"ask"`
	Block int64 `json:"block"`
	// Params are those that were played, by entrant: they must be the ones asked for.
	Params []map[string]json.RawMessage `json:"params" help:"Those that were played, by entrant, as asked for."`
	// Games are as the ask lists them. Each is as docs/protocol.md has it, by seat:
	// {"ranks": [1, 2]} or {"scores": [...]}, with "errors" and "metrics".
	Games  []json.RawMessage `json:"games" help:"In the order of the ask, each by seat: {\"ranks\": [1, 2]} or {\"scores\": [...]}, with errors and metrics."`
	Worker string            `json:"worker,omitempty" help:"Who played."`
	Line   int               `json:"-"` // of the file that it comes from, 0 for none
}

// Tellings are the request of telling.
type Tellings struct {
	Results []ToldBlock `json:"results"`
}

// Accepted is what became of what was told.
type Accepted struct {
	Study  string        `json:"study"`
	State  string        `json:"state" schema:"State"`
	Blocks int           `json:"blocks" help:"That were told."`
	Open   int           `json:"open" help:"Asks that are handed out and not told."`
	Result *tuner.Result `json:"result" help:"The verdict, as sakusen tune --json prints it; null until it is there."`
}
