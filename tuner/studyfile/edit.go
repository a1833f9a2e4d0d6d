package studyfile

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/studyfile/yamlfile"
)

// Edit is a study file that is written, or changed, key by key. Texts are quoted, so that
// nothing that is typed becomes another key; Read checks what comes out.
type Edit struct {
	root  *yaml.Node
	plain bool // words are written without quotation marks, parameters in one line each
}

// NewEdit returns a file of no keys but its version.
func NewEdit() *Edit {
	e := &Edit{root: &yaml.Node{Kind: yaml.MappingNode}}
	e.Set("version", strconv.Itoa(version))
	return e
}

// editOf returns a file to be changed; it is nil where the text is no mapping.
func editOf(text string) *Edit {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	return &Edit{root: doc.Content[0]}
}

// Set writes a value at a path such as tune.params[0].low; an empty text writes nothing. What
// the path goes through is made where it is not there; an item of a list is appended.
func (e *Edit) Set(path, text string) {
	at := max(strings.LastIndexByte(path, '.'), strings.LastIndexByte(path, '['))
	if strings.HasSuffix(path, "]") {
		if text = strings.TrimSpace(text); text != "" {
			list := e.node(path[:at], yaml.SequenceNode)
			list.Style = yaml.FlowStyle
			list.Content = append(list.Content, e.scalar(text))
		}
		return
	}
	e.entry(path[:max(0, at)], path[at+1:], text)
}

// entry writes a value of a name, which may have dots, in the mapping at a path.
func (e *Edit) entry(path, name, text string) {
	if text = strings.TrimSpace(text); text != "" {
		e.exact(path, name, text)
	}
}

// exact writes a value as it is, be it empty or with blanks at its ends.
func (e *Edit) exact(path, name, text string) {
	set(e.node(path, yaml.MappingNode), name, e.scalar(text))
}

// Values appends names with values to the list at a path.
func (e *Edit) Values(path string, values param.Values) {
	for _, v := range values {
		item := fmt.Sprintf("%s[%d]", path, len(e.node(path, yaml.SequenceNode).Content))
		e.exact(item, "name", v.Name)
		e.exact(item, "value", v.Text)
	}
}

// Point writes the i-th of the points that are tried first.
func (e *Edit) Point(i int, p param.Values) {
	for _, v := range p {
		e.exact(fmt.Sprintf("begin[%d]", i), v.Name, v.Text)
	}
}

var pathStep = regexp.MustCompile(`[^.\[\]]+`)

// node returns the mapping or list at a path, which is made where it is not there.
func (e *Edit) node(path string, kind yaml.Kind) *yaml.Node {
	n := e.root
	for _, step := range pathStep.FindAllString(path, -1) {
		var next *yaml.Node
		if i, err := strconv.Atoi(step); err == nil {
			if n.Kind = yaml.SequenceNode; i == len(n.Content) {
				n.Content = append(n.Content, &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle})
			}
			next = n.Content[i]
			if strings.HasPrefix(path, "tune.params[") && !e.plain {
				next.Style = 0
			}
		} else if n.Kind = yaml.MappingNode; yamlfile.Child(n, step) == nil {
			next = &yaml.Node{}
			set(n, step, next)
		} else {
			next = yamlfile.Child(n, step)
		}
		n = next
	}
	n.Kind = kind
	return n
}

