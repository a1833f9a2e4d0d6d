package service

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/store"
)

// lineOf is a study in a list.
func lineOf(l store.Listing) Study {
	return Study{
		ID: l.ID, Study: l.Name, State: string(l.State), Message: l.Message, Interrupted: l.Interrupted && l.Message != tuner.AwaitedMessage, Priority: l.Priority,
		Game: l.Game, Strategy: l.Strategy, Baseline: l.Baseline,
		Trials: l.Trials, MaxTrials: l.BudgetTrials, Games: l.Games, MaxGames: l.BudgetGames,
		Created: l.Created.UTC().Format(time.RFC3339), Updated: l.Updated.UTC().Format(time.RFC3339),
		Best: storedBest(l), About: aboutOf(l), Foreign: l.Foreign,
	}
}

// trialsOf are trials as they are shown.
func trialsOf(trials []goptuna.FrozenTrial, space tuner.Space) ([]Trial, error) {
	out := make([]Trial, 0, len(trials))
	for _, t := range trials {
		line, err := trialOf(t, space)
		if err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, nil
}

// trialOf is a trial as it is shown. An empty space is that of its own distributions.
func trialOf(t goptuna.FrozenTrial, space tuner.Space) (Trial, error) {
	line := Trial{Number: t.Number, State: strings.ToLower(t.State.String()), Params: map[string]string{}, Values: map[string]any{}, Rungs: []Rung{}, Attrs: t.UserAttrs}
	if t.State == goptuna.TrialStateComplete || t.State == goptuna.TrialStatePruned {
		line.Value = &t.Value
	}
	for _, blocks := range slices.Sorted(maps.Keys(t.IntermediateValues)) {
		line.Blocks = blocks
		line.Rungs = append(line.Rungs, Rung{Blocks: blocks, Value: t.IntermediateValues[blocks]})
	}
	if len(space) == 0 {
		space = tuner.SpaceOf(t.Distributions)
	}
	for i := range space {
		p := &space[i]
		if internal, ok := t.InternalParams[p.Name]; ok {
			text, err := p.External(p.Distribution(false), internal)
			if err != nil {
				return line, fmt.Errorf("trial %d: %w", t.Number, err)
			}
			line.Params[p.Name], line.Values[p.Name] = text, p.Kind.Native(text)
		}
	}
	return line, nil
}
