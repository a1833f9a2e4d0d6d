package studyfile

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// Proof is a study that searches nothing: it proves one parameter set, the answer of
// an earlier study, on new games.
type Proof struct {
	Name, Doc string
	Space     tuner.Space       // of the earlier study
	Answer    map[string]string // its parameters
	Blocks    int64             // of the validation, at most
	Games     int64             // in all, at most
}

// Text makes the file of a proof of the file of the earlier study: the same game,
// rules, baseline, objective and test, with all tuned parameters fixed but one, whose
// range is the one value.
func (p *Proof) Text(source string) (string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(source), &doc); err != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return "", fmt.Errorf("the file of the earlier study cannot be read")
	}
	root := doc.Content[0]
	at := slices.IndexFunc(p.Space, func(d tuner.Dimension) bool {
		return d.Kind != param.Bool && p.Answer[d.Name] != "" && len(d.When) == 0
	})
	if at < 0 {
		at = slices.IndexFunc(p.Space, func(d tuner.Dimension) bool { return d.Kind != param.Bool && p.Answer[d.Name] != "" })
	}
	if at < 0 {
		return "", fmt.Errorf("the answer has switches alone, and a study must tune something: run the study again with more games")
	}
	left := &p.Space[at]
	one, answer := FormParam{Name: left.Name}, left.Played(p.Answer[left.Name])
	if left.Kind == param.Choice {
		one.Choices = []string{answer}
	} else {
		one.Low, one.High = answer, answer
	}
	tune := child(root, "tune")
	fix := child(tune, "fix")
	if fix == nil {
		fix = &yaml.Node{Kind: yaml.SequenceNode}
	}
	var fixed, params, sampler, race, final, budget mapping
	var values param.Values
	for i := range p.Space {
		if text := p.Answer[p.Space[i].Name]; text != "" && i != at {
			values = append(values, param.Value{Name: p.Space[i].Name, Text: p.Space[i].Played(text)})
		}
	}
	fixed.values("fix", values)
	if len(fixed.nodes) > 0 {
		fix = &yaml.Node{Kind: yaml.SequenceNode, Content: append(slices.Clone(fix.Content), fixed.nodes[1].Content...)}
	}
	params.params([]FormParam{one})
	put(tune, "fix", fix)
	put(tune, "params", params.nodes[1])
	sampler.text("name", "quasi")
	sampler.text("batch", "1")
	race.text("method", "none")
	race.list("rungs", []*yaml.Node{scalar("8")}, yaml.FlowStyle)
	final.text("top", "1")
	budget.text("trials", "1")
	budget.text("games", strconv.FormatInt(p.Games, 10))
	for _, part := range []struct {
		key string
		of  mapping
	}{{"sampler", sampler}, {"race", race}, {"final", final}, {"budget", budget}} {
		put(root, part.key, &yaml.Node{Kind: yaml.MappingNode, Content: part.of.nodes})
	}
	for _, key := range []string{"evaluate", "begin", "begin_from"} {
		put(root, key, nil)
	}
	put(root, "name", scalar(p.Name))
	put(root, "doc", scalar(p.Doc))
	validation := child(root, "validation")
	if validation == nil {
		validation = &yaml.Node{Kind: yaml.MappingNode}
		put(root, "validation", validation)
	}
	put(validation, "max_blocks", scalar(strconv.FormatInt(p.Blocks, 10)))
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(root); err != nil {
		return "", err
	}
	return out.String(), e.Close()
}

// child is the value of a key of a mapping, nil where there is none.
func child(m *yaml.Node, key string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

// put sets the value of a key, or takes the key out where the value is nil.
func put(m *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value != key {
			continue
		}
		if value == nil {
			m.Content = slices.Delete(m.Content, i, i+2)
		} else {
			m.Content[i+1] = value
		}
		return
	}
	if value != nil {
		m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	}
}
