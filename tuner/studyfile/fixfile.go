package studyfile

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
)

// SettleFix replaces the path of a file as tune.fix of a study file by the values in
// that file, so that the text means the same wherever it is sent or stored. Parameters
// that tune.params names are left out. read gets the path, the game and the strategy.
func SettleFix(name string, text []byte, read func(path, game, strategy string) (param.Values, error)) ([]byte, error) {
	var root yaml.Node
	if yaml.Unmarshal(text, &root) != nil || len(root.Content) != 1 {
		return text, nil // the reader of the study file says what is wrong
	}
	tune := child(root.Content[0], "tune")
	fix := child(tune, "fix")
	if fix == nil || fix.Kind != yaml.ScalarNode || fix.Value == "" || fix.Tag == "!!null" {
		return text, nil
	}
	path := fix.Value
	if fix.Style != 0 {
		path = ""
		if quote, ok := map[yaml.Style]string{yaml.DoubleQuotedStyle: `"`, yaml.SingleQuotedStyle: "'"}[fix.Style]; ok {
			path = quote + fix.Value + quote
		}
	}
	lines := strings.SplitAfter(string(text), "\n")
	line := lines[fix.Line-1]
	at := fix.Column - 1
	if path == "" || at > len(line) || !strings.HasPrefix(line[at:], path) {
		return nil, fmt.Errorf("%s:%d: tune.fix: expected the path of a file, plain or in quotation marks on one line", name, fix.Line)
	}
	values, err := read(fix.Value, scalarOf(child(root.Content[0], "game")), scalarOf(child(tune, "strategy")))
	if err != nil {
		return nil, fmt.Errorf("%s:%d:%d: tune.fix: %s: %w", name, fix.Line, fix.Column, fix.Value, err)
	}
	tuned := map[string]bool{}
	if params := child(tune, "params"); params != nil {
		for _, n := range params.Content {
			if p, ok := named(n); ok {
				tuned[p] = true
			}
		}
	}
	var list []string
	for _, v := range values {
		if !tuned[v.Name] {
			list = append(list, fmt.Sprintf("{name: %q, value: %q}", v.Name, v.Text))
		}
	}
	lines[fix.Line-1] = line[:at] + "[" + strings.Join(list, ", ") + "]" + line[at+len(path):]
	return []byte(strings.Join(lines, "")), nil
}

// scalarOf is the text of a node, empty where there is none.
func scalarOf(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	return n.Value
}
