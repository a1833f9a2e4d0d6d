package tuner

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// mostObjectives bounds a Pareto objective: of more, nearly every candidate is
// on the front.
const mostObjectives = 4

// readObjective reads what a trial is worth.
func (s *draft) readObjective(m *mapping) {
	n := m.take("objective")
	o := m.r.mapping(n, "objective")
	s.Objective.Of = o.oneOf("of", "score", "score", "metric", "pareto")
	list, weights := o.list("objectives"), o.list("weights")
	if s.Objective.Of == "pareto" {
		s.readObjectives(o, list, weights)
	} else {
		for _, key := range []string{"objectives", "weights"} {
			if o.has(key) {
				o.r.fail(o.take(key), "objective."+key, "none without of: pareto", describe(o.take(key)))
			}
		}
	}
	s.readGoal(o, &s.Objective)
	for i, l := range o.list("limits") {
		s.readLimit(o.r, l, fmt.Sprintf("objective.limits[%d]", i))
	}
	o.done()
	if s.Ruleset == nil {
		return
	}
	scored := false
	for _, g := range s.Objective.goals() {
		scored = scored || g.Of == "score"
	}
	if scored && s.Ruleset.Game.Unscored {
		m.r.fail(cmpNode(n, m.node), "objective.of", "metric, as "+s.Game+" has no score", s.Objective.Of)
	}
	if scored && !m.has("baseline") && s.Evaluate == nil {
		m.require("baseline", "an entrant: the frozen opponent")
	}
	s.readBase(m)
}

// readGoal reads the keys that say what one value is; of has been read.
func (s *draft) readGoal(o *mapping, into *Objective) {
	metric := o.take("metric")
	over := o.take("over")
	into.Over = o.oneOf("over", "mean", "mean", "worst", "lower_bound")
	into.Goal = o.oneOf("goal", "", "minimize", "maximize")
	into.Relative = o.oneOf("relative", "false", "false", "true") == "true"
	if into.Of == "pareto" {
		for _, key := range []string{"metric", "goal", "relative", "over"} {
			if o.has(key) {
				o.r.fail(o.take(key), o.field(key), "none beside of: pareto: each of the objectives has its own", describe(o.take(key)))
			}
		}
		return
	}
	switch {
	case into.Of == "metric" && o.require("metric", "the name of a metric"):
		into.Metric = metric.Value
		if s.Ruleset == nil {
			return
		}
		found, err := s.Ruleset.Metric(metric.Value)
		if err != nil {
			o.r.fail(metric, o.field("metric"), "a metric", err.Error())
		}
		if into.Goal == "" {
			into.Goal = "maximize"
			if found.Lower {
				into.Goal = "minimize"
			}
		}
		if into.Relative && found.Per != "" {
			o.r.fail(o.take("relative"), o.field("relative"), "false: "+into.Metric+" is a ratio itself", "true")
		}
	case into.Of == "score" && metric != nil:
		o.r.fail(metric, o.field("metric"), "no metric of a score objective", describe(metric))
	case into.Of == "score" && into.Goal != "":
		o.r.fail(o.take("goal"), o.field("goal"), "no goal of a score objective", into.Goal)
	case into.Of == "score" && into.Relative:
		o.r.fail(o.take("relative"), o.field("relative"), "false: a score is against the baseline as it is", "true")
	}
	if into.Over != "mean" && s.Evaluate != nil {
		o.r.fail(over, o.field("over"), "mean, as individuals of a pool are only compared", into.Over)
	}
}

// readObjectives reads those of a Pareto objective.
func (s *draft) readObjectives(o *mapping, list, weights []*yaml.Node) {
	if !o.require("objectives", "a list of two to four objectives") {
		return
	}
	if n := o.take("objectives"); n.Kind == yaml.SequenceNode && (len(list) < 2 || len(list) > mostObjectives) {
		o.r.fail(n, "objective.objectives", fmt.Sprintf("a list of 2 to %d objectives", mostObjectives), fmt.Sprintf("%d of them", len(list)))
	}
	seen := map[string]bool{}
	for i, n := range list {
		m, before := o.r.mapping(n, fmt.Sprintf("objective.objectives[%d]", i)), len(o.r.errs)
		g := Objective{Of: m.oneOf("of", "score", "score", "metric")}
		s.readGoal(m, &g)
		m.done()
		if seen[g.Name()] && len(o.r.errs) == before {
			o.r.fail(n, m.path, "each objective once", g.Name()+" a second time")
		}
		seen[g.Name()] = true
		s.Objective.Objectives = append(s.Objective.Objectives, g)
	}
	if o.has("weights") && len(weights) != len(list) {
		o.r.fail(o.take("weights"), "objective.weights", fmt.Sprintf("%d weights, one an objective", len(list)), fmt.Sprintf("%d of them", len(weights)))
	}
	sum := 0.0
	for i, n := range weights {
		if w, ok := o.r.number(n, fmt.Sprintf("objective.weights[%d]", i), 0, 1e9); ok {
			s.Objective.Weights = append(s.Objective.Weights, w)
			sum += w
		}
	}
	if len(weights) > 0 && len(s.Objective.Weights) == len(weights) && sum == 0 {
		o.r.fail(o.take("weights"), "objective.weights", "a weight above 0", "none")
	}
}

// readBase settles what relative metrics are relative to: the baseline, or the
// strategy with its defaults where the study has none.
func (s *draft) readBase(m *mapping) {
	if !s.relative() || len(m.r.errs) > 0 {
		return
	}
	if err := s.refer(); err != nil {
		m.r.fail(m.node, "baseline", "an entrant, which relative metrics are relative to", err.Error())
	}
}
