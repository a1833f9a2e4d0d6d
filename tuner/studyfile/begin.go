package studyfile

import (
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
	"sakusen/tuner/studyfile/yamlfile"
)

// mostBegin bounds the points that are tried first.
const mostBegin = 256

// readBegin reads the points that are tried first, and the study with whose games the
// search begins.
func (s *draft) readBegin(m *yamlfile.Mapping) {
	points, from := m.Nodes("begin"), m.Take("begin_from")
	s.BeginFrom = m.Text("begin_from", "")
	if m.Doc.Mistakes() > 0 || len(points) == 0 && from == nil {
		return
	}
	refuse := func(n *yaml.Node, key, want string) { m.Doc.Fail(n, key, want, "sampler "+s.Sampler.Name) }
	switch {
	case s.Evaluate != nil:
		m.Fail(first(from, "begin_from", "begin"), "none with evaluate: {mode: pool}, whose generations are the sampler's", "one")
		return
	case from != nil && s.BeginFrom == s.Name:
		m.Fail("begin_from", "an earlier study, with another name than this one", s.Name)
		return
	case from != nil && s.Pareto():
		m.Fail("begin_from", "none with several objectives, whose games no model takes together", s.BeginFrom)
		return
	case from != nil && !s.traits.Learns:
		refuse(from, "begin_from", "a sampler that learns from games that others asked for: surface or tpe")
		return
	case len(points) > 0 && !s.traits.Begins:
		refuse(m.Take("begin"), "begin", "a sampler that can try points of others: surface, tpe, uniform, quasi, grid, goptuna-random or goptuna-tpe")
		return
	case len(points) > mostBegin:
		m.Fail("begin", fmt.Sprintf("at most %d points", mostBegin), fmt.Sprint(len(points)))
		return
	}
	for i, n := range points {
		s.readPoint(m.Doc, n, fmt.Sprintf("begin[%d]", i))
	}
	if b := s.Budget.Trials; m.Doc.Mistakes() == 0 && len(s.Begin) > b {
		m.Fail("begin", fmt.Sprintf("at most budget.trials points, which is %d", b), fmt.Sprint(len(s.Begin)))
	}
}

// first is the first key if its node is there, else the second.
func first(n *yaml.Node, one, other string) string {
	if n != nil {
		return one
	}
	return other
}

// readPoint reads one point, {parameter: value, ...}.
func (s *draft) readPoint(d *yamlfile.Document, n *yaml.Node, field string) {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		d.Fail(n, field, "a point such as {"+s.Tune.Params[0].Name+": "+s.Tune.Params[0].Default+"}", yamlfile.Describe(n))
		return
	}
	var named param.Values
	at := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		if value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
			d.Fail(value, field+"."+name, "a value", yamlfile.Describe(value))
			return
		}
		named = append(named, param.Value{Name: name, Text: value.Value})
		at[name] = n.Content[i]
	}
	point, err := s.Point(named)
	if err != nil {
		node := n
		if bad := (*param.Error)(nil); errors.As(err, &bad) && at[bad.Name] != nil {
			node = at[bad.Name]
		}
		d.Declared(node, field, err)
		return
	}
	active := func(v param.Values) string { return s.Tune.Params.Activate(s.Tune.Fix, v).Hash() }
	if slices.ContainsFunc(s.Begin, func(v param.Values) bool { return active(v) == active(point) }) {
		d.Fail(n, field, "each point once", "the same point a second time: "+point.String())
		return
	}
	s.Begin = append(s.Begin, point)
}
