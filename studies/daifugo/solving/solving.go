// Package solving answers questions of the command `paper solve daifugo` that may take
// hours: on all workers, with layers that are saved, so that a run that was
// stopped goes on where it was.
//
//	job := solving.Job{Request: request, Workers: 2, Checkpoint: "layers.bin", Every: time.Minute}
//	err := job.Open()
//	answer, err := job.Run(ctx)
package solving

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sakusen/engines/daifugo"
	"sakusen/engines/plain"
	strategies "sakusen/strategies/daifugo"
)

// Job is a request and how it is worked at. All but the request is for the method
// positions.
type Job struct {
	strategies.Request
	Workers    int
	Checkpoint string             // file in which layers are saved; empty saves none
	Every      time.Duration      // least time between two saved layers
	Ask        []daifugo.Position // further positions to value
	AskFile    string             // the file that Prepare reads Ask from; empty is none
	// Layer, unless nil, is told of each layer that is done.
	Layer func(s strategies.Solver)

	from strategies.Solver
	room []*mapped // files in which layers are kept
}

// validate returns an error that says what is wrong with the request. Layers that are
// larger than the memory allowed are kept on disk where they are saved at all.
func (j *Job) validate() error {
	r := j.Request
	large := j.large()
	r.OnDisk = large && j.Checkpoint != ""
	if err := r.Validate(); err != nil {
		if large && j.Checkpoint == "" {
			err = fmt.Errorf("%w; with --checkpoint FILE the layers are kept on disk", err)
		}
		return err
	}
	j.OnDisk = r.OnDisk
	return nil
}

// large reports whether the layers need more memory than is allowed.
func (j *Job) large() bool {
	return j.Method == strategies.Positions && !j.ExactCount && j.Rules.Validate() == nil && strategies.Estimate(j.Rules) > j.Memory
}

// open reads the layer that an earlier run has saved, where there is one, and makes the
// files of layers that are kept on disk.
func (j *Job) open() (err error) {
	if j.Checkpoint == "" {
		return nil
	}
	var s strategies.Solver
	if j.OnDisk {
		s, err = strategies.NewIn(j.Rules, func(words uint64, bytes int) (any, error) {
			m, err := newMapped(j.Checkpoint, words*uint64(bytes))
			if err != nil {
				return nil, err
			}
			j.room = append(j.room, m)
			return m.words(words, bytes), nil
		}, j.relieve)
	} else {
		s, err = strategies.New(j.Rules, j.Memory)
	}
	if err != nil {
		j.Close()
		return err
	}
	if j.OnDisk {
		j.from = s
	}
	f, err := plain.Open(j.Checkpoint, math.MaxInt64)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err = strategies.LoadInto(s, bufio.NewReaderSize(&eased{Reader: f, job: j}, 1<<20)); err != nil {
		j.Close()
		return fmt.Errorf("%s: %w", j.Checkpoint, err)
	}
	j.from = s
	return (&strategies.Layers{From: j.from, Ask: j.Ask}).Check()
}

// Close gives the files of layers back. Run does it too.
func (j *Job) Close() {
	for _, m := range j.room {
		m.close()
	}
	j.room, j.from = nil, nil
}

// Saved returns the number of cards of the layer that was read, 0 where there is none.
func (j *Job) Saved() int {
	if j.from == nil {
		return 0
	}
	return j.from.Cards()
}

// Run answers the request. Interrupted, the error is that of the context.
func (j *Job) Run(ctx context.Context) (answer strategies.Solved, err error) {
	begun := time.Now()
	defer j.Close()
	if j.Method == strategies.Positions {
		answer, err = j.layers(ctx)
	} else {
		answer, err = j.search(ctx)
	}
	answer.Seconds = time.Since(begun).Seconds()
	return answer, err
}

