package studyfile

import (
	"bytes"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
)

// Form is a study as somebody fills it in: texts, of which those that are empty
// are left to the defaults. Read checks what Text makes of it.
type Form struct {
	Name, Doc, Game      string
	Rules                param.Values
	Strategy             string
	Fix                  param.Values
	Params               []FormParam
	Baseline             string
	Mode, Filler         string // of evaluate
	Metric               string // of a metric objective
	Trials, Games        string // of the budget
	Sampler, Seed, Batch string
	Race                 string // its method
	Gain, Proof          string // of the validation: Elo to prove, blocks at most
	Pool                 []string
	Limits               []FormLimit
	Begin                []param.Values // points to try first
	BeginFrom            string         // the study with whose games the search begins
}

// FormLimit is a bound on the mean of a metric; ratios are to the baseline's.
type FormLimit struct {
	Metric, Max, Min, MaxRatio string
}

// FormParam is a parameter to tune; bounds that are empty are those declared.
type FormParam struct {
	Name, Low, High, Step string
	Choices               []string
}

// Text is the form as a study file. Texts are quoted, so that nothing that is
// typed becomes another key.
func (f *Form) Text() (string, error) {
	var root, tune, evaluate, objective, budget, sampler, race, validation mapping
	root.text("version", strconv.Itoa(version))
	root.text("name", f.Name)
	root.text("doc", f.Doc)
	root.text("game", f.Game)
	root.values("rules", f.Rules)
	tune.text("strategy", f.Strategy)
	tune.values("fix", f.Fix)
	tune.params(f.Params)
	root.mapping("tune", tune)
	root.text("baseline", f.Baseline)
	if f.Mode != "" {
		evaluate.text("mode", f.Mode)
		evaluate.text("filler", f.Filler)
	}
	root.mapping("evaluate", evaluate)
	if f.Metric != "" {
		objective.text("of", "metric")
		objective.text("metric", f.Metric)
	}
	var limits []*yaml.Node
	for _, l := range f.Limits {
		var one mapping
		one.text("metric", l.Metric)
		one.text("max", l.Max)
		one.text("min", l.Min)
		one.text("max_ratio", l.MaxRatio)
		if len(one.nodes) > 2 {
			limits = append(limits, &yaml.Node{Kind: yaml.MappingNode, Content: one.nodes, Style: yaml.FlowStyle})
		}
	}
	objective.list("limits", limits, 0)
	root.mapping("objective", objective)
	var pool []*yaml.Node
	for _, e := range f.Pool {
		if e = strings.TrimSpace(e); e != "" {
			pool = append(pool, scalar(e))
		}
	}
	root.list("pool", pool, yaml.FlowStyle)
	budget.text("trials", f.Trials)
	budget.text("games", f.Games)
	root.mapping("budget", budget)
	sampler.text("name", f.Sampler)
	sampler.text("seed", f.Seed)
	sampler.text("batch", f.Batch)
	root.mapping("sampler", sampler)
	race.text("method", f.Race)
	root.mapping("race", race)
	if gain := strings.TrimSpace(f.Gain); gain != "" {
		validation.list("gain_elo", []*yaml.Node{scalar("0"), scalar(gain)}, yaml.FlowStyle)
	}
	validation.text("max_blocks", f.Proof)
	root.mapping("validation", validation)
	text, err := root.encoded()
	if err != nil || len(f.Begin) == 0 && f.BeginFrom == "" {
		return text, err
	}
	return BeginWith(text, f.Begin, strings.TrimSpace(f.BeginFrom))
}

// mapping is a YAML mapping being made. What is empty is left out.
type mapping struct{ nodes []*yaml.Node }

// encoded is the mapping as the text of a file.
func (m *mapping) encoded() (string, error) {
	if len(m.nodes) == 0 {
		return "", nil
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(&yaml.Node{Kind: yaml.MappingNode, Content: m.nodes}); err != nil {
		return "", err
	}
	return out.String(), e.Close()
}

func (m *mapping) add(key string, value *yaml.Node) {
	m.nodes = append(m.nodes, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
}

func (m *mapping) text(key, text string) {
	if text = strings.TrimSpace(text); text != "" {
		m.add(key, scalar(text))
	}
}

func (m *mapping) mapping(key string, value mapping) {
	if len(value.nodes) > 0 {
		m.add(key, &yaml.Node{Kind: yaml.MappingNode, Content: value.nodes})
	}
}

func (m *mapping) list(key string, items []*yaml.Node, style yaml.Style) {
	if len(items) > 0 {
		m.add(key, &yaml.Node{Kind: yaml.SequenceNode, Content: items, Style: style})
	}
}

// values writes a list of names and values, one a line.
func (m *mapping) values(key string, values param.Values) {
	var items []*yaml.Node
	for _, v := range values {
		var one mapping
		one.text("name", v.Name)
		one.text("value", v.Text)
		items = append(items, &yaml.Node{Kind: yaml.MappingNode, Content: one.nodes, Style: yaml.FlowStyle})
	}
	m.list(key, items, 0)
}

func (m *mapping) params(params []FormParam) {
	var items []*yaml.Node
	for _, p := range params {
		var one mapping
		one.text("name", p.Name)
		one.text("low", p.Low)
		one.text("high", p.High)
		one.text("step", p.Step)
		var choices []*yaml.Node
		for _, c := range p.Choices {
			choices = append(choices, scalar(c))
		}
		one.list("choices", choices, yaml.FlowStyle)
		items = append(items, &yaml.Node{Kind: yaml.MappingNode, Content: one.nodes})
	}
	m.list("params", items, 0)
}

// scalar is a text as a YAML scalar: numbers and switches plain, everything else
// quoted.
func scalar(text string) *yaml.Node {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if _, err := strconv.ParseFloat(text, 64); err == nil && !strings.ContainsAny(text, "xX_pPnNiI") || text == "true" || text == "false" {
		return &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: text, Tag: "!!str", Style: yaml.DoubleQuotedStyle}
}
