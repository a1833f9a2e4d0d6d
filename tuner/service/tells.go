package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/external/elsewhere"
	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/store"
)

// mostTold is the most blocks of a request with results, mostWorker the most bytes of a
// worker's name.
const mostTold, mostWorker = 1 << 16, 100

// heard is the results of one ask.
type heard struct {
	ask     *store.Ask
	series  arena.Series
	answers map[int64][]*elsewhere.Answer // by block, then by game
	workers map[int64]string
}

// Tell stores results of asks: all of them or, where one is wrong, none. It then runs the
// study on if no ask is open.
func (t *ExternalGames) Tell(ctx context.Context, name string, given Results) (*Accepted, error) {
	if n := len(given.Results); n < 1 || n > mostTold {
		return nil, New(Invalid, fmt.Sprintf("results: expected 1 to %d blocks, got %d", mostTold, n))
	}
	defer t.s.turns.take(name)()
	x, err := t.study(ctx, name)
	if err == nil {
		err = x.held("take results")
	}
	if err != nil {
		return nil, err
	}
	asks := map[int64]*heard{}
	var bad []string
	for i := range given.Results {
		b := &given.Results[i]
		if asks[b.Ask] == nil {
			a, err := t.s.store.Study(x.ID).Asks().One(ctx, b.Ask)
			if err != nil {
				return nil, err
			}
			asks[b.Ask] = &heard{ask: &a, answers: map[int64][]*elsewhere.Answer{}, workers: map[int64]string{}}
		}
		if err := t.hear(ctx, x, asks[b.Ask], b); err != nil {
			bad = append(bad, fmt.Sprintf("%s: %v", b.where(i), err))
		}
	}
	if len(bad) > 0 {
		return nil, New(Invalid, "the results have mistakes, so none of them is stored", bad...)
	}
	var runs []store.ToldRun
	var closed []int64
	for _, number := range slices.Sorted(maps.Keys(asks)) {
		h := asks[number]
		some, whole, err := t.runs(ctx, x, h)
		if err != nil {
			return nil, err
		}
		if runs = append(runs, some...); whole {
			closed = append(closed, h.ask.Number)
		}
	}
	slices.Sort(closed)
	if err := t.s.store.Study(x.ID).Asks().Tell(ctx, runs, closed); err != nil {
		return nil, err
	}
	open, err := t.forward(ctx, x)
	if err != nil {
		return nil, fmt.Errorf("the results are stored, but the study cannot continue: %w", err)
	}
	out := &Accepted{Study: name, Blocks: len(given.Results)}
	for i := range open {
		if !open[i].Asked.IsZero() {
			out.Open++
		}
	}
	out.State, out.Result, err = t.standing(ctx, name)
	return out, err
}

// hear checks the result of a block and adds it to those of its ask.
func (t *ExternalGames) hear(ctx context.Context, x *externalStudy, h *heard, b *BlockResult) error {
	if h.ask.Asked.IsZero() {
		return fmt.Errorf("ask %d: expected an ask that was handed out for study %s, got none of this number", b.Ask, x.Name)
	}
	if h.ask.Told {
		return fmt.Errorf("ask %d: all of its results have been told already", b.Ask)
	}
	if h.series.Ruleset == nil {
		s, err := x.series(x.setup.RulesetOf(h.ask.Phase), h.ask)
		if err != nil {
			return err
		}
		h.series = s
		for r, err := range (&tuner.CachedHost{Blocks: t.s.store.Blocks()}).Stored(ctx, s) {
			if err != nil {
				return err
			}
			for i := range int64(r.Blocks) {
				h.answers[r.From+i] = nil
			}
		}
	}
	if b.Block < h.ask.From || b.Block >= h.ask.To {
		return fmt.Errorf("block: expected one of ask %d, %d to %d, got %d", b.Ask, h.ask.From, h.ask.To-1, b.Block)
	}
	if _, known := h.answers[b.Block]; known {
		return fmt.Errorf("block %d of ask %d has been told already", b.Block, b.Ask)
	}
	if len(b.Worker) > mostWorker || !plain.Is(b.Worker) || strings.ContainsAny(b.Worker, "\n\t") {
		return fmt.Errorf("worker: expected a name of at most %d bytes without control characters, got %.120q", mostWorker, b.Worker)
	}
	if err := x.samePlayers(h, b); err != nil {
		return err
	}
	seats := x.setup.Ruleset.Seats
	games := seats
	if arena.AllEqual(h.series.Entrants) {
		games = 1
	}
	if len(b.Games) != games {
		return fmt.Errorf("games: expected %d, as asked for, got %d", games, len(b.Games))
	}
	var answers []*elsewhere.Answer
	for i, g := range b.Games {
		// Spaces that a client or a proxy puts between words change no result, and so
		// no digest.
		var told bytes.Buffer
		if err := json.Compact(&told, g); err != nil {
			return fmt.Errorf("games[%d]: expected JSON, got %.80q (%w)", i, g, err)
		}
		a, err := elsewhere.ParseTold(told.String(), seats, x.setup.Tune.Metrics)
		if err != nil {
			return fmt.Errorf("games[%d]: %w", i, err)
		}
		answers = append(answers, a)
	}
	h.answers[b.Block], h.workers[b.Block] = answers, b.Worker
	return nil
}

