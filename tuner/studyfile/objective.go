package studyfile

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"sakusen/tuner"
	"sakusen/tuner/studyfile/yamlfile"
)

// mostObjectives bounds a Pareto objective: of more, nearly every candidate is
// on the front.
const mostObjectives = 4

// readObjective reads what a trial is worth.
func (s *draft) readObjective(m *yamlfile.Mapping) {
	n := m.Take("objective")
	o := m.Doc.Mapping(n, "objective")
	s.Objective.Of = o.OneOf("of", "score", "score", "metric", "pareto")
	list, weights := o.Nodes("objectives"), o.Nodes("weights")
	if s.Objective.Of == "pareto" {
		s.readObjectives(o, list, weights)
	} else {
		for _, key := range []string{"objectives", "weights"} {
			if o.Has(key) {
				o.Doc.Fail(o.Take(key), "objective."+key, "none without of: pareto", yamlfile.Describe(o.Take(key)))
			}
		}
	}
	s.readGoal(o, &s.Objective)
	for i, l := range o.Nodes("limits") {
		s.readLimit(o.Doc, l, fmt.Sprintf("objective.limits[%d]", i))
	}
	o.Done()
	if s.Ruleset == nil {
		return
	}
	scored := false
	for _, g := range s.Objective.Goals() {
		scored = scored || g.Of == "score"
	}
	if scored && s.Ruleset.Game.Unscored {
		m.Doc.Fail(yamlfile.First(n, m.Node), "objective.of", "metric, as "+s.Game+" has no score", s.Objective.Of)
	}
	if scored && !m.Has("baseline") && s.Evaluate == nil {
		m.Require("baseline", "an entrant: the frozen opponent")
	}
	s.readBase(m)
}

// readGoal reads the keys that say what one value is; of has been read.
func (s *draft) readGoal(o *yamlfile.Mapping, into *tuner.Objective) {
	metric := o.Take("metric")
	over := o.Take("over")
	into.Over = o.OneOf("over", "mean", "mean", "worst", "lower_bound")
	into.Goal = o.OneOf("goal", "", "minimize", "maximize")
	into.Relative = o.OneOf("relative", "false", "false", "true") == "true"
	if into.Of == "pareto" {
		for _, key := range []string{"metric", "goal", "relative", "over"} {
			if o.Has(key) {
				o.Doc.Fail(o.Take(key), o.Field(key), "none beside of: pareto: each of the objectives has its own", yamlfile.Describe(o.Take(key)))
			}
		}
		return
	}
	switch {
	case into.Of == "metric" && o.Require("metric", "the name of a metric"):
		into.Metric = metric.Value
		if s.Ruleset == nil {
			return
		}
		found, err := s.Ruleset.Metric(metric.Value)
		if err != nil {
			o.Doc.Fail(metric, o.Field("metric"), "a metric", err.Error())
		}
		if into.Goal == "" {
			into.Goal = "maximize"
			if found.Lower {
				into.Goal = "minimize"
			}
		}
		if into.Relative && found.Per != "" {
			o.Doc.Fail(o.Take("relative"), o.Field("relative"), "false: "+into.Metric+" is a ratio itself", "true")
		}
	case into.Of == "score" && metric != nil:
		o.Doc.Fail(metric, o.Field("metric"), "no metric of a score objective", yamlfile.Describe(metric))
	case into.Of == "score" && into.Goal != "":
		o.Doc.Fail(o.Take("goal"), o.Field("goal"), "no goal of a score objective", into.Goal)
	case into.Of == "score" && into.Relative:
		o.Doc.Fail(o.Take("relative"), o.Field("relative"), "false: a score is against the baseline as it is", "true")
	}
	if into.Over != "mean" && s.Evaluate != nil {
		o.Doc.Fail(over, o.Field("over"), "mean, as individuals of a pool are only compared", into.Over)
	}
}

// readObjectives reads those of a Pareto objective.
func (s *draft) readObjectives(o *yamlfile.Mapping, list, weights []*yaml.Node) {
	if !o.Require("objectives", "a list of two to four objectives") {
		return
	}
	if n := o.Take("objectives"); n.Kind == yaml.SequenceNode && (len(list) < 2 || len(list) > mostObjectives) {
		o.Doc.Fail(n, "objective.objectives", fmt.Sprintf("a list of 2 to %d objectives", mostObjectives), fmt.Sprintf("%d of them", len(list)))
	}
	seen := map[string]bool{}
	for i, n := range list {
		before, path := o.Doc.Mistakes(), fmt.Sprintf("objective.objectives[%d]", i)
		if n.Kind == yaml.ScalarNode {
			o.Doc.Fail(n, path, "a mapping, such as {of: score} or {of: metric, metric: NAME}", yamlfile.Describe(n))
			continue
		}
		m := o.Doc.Mapping(n, path)
		g := tuner.Objective{Of: m.OneOf("of", "score", "score", "metric")}
		s.readGoal(m, &g)
		m.Done()
		if seen[g.Name()] && o.Doc.Mistakes() == before {
			o.Doc.Fail(n, m.Path, "each objective once", g.Name()+" a second time")
		}
		seen[g.Name()] = true
		s.Objective.Objectives = append(s.Objective.Objectives, g)
	}
	if o.Has("weights") && len(weights) != len(list) {
		o.Fail("weights", fmt.Sprintf("%d weights, one an objective", len(list)), fmt.Sprintf("%d of them", len(weights)))
	}
	sum := 0.0
	for i, n := range weights {
		if w, ok := o.Doc.Number(n, fmt.Sprintf("objective.weights[%d]", i), 0, 1e9); ok {
			s.Objective.Weights = append(s.Objective.Weights, w)
			sum += w
		}
	}
	if !o.Has("weights") {
		s.Objective.Knee = tuner.KneeOfGains
	}
	if len(weights) > 0 && len(s.Objective.Weights) == len(weights) && sum == 0 {
		o.Fail("weights", "a weight above 0", "none")
	}
}

// readBase reads the entrant to which relative metrics are compared: the baseline, or the
// strategy with its defaults if the study has none.
func (s *draft) readBase(m *yamlfile.Mapping) {
	if !s.Relative() || m.Doc.Mistakes() > 0 {
		return
	}
	if err := s.Refer(); err != nil {
		m.Doc.Fail(m.Node, "baseline", "an entrant, which relative metrics are relative to", err.Error())
	}
}
