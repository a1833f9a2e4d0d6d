package service

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/export/optuna"
	"sakusen/tuner/foreign"
	"sakusen/tuner/store"
)

// foreignBest is the best trial of a study that another program keeps; nil where there is
// none, or where the file cannot be read.
func (s *Service) foreignBest(l store.Listing) *StudyBest {
	t, found, err := store.BestTrial(context.Background(), s.store, l.ID)
	if err != nil || !found {
		return nil
	}
	return &StudyBest{Trial: t.Number, What: "best", Value: &t.Value}
}

// foreignExported is a file of a study that another program keeps: all trials for Optuna,
// or the best one's parameters.
func (s *Service) foreignExported(ctx context.Context, d store.Details, format string, force bool) ([]byte, error) {
	switch {
	case strings.HasPrefix(format, FrontPrefix):
		return nil, nothing(fmt.Sprintf("study %q has one objective, so no front to export", d.Name))
	case !force:
		return nil, &Error{Code: Refused, Reason: Unproven, Message: fmt.Sprintf("study %q: a program keeps it with Goptuna's API and it has no validation, so nothing is exported", d.Name)}
	case ForOptuna(format):
		study := &optuna.Study{Name: d.Name, Directions: []string{string(d.Direction)}, Objectives: []string{"value"}, Attrs: map[string]string{"state": string(d.State)}}
		return optunaTrials(ctx, s, study, d, format)
	}
	best, found, err := store.BestTrial(ctx, s.store, d.ID)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, nothing(fmt.Sprintf("study %q has no complete trial to export", d.Name))
	}
	space := tuner.SpaceOf(best.Distributions)
	t, err := trialOf(best, space)
	if err != nil {
		return nil, err
	}
	doc := &export.Document{
		Study: d.Name, Foreign: true, Params: t.Params, Objective: &export.Goal{Name: "value", Goal: string(d.Direction), Claimed: &best.Value},
		Provenance: export.Provenance{Created: d.Created.UTC().Format(time.RFC3339)},
	}
	for _, p := range space {
		if text, ok := t.Params[p.Name]; ok {
			doc.Values = append(doc.Values, export.Value{Value: param.Value{Name: p.Name, Text: text}, Kind: p.Kind})
			doc.Tuned = append(doc.Tuned, foreign.Tuned{Param: p.Native(), Value: text})
		}
	}
	var out bytes.Buffer
	err = Wrap(Invalid, export.Write(&out, format, doc))
	return out.Bytes(), err
}