// samePlayers returns an error if other parameters were played than the ask has.
func (x *externalStudy) samePlayers(h *heard, b *BlockResult) error {
	if len(b.Params) != len(h.series.Entrants) {
		return fmt.Errorf("params: expected those of %d entrants, as asked for, got %d", len(h.series.Entrants), len(b.Params))
	}
	for i, e := range h.series.Entrants {
		space, err := x.setup.Ruleset.Space(e.Strategy)
		if err != nil {
			return err
		}
		for _, v := range e.Params {
			given, ok := b.Params[i][v.Name]
			if !ok {
				return fmt.Errorf("params[%d].%s: expected %s, as asked for, got nothing", i, v.Name, v.Text)
			}
			text := string(given)
			if text != "" && text[0] == '"' && json.Unmarshal(given, &text) != nil {
				text = string(given)
			}
			for j := range space {
				if space[j].Name == v.Name {
					if canonical, err := space[j].Canonical(text); err == nil {
						text = canonical
					}
				}
			}
			if text != v.Text {
				return fmt.Errorf("params[%d].%s: expected %s, as asked for, got %.80s", i, v.Name, v.Text, text)
			}
		}
		if len(b.Params[i]) != len(e.Params) {
			for name := range b.Params[i] {
				if _, ok := e.Params.Get(name); !ok {
					return fmt.Errorf("params[%d]: expected the parameters that were asked for, got %.80q as well", i, name)
				}
			}
		}
	}
	return nil
}

// runs returns the blocks of an ask that have results, as runs of the study's game, and
// whether these are all of its blocks.
func (t *ExternalGames) runs(ctx context.Context, x *externalStudy, h *heard) (out []store.ToldRun, whole bool, err error) {
	game, err := x.setup.Declaration().Game(func(block int64, rotation int) (*elsewhere.Answer, bool) {
		answers := h.answers[block]
		if rotation >= len(answers) {
			return nil, false
		}
		return answers[rotation], true
	})
	if err != nil {
		return nil, false, err
	}
	rules, err := game.OpenRules(x.setup.Rules)
	if err != nil {
		return nil, false, err
	}
	s, err := x.series(rules, h.ask)
	if err != nil {
		return nil, false, err
	}
	key, err := (&tuner.CachedHost{}).Key(ctx, &s)
	if err != nil {
		return nil, false, err
	}
	pool := arena.NewPool(1)
	for block := h.ask.From; block < h.ask.To; block++ {
		if h.answers[block] == nil {
			continue
		}
		s.From, s.To = block, block+1
		_, err := pool.Play(ctx, s, func(r *arena.Run) error {
			r.Worker = h.workers[block]
			if err := game.Possible(r); err != nil {
				return err
			}
			if n := len(out) - 1; n >= 0 && out[n].Run.Worker == r.Worker && out[n].Run.From+int64(out[n].Run.Blocks) == r.From {
				out[n].Run.Join(r)
			} else {
				out = append(out, store.ToldRun{Key: key, Run: r})
			}
			return nil
		})
		if err != nil {
			return nil, false, err
		}
	}
	return out, int64(len(h.answers)) == h.ask.To-h.ask.From, nil
}

// where returns the place of a result for messages: its line, or its index.
func (b *BlockResult) where(i int) string {
	if b.Line > 0 {
		return fmt.Sprintf("line %d", b.Line)
	}
	return fmt.Sprintf("results[%d]", i)
}

// ParseTold reads results, a JSON document a line; empty lines are skipped.
func ParseTold(text []byte) ([]BlockResult, error) {
	var out []BlockResult
	var bad []string
	for i, line := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var b BlockResult
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		err := d.Decode(&b)
		if err == nil && d.More() {
			err = errors.New("expected one JSON document in each line")
		}
		if err != nil {
			bad = append(bad, fmt.Sprintf("line %d: expected {\"ask\": ..., \"block\": ..., \"params\": [...], \"games\": [...]}: %.200s", i+1, err))
			continue
		}
		b.Line = i + 1
		out = append(out, b)
	}
	if len(bad) > 0 {
		return nil, New(Invalid, "the results have mistakes, so none of them is stored", bad...)
	}
	return out, nil
}
