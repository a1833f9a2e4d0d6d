package export

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/plain"
	"sakusen/tuner"
)

// Winner is the player that an export describes, read back from what Write wrote.
type Winner struct {
	Study, Game, Strategy string
	Params                param.Values
}

// text returns the winner as commands read an entrant, such as "mp(depth=3)".
func (w *Winner) text() string {
	return arena.Entrant{Strategy: w.Strategy, Params: w.Params}.Canonical()
}

// read reads the winner from the forms yaml and json.
func read(text []byte) (*Winner, error) {
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

// ReadFile reads a file as readOf does its text. The path may be relative to a folder.
func ReadFile(path, folder, game, strategy string) (*Winner, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	text, err := plain.ReadFile(path, 128<<10)
	if err != nil {
		return nil, err
	}
	return readOf(text, game, strategy)
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
			text, names[i] = w.text(), w.Study
		}
		entrants = append(entrants, text)
	}
	return entrants, names, nil
}

// readOf reads the winner from YAML or JSON, for a game and, unless it is empty, a strategy.
func readOf(text []byte, game, strategy string) (*Winner, error) {
	w, err := read(text)
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

// FrontFormats returns the names of the formats that WriteFront knows.
func FrontFormats() []string { return []string{"csv", "json"} }

// WriteFront writes a study's Pareto front: as JSON a list of its points, as CSV a row a point.
// A point has each objective's value and standard error (empty if undefined), the parameters in
// the order of the space (empty if not active), and whether the values are the final's or the
// search's.
func WriteFront(w io.Writer, format string, space tuner.Space, front []tuner.FrontPoint) error {
	switch format {
	case "json":
		return json.NewEncoder(w).Encode(front)
	case "csv":
	default:
		return fmt.Errorf("format: expected csv or json of a front, got %q", format)
	}
	c := csv.NewWriter(w)
	head := []string{"trial", "chosen"}
	if len(front) > 0 {
		for _, v := range front[0].Measured() {
			head = append(head, plain.Cell(v.Name), plain.Cell(v.Name+" standard_error"))
		}
	}
	for _, d := range space {
		head = append(head, plain.Cell(d.Name))
	}
	if err := c.Write(append(head, "measured_by")); err != nil {
		return err
	}
	for _, p := range front {
		row := []string{strconv.Itoa(p.Trial), strconv.FormatBool(p.Chosen)}
		for _, v := range p.Measured() {
			row = append(row, decimal(v.Value), decimal(v.Error))
		}
		for _, d := range space {
			row = append(row, plain.Cell(p.Params[d.Name]))
		}
		by := "search"
		if p.Final != nil {
			by = "final"
		}
		row = append(row, by)
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// decimal returns a number that reads back to itself, or nothing.
func decimal(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}