// search runs a method that cannot be interrupted. If the context ends, it is left
// running: the process is about to end.
func (j *Job) search(ctx context.Context) (strategies.Solved, error) {
	type result struct {
		answer strategies.Solved
		err    error
	}
	done := make(chan result, 1)
	go func() {
		answer, err := j.Request.Run(nil)
		done <- result{answer, err}
	}()
	select {
	case got := <-done:
		return got.answer, got.err
	case <-ctx.Done():
		return strategies.Solved{}, ctx.Err()
	}
}

// layers makes layer after layer on all workers.
func (j *Job) layers(ctx context.Context) (strategies.Solved, error) {
	saved := time.Now()
	work := stoppable(ctx, j.Workers)
	answer, err := j.Request.Run(&strategies.Layers{
		Pool: work, From: j.from, Ask: j.Ask,
		After: func(s strategies.Solver) error {
			if ctx.Err() != nil {
				return ctx.Err() // the layer may be incomplete
			}
			if j.Layer != nil {
				j.Layer(s)
			}
			if j.Checkpoint == "" || time.Since(saved) < j.Every {
				return nil
			}
			saved = time.Now()
			return plain.WriteFile(j.Checkpoint, func(w io.Writer) error {
				return s.Save(&eased{Writer: w, job: j})
			})
		},
	})
	if err == nil && j.Checkpoint != "" {
		if err = os.Remove(j.Checkpoint); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return answer, err
}

// stoppable returns a pool of so many goroutines that hands out no more work once the
// context is done.
func stoppable(ctx context.Context, workers int) strategies.Pool {
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

// Prepare checks a job as a command line gives it, and opens what it names: every
// error is a mistake of the user. given tells which flags are there, by name; memory
// is in GiB; ask reads the file of further positions, called where there is one.
func (j *Job) Prepare(given func(flag string) bool, memory float64, ask func() ([]byte, error)) error {
	if err := missing(given); err != nil {
		return err
	}
	if !(memory > 0 && memory < 1<<20) {
		return fmt.Errorf("--memory: expected GiB above 0, got %g", memory)
	}
	j.Memory = uint64(memory * (1 << 30))
	if j.Search.Step < 1 {
		return fmt.Errorf("--step: expected 1 or more plies, got %d", j.Search.Step)
	}
	if err := j.validate(); err != nil {
		return err
	}
	if j.Method != strategies.Positions && (j.Checkpoint != "" || j.AskFile != "") {
		return errors.New("--checkpoint and --ask need --method positions")
	}
	if j.AskFile != "" {
		text, err := ask()
		if err != nil {
			return err
		}
		if j.Ask, err = strategies.ReadPositions(j.Rules, j.AskFile, text); err != nil {
			return err
		}
	}
	return j.open()
}

// missing returns an error that names the required flags that were not given.
func missing(given func(flag string) bool) error {
	var lacking []string
	for _, flag := range []string{"players", "cards", "ranks", "method"} {
		if !given(flag) {
			lacking = append(lacking, "--"+flag)
		}
	}
	if lacking == nil {
		return nil
	}
	return fmt.Errorf("solve daifugo: %s missing; for example --players 4 --cards 6 --ranks 4 --method prune (methods: %s)",
		strings.Join(lacking, ", "), strings.Join(strategies.SolveMethods(), ", "))
}

// TellLayers returns a [Job.Layer] that says how far the job is.
func (j *Job) TellLayers(say func(format string, args ...any)) func(strategies.Solver) {
	begun := time.Now()
	return func(s strategies.Solver) {
		say("layer %d of %d, %d positions, %s", s.Cards(), strategies.Top(j.Rules), s.Entries(), time.Since(begun).Round(time.Millisecond))
	}
}

// Interrupted reports what an interruption leaves.
func (j *Job) Interrupted() string {
	switch {
	case j.Method != strategies.Positions:
		return "interrupted"
	case j.Checkpoint == "":
		return "interrupted; with --checkpoint FILE a run can be resumed"
	}
	return "interrupted; run the same command to resume from the last saved layer"
}
