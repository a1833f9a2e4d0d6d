package laboratory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/external"
	"sakusen/engines/external/process"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/stats"
)

// outsideVariable is the variable of the environment that names optimisers of others,
// "NAME=COMMAND ARGUMENTS", separated by semicolons: rows of the suite.
const outsideVariable = "SAKUSEN_OPTIMISERS"

const (
	// patience is how long an optimiser may think about one line.
	patience = time.Minute
	// mostAsked is the most lines that are read from an optimiser in one study for
	// each game of the budget, so that a study ends.
	mostAsked = 4
)

// outside reads the variable's text. The rows have the names that it gives.
func outside(text string) ([]method, error) {
	var rows []method
	for _, part := range strings.Split(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, command, _ := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		args := strings.Fields(command)
		if name == "" || len(args) == 0 {
			return nil, fmt.Errorf("%s: expected NAME=COMMAND, separated by semicolons, got %q", outsideVariable, part)
		}
		for _, m := range append(methods(), rows...) {
			if m.Name == name {
				return nil, fmt.Errorf("%s: the name %q is taken", outsideVariable, name)
			}
		}
		line := strings.Join(args, " ")
		rows = append(rows, method{Name: name, outside: args, file: func(_ *ground, games int64, seed int) (string, bool) {
			return fmt.Sprintf("sampler: {seed: %d}\nbudget: {games: %d}\n# asked of: %s\n", seed, games, line), true
		}})
	}
	return rows, nil
}

// opening is the first line that an optimiser reads.
type opening struct {
	Protocol int       `json:"protocol"`
	Space    []tunable `json:"space"`
	Games    int64     `json:"games"`
	Block    int64     `json:"games_of_a_block"`
	Seats    int       `json:"seats"`
	Seed     int       `json:"seed"`
}

