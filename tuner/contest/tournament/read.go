package tournament

import (
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/tuner/studyfile/yamlfile"
)

// Read reads and checks a tournament file. All mistakes are in the error, each
// a *yamlfile.Error with its line and column; with a mistake the file is nil.
func Read(file string, text []byte, games arena.Catalogue) (*File, error) {
	d := yamlfile.Read(file, text)
	root := d.Root
	f := &File{}
	if root.Require("version", "version: 1") {
		root.Integer("version", version, version, version)
	}
	f.Name = root.Name()
	f.Doc, f.Source = root.Text("doc", ""), root.Text("source", "")
	f.Ruleset = root.Rules(games)
	if f.Ruleset != nil && f.Ruleset.Game.Unscored {
		root.Fail("game", "a game with a winner", f.Ruleset.Game.Name+", which has only metrics")
		f.Ruleset = nil
	}
	whole := f.readEntrants(root)
	f.Format = root.OneOf("format", RoundRobin, RoundRobin, Gauntlet, Listed)
	f.Selfplay = root.Bool("selfplay")
	f.readPairings(root, whole)
	f.Blocks = root.Integer("blocks", defaultBlocks, 1, maxBlocks)
	f.Seed = root.Seed("seed", 1)
	f.readSingleSided(root)
	f.readMetrics(root)
	f.Note = root.Text("note", "")
	f.readExpect(root)
	root.Done()
	if err := d.Err(); err != nil {
		return nil, err
	}
	return f, nil
}

// readEntrants reads the entrants; whole is false where one of them has a
// mistake, so that nothing further can be said about pairings.
func (f *File) readEntrants(root *yamlfile.Mapping) (whole bool) {
	items := root.List("entrants")
	if !root.Require("entrants", "a list of entrants") {
		return false
	}
	if len(items) == 0 || len(items) > maxEntrants {
		root.Fail("entrants", fmt.Sprintf("1 to %d entrants", maxEntrants), strconv.Itoa(len(items)))
		return false
	}
	if f.Ruleset == nil {
		return false
	}
	whole = true
	seen := map[string]bool{}
	for _, item := range items {
		e, ok := item.Entrant(f.Ruleset)
		whole = whole && ok
		switch {
		case !ok:
		case seen[e.Name]:
			item.Fail("a name of its own ({name: ..., entrant: ...})", e.Name+" a second time")
			whole = false
		case strings.Contains(e.Name, separator) || strings.TrimSpace(e.Name) != e.Name:
			item.Fail("a name without spaces around it or around a hyphen", fmt.Sprintf("%q", e.Name))
			whole = false
		}
		seen[e.Name] = true
		f.Entrants = append(f.Entrants, e)
	}
	return whole
}

func (f *File) readSingleSided(root *yamlfile.Mapping) {
	f.SingleSided = root.Text("single_sided", "")
	if f.SingleSided == "" || f.Ruleset == nil {
		return
	}
	switch {
	case f.Ruleset.Seats != 2:
		root.Fail("single_sided", "a game of two seats", fmt.Sprintf("%d", f.Ruleset.Seats))
	case f.Ruleset.Component(f.SingleSided) < 0:
		root.Fail("single_sided", "one of "+strings.Join(f.Ruleset.Components, ", "), yamlfile.Nearest(f.SingleSided, f.Ruleset.Components))
	}
}
