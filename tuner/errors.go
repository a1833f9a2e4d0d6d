package tuner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
)

// DifferentError says that a block was played again and was another game.
type DifferentError struct{ entry.Different }

func (e *DifferentError) Error() string {
	than := fmt.Sprintf("the record has digest %s, played again it has %s", e.Recorded, e.Again)
	if e.Recorded == e.Again {
		than = fmt.Sprintf("the record of its moves is that of the game which is played again (digest %s), and has another result", e.Again)
	}
	what := fmt.Sprintf("block %d of phase %s under seed %d, game %d of %s: %s (%d of %d blocks that were played again differ)",
		e.Block, e.Phase, e.Seed, e.Rotation, strings.Join(e.Entrants, " against "), than, e.Differ, e.Replayed)
	if len(e.Workers) == 0 && e.Outside != "" {
		return "play is not the same twice: engine " + e.Outside + " carries something over from one game to the next, or its games depend on a clock or on chance. Give it fresh: true in its entry (of config.yaml, or under engines in the study's file), a process for every game; if it has that, or that does not help, recorded: true. Then run the study under a new name. It was " + what
	}
	if len(e.Workers) == 0 {
		return "play is not the same twice. Possible causes are a clock, a counter that other games change, or the order of a map; such games cannot decide anything. Once the player is corrected, tune in another database (--db FILE), as this one keeps blocks that it played: " + what
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(e.Workers)) {
		names = append(names, fmt.Sprintf("%s (%d blocks)", name, e.Workers[name]))
	}
	return "the records of worker " + strings.Join(names, ", ") + " are not what is played here, the same each time: " + what +
		". Its blocks are dropped, and studies that used them begin anew: by themselves if a daemon runs, otherwise by sakusen study drop STUDY --worker NAME"
}

// ErrOtherCode says that a study's log was written by code that plays or
// decides otherwise.
var ErrOtherCode = errors.New("made by other code")

// ItIsTheBaseline is the reason of a verdict that nothing was played for.
const ItIsTheBaseline = "no information: the winner is the baseline itself"

// Interrupted reports whether an error of Run means that it can be resumed. What ctx ends may end players first.
func Interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// SamplerPatience is how long a study waits for one answer of its sampler. A study whose
// sampler has not proposed or answered by then has failed. The slowest of the samplers here
// takes less than a second for an answer.
const SamplerPatience = 10 * time.Minute

// ErrSamplerSilent says that a sampler has not answered in the time that it has.
var ErrSamplerSilent = errors.New("the sampler has not answered")

// SamplerPanicError says that a sampler panicked: a mistake in its code, which fails its
// study, and not the process with all that runs beside it.
type SamplerPanicError struct {
	Value any
	Stack []byte // where
}

func (e *SamplerPanicError) Error() string { return fmt.Sprintf("the sampler panicked: %v", e.Value) }

// PanicStack returns the stack of the panic of a game or of a sampler that an error tells
// of, nil where it tells of none.
func PanicStack(err error) []byte {
	if p, ok := errors.AsType[*arena.PanicError](err); ok {
		return p.Stack
	}
	if p, ok := errors.AsType[*SamplerPanicError](err); ok {
		return p.Stack
	}
	return nil
}
