package service

import (
	"encoding/json"
	"time"

	"sakusen/tuner"
)

// AskRequest says what somebody wants to play.
type AskRequest struct {
	N      int   `json:"n"`      // asks at most; 0 is 1
	Blocks int64 `json:"blocks"` // of an ask at most; 0 is 16
	// Again also hands out what has been handed out before and is not told.
	Again bool `json:"again"`
	// DeadlineSeconds, unless 0, is the time after which these asks may be handed out
	// again. Without it they wait for their results for ever.
	DeadlineSeconds int64 `json:"deadline_seconds"`
}

// Asked is what there is to play.
type Asked struct {
	Study string `json:"study"`
	State string `json:"state"`
	// Asks may be fewer than were wanted, and none: then the study waits for results of
	// those that are Open.
	Asks   []Ask         `json:"asks"`
	Open   int           `json:"open"`   // handed out and not told, these included
	Result *tuner.Result `json:"result"` // null until the verdict is there
}

// Ask is consecutive blocks of games between the same entrants.
type Ask struct {
	Ask      int64        `json:"ask"` // its number in the study
	Study    string       `json:"study"`
	Phase    string       `json:"phase"` // tune, final or validation
	Entrants []AskEntrant `json:"entrants"`
	// Games are those of each block: by seat, the number of the entrant who sits there,
	// from 0.
	Games    [][]int    `json:"games"`
	Blocks   []AskBlock `json:"blocks"`
	Deadline *time.Time `json:"deadline,omitempty"`
}

// AskEntrant is a player: a program and its parameters.
type AskEntrant struct {
	Name     string                     `json:"name"`
	Strategy string                     `json:"strategy"`
	Params   map[string]json.RawMessage `json:"params"`
}

// AskBlock is a block. Its games share the seed.
type AskBlock struct {
	Block int64  `json:"block"`
	Seed  string `json:"seed"`
}

// ToldBlock is how the games of a block ended.
type ToldBlock struct {
	Ask   int64 `json:"ask"`
	Block int64 `json:"block"`
	// Params are those that were played, by entrant: they must be the ones asked for.
	Params []map[string]json.RawMessage `json:"params"`
	// Games are as the ask lists them. Each is as docs/protocol.md has it, by seat:
	// {"ranks": [1, 2]} or {"scores": [...]}, with "errors" and "metrics".
	Games  []json.RawMessage `json:"games"`
	Worker string            `json:"worker,omitempty"` // who played, if that is to be known
	Line   int               `json:"-"`                // of the file that it comes from, 0 for none
}

// Tellings are the request of telling.
type Tellings struct {
	Results []ToldBlock `json:"results"`
}

// Accepted is what became of what was told.
type Accepted struct {
	Study  string        `json:"study"`
	State  string        `json:"state"`
	Blocks int           `json:"blocks"` // that were told
	Open   int           `json:"open"`   // asks that are handed out and not told
	Result *tuner.Result `json:"result"` // null until the verdict is there
}
