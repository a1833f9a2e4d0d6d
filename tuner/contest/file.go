package contest

import (
	"fmt"
	"regexp"
	"slices"
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
		key("format", "`"+roundRobin+"`, `"+gauntlet+"`, `"+listed+"`", roundRobin),
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
	*Tournament
}

// ReadTournament reads and checks a tournament file. All mistakes are in the error, each
// a *yamlfile.Error with its line and column; with a mistake the file is nil.
func ReadTournament(file string, text []byte, games arena.Catalogue) (*Tournament, error) {
	f := reader{yamlfile.Read(file, text, keys()), &Tournament{}}
	f.Fill("", f.Tournament)
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
	if err := f.Err(); err != nil {
		return nil, err
	}
	return f.Tournament, nil
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

// readPairings makes the list of pairings, or reads it.
func (f reader) readPairings(whole bool) {
	if f.Format != listed {
		if f.Has("pairings") {
			f.Fail("pairings", "no list of pairings unless format is "+listed, "one")
		}
		if whole {
			for _, p := range f.everyone() {
				f.meet(p)
			}
			if len(f.Pairings) == 0 {
				f.Fail("entrants", "at least two entrants, or selfplay: true", strconv.Itoa(len(f.Entrants)))
			}
		}
		return
	}
	if f.Selfplay {
		f.Fail("selfplay", "no selfplay where pairings are listed: list them", "true")
	}
	if !f.Require("pairings", "a list of pairings, as format is "+listed) || !whole {
		return
	}
	n := f.Len("pairings")
	if n == 0 {
		f.Fail("pairings", "at least one pairing", "none")
	}
	for i := range n {
		if f.TooManyMistakes() {
			break
		}
		if p, ok := f.readPairing(fmt.Sprintf("pairings[%d]", i)); ok {
			f.meet(p)
		}
	}
}

func (f reader) readPairing(path string) (Pairing, bool) {
	n := f.Len(path)
	if f.Got(path) != "a list" {
		f.Refuse(path, "a list")
		return nil, false
	}
	if n != f.Ruleset.Seats {
		f.Fail(path, fmt.Sprintf("%d names, one for each seat", f.Ruleset.Seats), strconv.Itoa(n))
		return nil, false
	}
	var p Pairing
	for i := range n {
		at := fmt.Sprintf("%s[%d]", path, i)
		name, ok := f.Scalar(at)
		e := f.entrant(name)
		if !ok || e < 0 {
			f.Fail(at, "the name of an entrant", yamlfile.Nearest(name, f.names()))
			continue
		}
		p = append(p, e)
	}
	if len(p) < n {
		return nil, false
	}
	if f.plays(f.label(p, 0)) {
		f.Fail(path, "a pairing that is not there yet, in any order", f.label(p, 0))
		return nil, false
	}
	return p, true
}

// everyone returns the pairings of a round robin or a gauntlet. With two seats every
// two entrants meet; with more, each sits alone among equals of each other.
func (f *Tournament) everyone() []Pairing {
	seats := f.Ruleset.Seats
	alone := func(i, j int) Pairing {
		p := Pairing{i}
		for len(p) < seats {
			p = append(p, j)
		}
		return p
	}
	var all []Pairing
	for i := range f.Entrants {
		if f.Selfplay {
			all = append(all, alone(i, i))
		}
		for j := range f.Entrants {
			meet := i < j || seats > 2 && i != j
			if f.Format == gauntlet {
				meet = i == 0 && j > 0
			}
			if meet && seats > 1 {
				all = append(all, alone(i, j))
			}
		}
	}
	return all
}

// decimal is a number as tables print it: its last digit tells its precision.
var decimal = regexp.MustCompile(`^-?[0-9]{1,15}(\.[0-9]{1,15})?$`)

func (f reader) readMetrics() {
	of, seats := []string{score}, float64(1<<10)
	if f.Ruleset != nil {
		for _, m := range f.Ruleset.Game.Metrics {
			of = append(of, m.Name)
		}
		seats = float64(f.Ruleset.Seats)
	}
	for i := range f.Len("metrics") {
		if f.TooManyMistakes() {
			break
		}
		path, metric := fmt.Sprintf("metrics[%d]", i), Metric{}
		f.Fill(path, &metric)
		if _, taken := f.metric(metric.Name); taken && metric.Name != "" {
			f.Fail(path+".name", "a name of its own", metric.Name+" a second time")
		}
		if f.Has(path+".of") && f.Ruleset != nil && !slices.Contains(of, metric.Of) {
			f.Fail(path+".of", "one of "+strings.Join(of, ", "), yamlfile.Nearest(metric.Of, of))
		}
		if f.Within(path+".seat", 1, seats) {
			metric.Seat--
		}
		f.Metrics = append(f.Metrics, metric)
	}
}

func (f reader) readExpect() {
	var names []string
	for _, m := range f.Metrics {
		names = append(names, m.Name)
	}
	type key struct{ label, metric string }
	seen := map[key]bool{}
	for i := range f.Len("expect") {
		if f.TooManyMistakes() {
			break
		}
		path, known := fmt.Sprintf("expect[%d]", i), false
		in := struct {
			Metric string // hides that of the expectation
			Expectation
		}{}
		f.Fill(path, &in)
		e := in.Expectation
		if f.Has(path + ".metric") {
			if e.Metric, known = f.metric(in.Metric); !known {
				f.Fail(path+".metric", "the name of a column in metrics", yamlfile.Nearest(in.Metric, names))
			}
		}
		if f.Require(path+".label", "entrants in the order of the seats, or one entrant for an average") && known {
			f.checkLabel(path+".label", e)
			if seen[key{e.Label, in.Metric}] {
				f.Fail(path+".label", "one value of "+in.Metric, e.Label+" a second time")
			}
			seen[key{e.Label, in.Metric}] = true
		}
		if f.Has(path+".printed") && !decimal.MatchString(e.Printed) {
			f.Fail(path+".printed", "a decimal number as printed", e.Printed)
		}
		if f.Has(path+".half_width") && !f.Has(path+".printed") {
			f.Fail(path+".half_width", "the key printed with it", strconv.FormatFloat(e.HalfWidth, 'g', -1, 64))
		}
		f.Expect = append(f.Expect, e)
	}
}

// mostNear bounds the labels that are searched for one similar to a misspelled label.
const mostNear = 1000

// checkLabel refuses a label that does not belong to anything played.
func (f reader) checkLabel(path string, e Expectation) {
	if len(f.Pairings) == 0 {
		return // the mistake is elsewhere
	}
	if e.Metric.Average {
		if f.entrant(e.Label) < 0 {
			f.Fail(path, "the name of an entrant", yamlfile.Nearest(e.Label, f.names()))
		} else if len(f.sittings(e.Label, e.Metric.Seat)) == 0 {
			f.Fail(path, "an entrant that plays", e.Label)
		}
		return
	}
	if !f.plays(e.Label) {
		var near []string
		if len(f.orders) <= mostNear {
			near = f.labels()
		}
		f.Fail(path, "entrants that meet in this order", yamlfile.Nearest(e.Label, near))
	}
}
