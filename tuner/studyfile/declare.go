package studyfile

import (
	"fmt"
	"math"
	"regexp"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/external/elsewhere"
	"sakusen/engines/param"
	"sakusen/tuner/studyfile/yamlfile"
)

// declaring are the keys of tune by which a file declares a program that nobody here
// runs.
var declaring = []string{"declare", "others", "metrics"}

// programName is what a declared program may be called.
var programName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,99}$`)

// mostDeclared bounds the parameters of a program, mostOthers its opponents.
const mostDeclared, mostOthers = 1000, 256

// readDeclared reads the program that a file declares, if it does, and returns the
// game of it in place of all others, and false where the declaration has mistakes.
func (s *draft) readDeclared(m *yamlfile.Mapping, games arena.Catalogue) (_ arena.Catalogue, sound bool) {
	n := m.Take("tune")
	if !hasKey(n, "declare") {
		for _, key := range declaring[1:] {
			if hasKey(n, key) {
				m.Doc.Fail(n, "tune."+key, "tune.declare beside it: both are of programs that play elsewhere", "none")
			}
		}
		return games, true
	}
	t := m.Doc.Mapping(n, "tune")
	s.tuned = t
	before := m.Doc.Mistakes()
	if g := m.Take("game"); g != nil && g.Value != elsewhere.Name {
		m.Fail("game", elsewhere.Name+", the game of programs that a study file declares", yamlfile.Describe(g))
	}
	d := &elsewhere.Declaration{Study: s.Name}
	if strategy := t.Take("strategy"); strategy != nil && strategy.Kind == yaml.ScalarNode {
		d.Strategy = strategy.Value
	}
	if d.Strategy != "" && !programName.MatchString(d.Strategy) {
		t.Fail("strategy", "a letter, then letters, digits, _ . and -", fmt.Sprintf("%.120q", d.Strategy))
	}
	nodes := t.Nodes("declare")
	if len(nodes) == 0 || len(nodes) > mostDeclared {
		t.Fail("declare", fmt.Sprintf("1 to %d parameters", mostDeclared), fmt.Sprint(len(nodes)))
		return games, false
	}
	for i, p := range nodes {
		d.Params = append(d.Params, readParameter(m.Doc, p, fmt.Sprintf("tune.declare[%d]", i)))
	}
	d.Others = names(t, "others", mostOthers)
	d.Metrics = names(t, "metrics", elsewhere.Metrics)
	if m.Doc.Mistakes() > before || d.Strategy == "" {
		return games, false
	}
	g, err := d.Game(nil)
	if err != nil {
		t.Fail("declare", "a program with its parameters", err.Error())
		return games, false
	}
	s.Tune.Declare, s.Tune.Others, s.Tune.Metrics = d.Params, d.Others, d.Metrics
	return arena.Catalogue{g}, true
}

// readParameter reads a declared parameter.
func readParameter(doc *yamlfile.Document, n *yaml.Node, field string) param.Declared {
	m := doc.Mapping(n, field)
	before := doc.Mistakes()
	p := param.Declared{Name: m.Text("name", ""), Doc: m.Text("doc", ""), Default: param.Text(m.Text("default", ""))}
	p.Kind = m.OneOf("kind", "float", "int", "float", "bool", "choice")
	p.Low = m.Float("low", 0, -math.MaxFloat64, math.MaxFloat64)
	p.High = m.Float("high", 0, -math.MaxFloat64, math.MaxFloat64)
	p.Step = m.Float("step", 0, 0, math.MaxFloat64)
	p.Log = m.Bool("log")
	for _, c := range m.Nodes("choices") {
		p.Choices = append(p.Choices, c.Value)
	}
	if p.Kind == "int" || p.Kind == "float" {
		m.Require("low", "the lower end of its range")
		m.Require("high", "the upper end of its range")
	}
	m.Require("name", "the name of a parameter")
	m.Require("default", "the value that the program has now")
	m.Done()
	if doc.Mistakes() > before {
		return p
	}
	if err := p.Check(); err != nil {
		doc.Fail(n, field, "a parameter", err.Error())
	}
	return p
}

// names reads a list of names.
func names(t *yamlfile.Mapping, key string, most int) []string {
	var out []string
	for _, n := range t.Nodes(key) {
		if n.Kind != yaml.ScalarNode || !programName.MatchString(n.Value) {
			t.Doc.Fail(n, t.Field(key), "names of a letter, then letters, digits, _ . and -", yamlfile.Describe(n))
			continue
		}
		out = append(out, n.Value)
	}
	if len(out) > most {
		t.Fail(key, fmt.Sprintf("at most %d names", most), fmt.Sprint(len(out)))
	}
	return out
}

// hasKey tells whether a node is a mapping with a key.
func hasKey(n *yaml.Node, key string) bool {
	for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}
