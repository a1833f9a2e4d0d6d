package export

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Winner is who is read from what Write wrote.
type Winner struct {
	Study, Game, Strategy string
	Params                param.Values
}

// Text is the winner as commands read an entrant.
func (w *Winner) Text() string {
	return arena.Entrant{Strategy: w.Strategy, Params: w.Params}.Canonical()
}

// Read reads the winner from the forms yaml and json.
func Read(text []byte) (*Winner, error) {
	var d struct {
		Study, Game, Strategy string
		Params                map[string]string
	}
	var root yaml.Node
	err := yaml.Unmarshal(text, &root)
	if err == nil && (len(root.Content) != 1 || root.Content[0].Kind != yaml.MappingNode) {
		err = errors.New("got something else")
	}
	if err == nil {
		err = root.Decode(&d)
	}
	if err == nil && (d.Game == "" || d.Strategy == "") {
		err = errors.New("got no game or no strategy")
	}
	if err != nil {
		return nil, fmt.Errorf("expected what sakusen export wrote as yaml or json, with game, strategy and params: %w", err)
	}
	w := &Winner{Study: d.Study, Game: d.Game, Strategy: d.Strategy}
	for _, name := range slices.Sorted(maps.Keys(d.Params)) {
		w.Params = append(w.Params, param.Value{Name: name, Text: d.Params[name]})
	}
	return w, nil
}

// ReadFile is ReadOf of a file, whose path may be relative to a folder.
func ReadFile(path, folder, game, strategy string) (*Winner, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ReadOf(text, game, strategy)
}

// Entrants reads the entrants of a game that people write as @FILE in place of them, and
// says which of them got the names of their studies.
func Entrants(texts []string, game string) (entrants []string, names map[int]string, err error) {
	names = map[int]string{}
	for i, text := range texts {
		if path, ok := strings.CutPrefix(text, "@"); ok {
			w, err := ReadFile(path, ".", game, "")
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", text, err)
			}
			text, names[i] = w.Text(), w.Study
		}
		entrants = append(entrants, text)
	}
	return entrants, names, nil
}

// ReadOf is Read for a game, and, unless it is empty, a strategy of it.
func ReadOf(text []byte, game, strategy string) (*Winner, error) {
	w, err := Read(text)
	switch {
	case err != nil:
		return nil, err
	case w.Game != game:
		return nil, fmt.Errorf("expected a player of %s, got one of %s", game, w.Game)
	case strategy != "" && w.Strategy != strategy:
		return nil, fmt.Errorf("expected values of %s, got those of %s", strategy, w.Strategy)
	}
	return w, nil
}
