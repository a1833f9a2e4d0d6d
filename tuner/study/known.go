package study

import (
	"context"
	"slices"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// known returns what the search's model knows of each parameter about a trial.
func known(ctx context.Context, st *Study, winner *tuner.Trial) ([]tuner.Known, error) {
	e, ok := st.proposer.(tuner.Explainer)
	if !ok {
		e, ok = st.explains, st.explains != nil
	}
	if !ok || winner == nil || st.Setup.Objective.Of != "score" || st.Setup.Evaluate != nil {
		return nil, nil
	}
	view, err := st.view()
	if err != nil {
		return nil, nil
	}
	at := st.Setup.Tune.Params.Shown(winner.Params)
	out, err := consult(ctx, st, "what it knows of each parameter", func() ([]tuner.Known, error) { return e.Explain(view, at), nil })
	for i := range out {
		qualify(&out[i], st.Setup, winner)
	}
	return out, err
}

// qualify says of what is known under which condition it counts, and whether it is anything.
func qualify(k *tuner.Known, s *tuner.Setup, winner *tuner.Trial) {
	at := slices.IndexFunc(s.Tune.Params, func(d tuner.Dimension) bool { return d.Name == k.Name })
	if at < 0 {
		return
	}
	d := &s.Tune.Params[at]
	var conditions []string
	for _, c := range s.Tune.Params.Given(s.Tune.Fix)[at].When {
		conditions = append(conditions, c.String())
	}
	k.When = strings.Join(conditions, " and ")
	_, active := winner.Params.Get(k.Name)
	k.Idle = !active
	k.Untold = k.Importance <= 2*k.Error && k.With == ""
	switch {
	case d.Kind == param.Bool || d.Kind == param.Choice:
		k.Untold = k.Untold && len(k.Same) == d.Points()
	default:
		low, high := d.Number(k.From), d.Number(k.To)
		k.Untold = k.Untold && low <= d.Domain.Low && high >= d.Domain.High
	}
}
