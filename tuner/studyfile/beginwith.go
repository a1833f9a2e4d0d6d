package studyfile

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
)

// BeginWith is a study file with other points to try first and another study to begin
// with, in place of those that it has. All other lines stay as they are.
func BeginWith(file string, points []param.Values, from string) (string, error) {
	return replaced(file, points, from, true, true)
}

// replaced is the file with new points, or another study, or both.
func replaced(file string, points []param.Values, from string, newPoints, newFrom bool) (string, error) {
	var keys []string
	var root mapping
	if newPoints {
		keys = append(keys, "begin")
		var list []*yaml.Node
		for _, p := range points {
			var one mapping
			for _, v := range p {
				one.text(v.Name, v.Text)
			}
			list = append(list, &yaml.Node{Kind: yaml.MappingNode, Content: one.nodes, Style: yaml.FlowStyle})
		}
		root.list("begin", list, 0)
	}
	if newFrom {
		keys = append(keys, "begin_from")
		root.text("begin_from", from)
	}
	kept, err := withoutKeys(file, keys...)
	if err != nil {
		return "", err
	}
	text, err := root.encoded()
	return kept + text, err
}

// withoutKeys takes keys of the root out of a file, with their lines.
func withoutKeys(file string, keys ...string) (string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(file), &doc); err != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return "", fmt.Errorf("the study file cannot be read")
	}
	root := doc.Content[0]
	if root.Style&yaml.FlowStyle != 0 { // {version: 1, ...}
		for _, key := range keys {
			put(root, key, nil)
		}
		root.Style = 0
		return (&mapping{root.Content}).encoded()
	}
	lines := strings.SplitAfter(file, "\n")
	if n := len(lines); lines[n-1] != "" {
		lines[n-1] += "\n"
	}
	for _, key := range keys {
		for i := 0; i+1 < len(root.Content); i += 2 {
			if root.Content[i].Value != key {
				continue
			}
			end := len(lines)
			if i+2 < len(root.Content) {
				end = root.Content[i+2].Line - 1
			}
			for n := root.Content[i].Line - 1; n < end; n++ {
				if text := strings.TrimSpace(lines[n]); n > root.Content[i].Line-1 && strings.HasPrefix(text, "#") {
					continue // what is said of the next key
				}
				lines[n] = ""
			}
		}
	}
	return strings.Join(lines, ""), nil
}

// ParsePoint reads a point as people type it: "x=0.7, n=5". What is no pair becomes a
// name without a value, which the reader of the file refuses.
func ParsePoint(text string) param.Values {
	var out param.Values
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			value = "?"
		}
		out = append(out, param.Value{Name: strings.TrimSpace(name), Text: strings.TrimSpace(value)})
	}
	return out
}

// Begun is a study file with the points and the earlier study of a command line in place
// of those that it has; what is not given stays as it is in the file.
func Begun(file []byte, points []string, from string) ([]byte, error) {
	if len(points) == 0 && from == "" {
		return file, nil
	}
	var given []param.Values
	for _, text := range points {
		given = append(given, ParsePoint(text))
	}
	text, err := replaced(string(file), given, from, len(points) > 0, from != "")
	return []byte(text), err
}
