package study

import (
	"context"

	"slices"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// given is the points that are still to be tried: those of the study file first.
func given(ctx context.Context, st *Study) ([]param.Values, error) {
	all := st.Setup.Begin
	if r, ok := st.journal.record.(tuner.Receiver); ok {
		more, err := r.Given(ctx)
		if err != nil {
			return nil, err
		}
		all = append(slices.Clip(all), more...)
	}
	return all[min(st.tried, len(all)):], nil
}

// attrsOf marks the i-th of the points that are still to be tried.
func attrsOf(st *Study, i int) param.Values {
	return param.Values{{Name: tuner.AttrGiven, Text: strconv.Itoa(st.tried + i)}}
}

// markAsked counts the points that were asked.
func markAsked(st *Study, a *entry.Asked) {
	if text, ok := a.Attrs.Get(tuner.AttrGiven); ok {
		if n, err := strconv.Atoi(text); err == nil {
			st.tried = max(st.tried, n+1)
		}
	}
}