// tunable is a parameter of the space.
type tunable struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // float, int, bool or choice
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
	Step     float64  `json:"step,omitempty"`
	Log      bool     `json:"log,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	Baseline any      `json:"baseline"`
}

// wish is what an optimiser says: what is to be played, or its answer.
type wish struct {
	Ask    map[string]any `json:"ask"`
	Blocks int64          `json:"blocks"`
	Answer map[string]any `json:"answer"`
}

// told is what came of an ask.
type told struct {
	Tell   map[string]any `json:"tell"`
	Score  float64        `json:"score"` // mean of the blocks, 0 to 1
	Error  *float64       `json:"standard_error"`
	Blocks int64          `json:"blocks"`
	Left   int64          `json:"games_left"`
}

// outside runs a study whose search is another program's: it has all games of the budget,
// each against the baseline; its answer is not validated.
func (g *ground) outside(ctx context.Context, m method, spec *tuner.Setup, games int64, seed int) (Outcome, error) {
	keeper, err := process.NewKeeper()
	if err != nil {
		return Outcome{}, err
	}
	defer keeper.Close()
	child, err := keeper.Start(process.Command{Args: m.outside})
	if err != nil {
		return Outcome{}, err
	}
	defer child.Close()
	o := Outcome{}
	wrong := func(err error) (Outcome, error) {
		said := external.LastWords(child, err)
		if !strings.HasPrefix(said, err.Error()) {
			said = err.Error() + ": " + said
		}
		return Outcome{}, errors.New(said)
	}
	say := func(line any) error {
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		return child.Write(string(text), time.Now().Add(patience))
	}
	first := opening{Protocol: 1, Games: games, Block: spec.BlockGames(), Seats: spec.Ruleset.Seats, Seed: seed}
	for i := range spec.Tune.Params {
		first.Space = append(first.Space, tunableOf(&spec.Tune.Params[i], spec.BaselineEntrant.Params))
	}
	if err := say(first); err != nil {
		return wrong(err)
	}
	pool, block := arena.NewPool(1), int64(0)
	for range mostAsked * games {
		line, err := child.Read(time.Now().Add(patience))
		if err != nil {
			return wrong(err)
		}
		w, err := readWish(line)
		if err != nil {
			return wrong(fmt.Errorf("%q: %w", line, err))
		}
		given := w.Ask
		if w.Answer != nil {
			given = w.Answer
		}
		values, err := valuesOf(spec, given)
		if err != nil {
			return wrong(fmt.Errorf("%q: %w", line, err))
		}
		entrant, err := spec.Candidate(o.Trials, values)
		if err != nil {
			return wrong(fmt.Errorf("%q: %w", line, err))
		}
		if w.Answer != nil {
			o.Truth, err = g.Elo(entrant.Params)
			return o, err
		}
		for i := range spec.Tune.Params { // what is played, if one number must not be below another
			d := &spec.Tune.Params[i]
			if text, ok := values.Get(d.Name); ok && w.Ask != nil {
				w.Ask[d.Name] = d.Kind.Native(text)
			}
		}
		t := told{Tell: w.Ask, Blocks: min(w.Blocks, (games-o.Games)/first.Block)}
		if t.Blocks > 0 {
			tally, err := pool.Play(ctx, spec.Series(entrant, spec.BaselineEntrant, spec.Sampler.Seed, arena.Tune, block, block+t.Blocks), nil)
			if err != nil {
				return Outcome{}, err
			}
			block += t.Blocks
			o.Games += t.Blocks * first.Block
			o.Trials++
			seen := stats.Rotated(spec.Ruleset.Seats, tally.Entrants[0].Scores).Moments()
			t.Score = seen.Mean
			if seen.N > 1 {
				se := math.Sqrt(seen.Variance / float64(seen.N-1))
				t.Error = &se
			}
		}
		t.Left = games - o.Games
		if err := say(t); err != nil {
			return wrong(err)
		}
	}
	return wrong(errors.New("it asks on and on, and has no answer"))
}

// readWish reads a line of an optimiser.
func readWish(line string) (w wish, err error) {
	d := json.NewDecoder(bytes.NewReader([]byte(line)))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err = d.Decode(&w); err != nil {
		return w, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return w, errors.New("expected one object a line")
	}
	switch {
	case (w.Ask == nil) == (w.Answer == nil):
		return w, errors.New(`expected "ask" or "answer", with the parameters`)
	case w.Ask != nil && w.Blocks < 1:
		return w, fmt.Errorf("blocks: expected at least 1, got %d", w.Blocks)
	}
	return w, nil
}

// tunableOf describes a parameter.
func tunableOf(d *tuner.Dimension, baseline param.Values) tunable {
	t := tunable{Name: d.Name, Kind: d.Kind.String(), Choices: d.Choices}
	if d.Kind == param.Int || d.Kind == param.Float {
		low, high := d.Domain.Low, d.Domain.Top()
		t.Low, t.High, t.Step, t.Log = &low, &high, d.Domain.Step, d.Domain.Log
	}
	if text, ok := baseline.Get(d.Name); ok {
		t.Baseline = d.Kind.Native(text)
	}
	return t
}

// valuesOf returns the parameters of a line, each in its range.
func valuesOf(spec *tuner.Setup, given map[string]any) (param.Values, error) {
	space := spec.Tune.Params
	var out param.Values
	for i := range space {
		d := &space[i]
		x, ok := given[d.Name]
		if !ok {
			return nil, fmt.Errorf("%s: expected a value", d.Name)
		}
		text, err := d.Canonical(fmt.Sprint(x))
		if err != nil {
			return nil, err
		}
		out = append(out, param.Value{Name: d.Name, Text: text})
	}
	if len(given) > len(space) {
		return nil, fmt.Errorf("expected the %d parameters of the space, got %d", len(space), len(given))
	}
	return space.Activate(spec.Tune.Fix, space.Ordered(spec.Tune.Fix, out)), nil
}
