package tournament

import (
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/tuner/studyfile/yamlfile"
)

// keys returns the table of the keys of a tournament file; docs/experiments.md tells them.
func keys() []yamlfile.Key {
	key := func(path, values, def string) yamlfile.Key {
		return yamlfile.Key{Path: path, Values: values, Default: def}
	}
	needed := func(path, values, need string) yamlfile.Key {
		return yamlfile.Key{Path: path, Values: values, Need: need}
	}
	later := func(k yamlfile.Key) yamlfile.Key { k.Later = true; return k }
	return []yamlfile.Key{
		needed("version", "integer 1..1", "version: 1"),
		needed("name", "name", yamlfile.WantName),
		key("doc", "text", ""),
		key("source", "text", ""),
		needed("game", "text", "the name of a game"),
		key("rules", "values", ""),
		needed("entrants", "list of entrant", "a list of entrants"),
		key("format", "`"+RoundRobin+"`, `"+Gauntlet+"`, `"+Listed+"`", RoundRobin),
		key("selfplay", "`false`, `true`", "false"),
		key("pairings", "list of any", ""),
		key("blocks", fmt.Sprintf("integer 1..%d", maxBlocks), strconv.Itoa(defaultBlocks)),
		key("seed", "seed", "1"),
		key("single_sided", "text", ""),
		later(key("metrics", "list of mapping", "")),
		needed("metrics[].name", "text", "the name of a column"),
		needed("metrics[].of", "text", "score or a metric of the game"),
		later(needed("metrics[].seat", "integer from 1", "a seat, counted from 1")),
		key("metrics[].scale", "number -1e9..1e9", "1"),
		key("metrics[].average", "`false`, `true`", "false"),
		key("note", "text", ""),
		later(key("expect", "list of mapping", "")),
		key("expect[].label", "text", ""),
		key("expect[].printed", "text", ""),
		key("expect[].note", "text", ""),
		needed("expect[].metric", "text", "the name of a column in metrics"),
		key("expect[].half_width", "number 0..1e15", ""),
	}
}

// reader is a tournament file while it is read.
type reader struct {
	*yamlfile.Document
	*File
}

// Read reads and checks a tournament file. All mistakes are in the error, each
// a *yamlfile.Error with its line and column; with a mistake the file is nil.
func Read(file string, text []byte, games arena.Catalogue) (*File, error) {
	f := reader{yamlfile.Read(file, text, keys()), &File{}}
	f.Fill("", f.File)
	f.Ruleset = f.Rules(games)
	if f.Ruleset != nil && f.Ruleset.Game.Unscored {
		f.Fail("game", "a game with a winner", f.Ruleset.Game.Name+", which has only metrics")
		f.Ruleset = nil
	}
	whole := f.readEntrants()
	f.readPairings(whole)
	f.checkSingleSided()
	f.readMetrics()
	f.readExpect()
	f.Known("")
	if err := f.Err(); err != nil {
		return nil, err
	}
	return f.File, nil
}

// readEntrants reads the entrants; whole is false where one of them has a
// mistake, so that nothing further can be said about pairings.
func (f reader) readEntrants() (whole bool) {
	if !f.Has("entrants") {
		return false
	}
	n := f.Len("entrants")
	if n == 0 || n > maxEntrants {
		f.Fail("entrants", fmt.Sprintf("1 to %d entrants", maxEntrants), strconv.Itoa(n))
		return false
	}
	if f.Ruleset == nil {
		return false
	}
	whole = true
	seen := map[string]bool{}
	for i := range n {
		path := fmt.Sprintf("entrants[%d]", i)
		e, ok := f.NamedEntrant(f.Ruleset, path)
		whole = whole && ok
		switch {
		case !ok:
		case seen[e.Name]:
			f.Fail(path, "a name of its own ({name: ..., entrant: ...})", e.Name+" a second time")
			whole = false
		case strings.Contains(e.Name, separator) || strings.TrimSpace(e.Name) != e.Name:
			f.Fail(path, "a name without spaces around it or around a hyphen", fmt.Sprintf("%q", e.Name))
			whole = false
		}
		seen[e.Name] = true
		f.Entrants = append(f.Entrants, e)
	}
	return whole
}

func (f reader) checkSingleSided() {
	switch {
	case f.SingleSided == "" || f.Ruleset == nil:
	case f.Ruleset.Seats != 2:
		f.Fail("single_sided", "a game of two seats", fmt.Sprintf("%d", f.Ruleset.Seats))
	case f.Ruleset.Component(f.SingleSided) < 0:
		f.Fail("single_sided", "one of "+strings.Join(f.Ruleset.Components, ", "), yamlfile.Nearest(f.SingleSided, f.Ruleset.Components))
	}
}