// Text returns the text of the file.
func (e *Edit) Text() (string, error) {
	if len(e.root.Content) == 0 {
		return "", nil
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	err := encoder.Encode(e.root)
	return out.String(), errors.Join(err, encoder.Close())
}

// set sets the value of a key, or takes the key out where the value is nil.
func set(m *yaml.Node, key string, value *yaml.Node) {
	at := 0
	for at < len(m.Content) && m.Content[at].Value != key {
		at += 2
	}
	switch {
	case value == nil:
		m.Content = slices.Delete(m.Content, at, min(at+2, len(m.Content)))
	case at < len(m.Content):
		m.Content[at+1] = value
	default:
		m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	}
}

// Written returns what a study file says, by the paths of its keys: lists of plain values in one
// line, items of other lists by their names, and of a tuned parameter its range or its choices. It
// has nothing of a text that is no file.
func Written(text string) map[string]string {
	out := map[string]string{}
	if e := editOf(text); e != nil {
		written("", e.root, out)
	}
	return out
}

func written(path string, n *yaml.Node, into map[string]string) {
	switch n.Kind {
	case yaml.ScalarNode, yaml.AliasNode: // an alias by its name: it may go in a circle
		into[path] = n.Value
	case yaml.MappingNode:
		if strings.HasPrefix(path, "tune.params[") {
			into[path] = rangeOf(n)
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			written(strings.TrimPrefix(path+"."+n.Content[i].Value, "."), n.Content[i+1], into)
		}
	case yaml.SequenceNode:
		var plain []string
		for i, item := range n.Content {
			name, value := yamlfile.Child(item, "name"), yamlfile.Child(item, "value")
			switch {
			case item.Kind == yaml.ScalarNode:
				plain = append(plain, item.Value)
			case name == nil:
				written(fmt.Sprintf("%s[%d]", path, i), item, into)
			case value != nil:
				into[path+"["+name.Value+"]"] = value.Value
			default:
				written(path+"["+name.Value+"]", item, into)
			}
		}
		if plain != nil {
			into[path] = strings.Join(plain, ", ")
		}
	}
}

// rangeOf returns what a file says of a tuned parameter, in words.
func rangeOf(n *yaml.Node) string {
	var parts []string
	for _, key := range []string{"low", "high", "step", "log", "int_scale", "choices"} {
		if v := yamlfile.Child(n, key); v != nil {
			word := map[string]string{"low": "from ", "high": "to ", "choices": ""}
			text, ok := word[key]
			if !ok {
				text = key + " "
			}
			values := []string{v.Value}
			for i, c := range v.Content {
				values = append(values[:i], c.Value)
			}
			parts = append(parts, text+strings.Join(values, ", "))
		}
	}
	if parts == nil {
		return "as declared"
	}
	return strings.Join(parts, " ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)

// scalar returns a text as a YAML scalar: numbers and switches plain, everything else
// quoted, but for words that are to be plain and can be.
func (e *Edit) scalar(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: strings.ToValidUTF8(text, "\uFFFD")}
	if _, err := strconv.ParseFloat(text, 64); err == nil && !strings.ContainsAny(text, "xX_pPnNiI") || text == "true" || text == "false" {
		return n
	}
	if n.Tag = "!!str"; !e.plain || !plainWord.MatchString(text) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

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
	e := editOf(source)
	if e == nil {
		return "", fmt.Errorf("the file of the earlier study cannot be read")
	}
	at := -1 // the first that is always active, or else the first
	for i, d := range p.Space {
		if _, active := p.Answer[d.Name]; active && d.Kind != param.Bool && (at < 0 || len(p.Space[at].When) > 0 && len(d.When) == 0) {
			at = i
		}
	}
	if at < 0 {
		return "", fmt.Errorf("the answer has switches alone, and a study must tune something: run the study again with more games")
	}
	for i := range p.Space {
		d := &p.Space[i]
		if text, active := p.Answer[d.Name]; active && i != at {
			e.Values("tune.fix", param.Values{{Name: d.Name, Text: d.Played(text)}})
		}
	}
	left := &p.Space[at]
	answer := left.Played(p.Answer[left.Name])
	for _, path := range []string{"tune.params", "sampler", "race", "final", "budget"} {
		*e.node(path, yaml.MappingNode) = yaml.Node{}
	}
	e.Set("tune.params[0].name", left.Name)
	if left.Kind == param.Choice {
		list := e.node("tune.params[0].choices", yaml.SequenceNode)
		list.Style = yaml.FlowStyle
		list.Content = append(list.Content, e.scalar(answer))
	} else {
		e.Set("tune.params[0].low", answer)
		e.Set("tune.params[0].high", answer)
	}
	for _, v := range [][2]string{
		{"sampler.name", "quasi"}, {"sampler.batch", "1"}, {"race.method", "none"}, {"race.rungs[0]", "8"}, {"final.top", "1"},
		{"budget.trials", "1"}, {"budget.games", strconv.FormatInt(p.Games, 10)}, {"name", p.Name}, {"doc", p.Doc},
		{"validation.max_blocks", strconv.FormatInt(p.Blocks, 10)},
	} {
		e.Set(v[0], v[1])
	}
	for _, key := range []string{"evaluate", "begin", "begin_from"} {
		set(e.root, key, nil)
	}
	return e.Text()
}

// Begin returns a study file with other points to try first, as [ParsePoint] reads them, and
// another study to begin with, in place of those that it has; nil points and an empty name leave
// what is in the file. All other lines stay as they are.
func Begin[T string | []byte](file T, points []string, from string) (T, error) {
	e := &Edit{root: &yaml.Node{Kind: yaml.MappingNode}}
	var keys []string
	if points != nil {
		keys = append(keys, "begin")
	}
	if from != "" {
		keys = append(keys, "begin_from")
	}
	if keys == nil {
		return file, nil
	}
	kept, err := withoutKeys(string(file), keys...)
	if err != nil {
		return file, err
	}
	for i, p := range points {
		e.Point(i, ParsePoint(p))
	}
	e.Set("begin_from", from)
	text, err := e.Text()
	return T(kept + text), err
}

// withoutKeys takes keys of the root out of a file, with their lines.
func withoutKeys(file string, keys ...string) (string, error) {
	e := editOf(file)
	if e == nil {
		return "", fmt.Errorf("the study file cannot be read")
	}
	if e.root.Style&yaml.FlowStyle != 0 { // {version: 1, ...}
		for _, key := range keys {
			set(e.root, key, nil)
		}
		e.root.Style = 0
		return e.Text()
	}
	lines := strings.SplitAfter(file, "\n")
	if n := len(lines); lines[n-1] != "" {
		lines[n-1] += "\n"
	}
	for i := 0; i+1 < len(e.root.Content); i += 2 {
		if !slices.Contains(keys, e.root.Content[i].Value) {
			continue
		}
		first, end := e.root.Content[i].Line-1, len(lines)
		if i+2 < len(e.root.Content) {
			end = e.root.Content[i+2].Line - 1
		}
		for n := first; n < end; n++ {
			// A comment after the first line is said of the next key.
			if n == first || !strings.HasPrefix(strings.TrimSpace(lines[n]), "#") {
				lines[n] = ""
			}
		}
	}
	return strings.Join(lines, ""), nil
}

// ParsePoint reads a point as people type it: "x=0.7, n=5". Text that is no pair becomes a
// name without a value, which the reader of the file refuses.
func ParsePoint(text string) param.Values {
	var out param.Values
	for _, part := range param.Split(text) {
		one, err := param.ParseValues(part)
		if err != nil {
			one = param.Values{{Name: strings.TrimSpace(part), Text: "?"}}
		}
		out = append(out, one...)
	}
	return out
}
