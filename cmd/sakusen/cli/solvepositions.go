package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"sakusen/engines/daifugo"
	"sakusen/engines/external/wholefile"
	"sakusen/strategies/daifugo/analyse"
	"sakusen/strategies/daifugo/positions"
	"sakusen/strategies/daifugo/solve"
)

// layerFlags are the flags of the method positions.
type layerFlags struct {
	checkpoint string
	every      time.Duration
	ask        string
}

func (l *layerFlags) declare(f *pflag.FlagSet) {
	f.StringVar(&l.checkpoint, "checkpoint", "", "positions: `FILE` in which layers are saved, and from which a stopped run goes on; removed at the end")
	f.DurationVar(&l.every, "checkpoint-every", time.Minute, "positions: least time between two saved layers")
	f.StringVar(&l.ask, "ask", "", "positions: `FILE` of further positions to value, one a line as for analyse daifugo (- for standard input)")
}

// unused refuses the flags of the method positions with any other method.
func (l *layerFlags) unused() error {
	if l.checkpoint != "" || l.ask != "" {
		return usage(errors.New("--checkpoint and --ask need --method positions"))
	}
	return nil
}

// solvePositions makes layer after layer on all workers.
func solvePositions(a *app, ctx context.Context, r solve.Request, f layerFlags) (solve.Answer, error) {
	layers := solve.Layers{Pool: stoppable(ctx, a.workers())}
	var err error
	if layers.Ask, err = readAsked(a, r.Rules, f.ask); err != nil {
		return solve.Answer{}, usage(err)
	}
	if layers.From, err = loadLayer(r, f.checkpoint); err != nil {
		return solve.Answer{}, usage(err)
	}
	if layers.From != nil {
		a.say("going on from %s: %d of %d cards", f.checkpoint, layers.From.Cards(), positions.Top(r.Rules))
		if err := layers.Check(); err != nil {
			return solve.Answer{}, usage(err)
		}
	}
	begun, saved := time.Now(), time.Now()
	layers.After = func(s positions.Solver) error {
		if ctx.Err() != nil {
			return interrupted(f.checkpoint) // the layer may be incomplete
		}
		if a.terminal || a.flags.verbose {
			a.say("layer %d of %d, %d positions, %s", s.Cards(), positions.Top(r.Rules), s.Entries(), time.Since(begun).Round(time.Millisecond))
		}
		if f.checkpoint == "" || time.Since(saved) < f.every {
			return nil
		}
		saved = time.Now()
		return wholefile.Write(f.checkpoint, s.Save)
	}
	answer, err := r.Run(&layers)
	if err == nil && f.checkpoint != "" {
		if err = os.Remove(f.checkpoint); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return answer, err
}

func interrupted(checkpoint string) error {
	text := "interrupted; with --checkpoint FILE a run can be resumed"
	if checkpoint != "" {
		text = "interrupted; run the same command to resume from the last saved layer"
	}
	return &coded{exitInterrupted, errors.New(text)}
}

// stoppable is a pool of so many goroutines that hands out no more work once
// the context is done.
func stoppable(ctx context.Context, workers int) positions.Pool {
	return func(n int, work func(i int)) {
		var next atomic.Int64
		var wait sync.WaitGroup
		for range min(workers, n) {
			wait.Go(func() {
				for ctx.Err() == nil {
					i := int(next.Add(1)) - 1
					if i >= n {
						return
					}
					work(i)
				}
			})
		}
		wait.Wait()
	}
}

// readAsked reads the positions asked for.
func readAsked(a *app, r daifugo.Rules, file string) ([]daifugo.Position, error) {
	if file == "" {
		return nil, nil
	}
	var text []byte
	var err error
	if file == "-" {
		text, err = io.ReadAll(a.in)
	} else {
		text, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, err
	}
	return analyse.ReadPositions(r, file, text)
}

// loadLayer is the solver saved in a file, nil where there is no file.
func loadLayer(r solve.Request, file string) (positions.Solver, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := positions.Load(r.Rules, r.Memory, bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}
