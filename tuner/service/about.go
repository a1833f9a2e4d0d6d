package service

import (
	"context"
	"encoding/json"

	"sakusen/tuner"
	"sakusen/tuner/store"
)

// About is what pages say of a study beside what the API lists: what it asks, and
// what came of it.
type About struct {
	Doc        string
	Objective  tuner.Objective
	Validation tuner.ValidationSpec
	Pooled     bool
	Seats      int           // of the game, where the values of a study without a result are scores against its baseline
	Result     *tuner.Result // without lists; nil before the end
}

// aboutOf reads it from a study's record. A record that cannot be read says
// nothing.
func aboutOf(l store.Listing) About {
	var spec struct {
		Doc        string               `json:"doc"`
		Objective  tuner.Objective      `json:"objective"`
		Validation tuner.ValidationSpec `json:"validation"`
		Evaluate   *json.RawMessage     `json:"evaluate"`
	}
	var out About
	if l.Brief != nil && json.Unmarshal(l.Brief, &spec) == nil {
		out = About{Doc: spec.Doc, Objective: spec.Objective, Validation: spec.Validation, Pooled: spec.Evaluate != nil && string(*spec.Evaluate) != "null"}
	}
	if l.Summary != nil {
		r := new(tuner.Result)
		if json.Unmarshal(l.Summary, r) == nil {
			out.Result = r
		}
	}
	return out
}

// StudyFilter says which studies are looked for.
type StudyFilter = store.Filter

// Outcomes are what becomes of studies.
func Outcomes() []string { return store.Outcomes() }

// Sorted tells whether studies can be sorted so.
func Sorted(by string) bool { return store.Sorted(by) }

// Found are studies that were looked for.
type Found struct {
	Studies  []Study
	Outcomes map[string]int // of the studies that are found in every outcome
	Games    map[string]int // of all studies
}

// Find lists the studies that a filter lets through, with the counts of others.
func (t *Studies) Find(ctx context.Context, f StudyFilter) (*Found, error) {
	page, err := t.s.store.Studies.Find(ctx, f)
	if err != nil {
		return nil, err
	}
	out := &Found{}
	if out.Studies, err = t.lines(ctx, page); err != nil {
		return nil, err
	}
	out.Outcomes, out.Games, err = t.s.store.Studies.Count(ctx, f)
	return out, err
}
