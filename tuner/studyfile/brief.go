package studyfile

import "go.yaml.in/yaml/v3"

// Brief is what a list says of a study file.
type Brief struct {
	Name     string `json:"name"`
	Game     string `json:"game"`
	Strategy string `json:"strategy"`
	Doc      string `json:"doc"`
}

// BriefOf reads it. What is not there, or no YAML, is empty.
func BriefOf(name string, text []byte) Brief {
	b := Brief{Name: name}
	var root yaml.Node
	if yaml.Unmarshal(text, &root) == nil && len(root.Content) == 1 {
		top := root.Content[0]
		b.Game, b.Doc = scalarOf(child(top, "game")), scalarOf(child(top, "doc"))
		b.Strategy = scalarOf(child(child(top, "tune"), "strategy"))
	}
	return b
}
