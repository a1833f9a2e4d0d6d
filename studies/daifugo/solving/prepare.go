package solving

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"sakusen/strategies/daifugo/analyse"
	"sakusen/strategies/daifugo/positions"
	"sakusen/strategies/daifugo/solve"
)

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
	if err := j.Validate(); err != nil {
		return err
	}
	if j.Method != solve.Positions && (j.Checkpoint != "" || j.AskFile != "") {
		return errors.New("--checkpoint and --ask need --method positions")
	}
	if j.AskFile != "" {
		text, err := ask()
		if err != nil {
			return err
		}
		if j.Ask, err = analyse.ReadPositions(j.Rules, j.AskFile, text); err != nil {
			return err
		}
	}
	return j.Open()
}

// missing tells of all required flags that were not given.
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
		strings.Join(lacking, ", "), strings.Join(solve.Methods(), ", "))
}

// TellLayers is a [Job.Layer] that says how far the job is.
func (j *Job) TellLayers(say func(format string, args ...any)) func(positions.Solver) {
	begun := time.Now()
	return func(s positions.Solver) {
		say("layer %d of %d, %d positions, %s", s.Cards(), positions.Top(j.Rules), s.Entries(), time.Since(begun).Round(time.Millisecond))
	}
}

// Interrupted says what an interruption leaves.
func (j *Job) Interrupted() string {
	switch {
	case j.Method != solve.Positions:
		return "interrupted"
	case j.Checkpoint == "":
		return "interrupted; with --checkpoint FILE a run can be resumed"
	}
	return "interrupted; run the same command to resume from the last saved layer"
}
