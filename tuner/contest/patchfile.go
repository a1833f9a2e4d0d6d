package contest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/stats"
	"sakusen/tuner/studyfile/yamlfile"
)

// Patch is a test of a patch: whether a new player is stronger than the one that it would
// replace, by a sequential test in each of its stages. A stage that does not pass is the last.
type Patch struct {
	Name, Doc   string
	Game        string
	Model       stats.Model
	Alpha, Beta float64
	Seed        uint64 // of the first stage; that of each other is one more
	Stages      []PatchStage
	New, Base   string // entrants, as text
}

// PatchStage is a sequential test at one limit.
type PatchStage struct {
	Limit    string // of the rules; empty for that under rules, or for the game's own
	Bounds   []float64
	MaxGames int64
	match    *Match
}

// patchGame is what a test without a game is played in.
const patchGame = "chess"

// The bounds of a stage that have names, by which --sprt and the form know them.
const (
	gain           = "gain"
	noLoss         = "no-loss"
	simplification = "simplification"
)

// PatchBounds returns the names of bounds, those of a gain first.
func PatchBounds() []string { return []string{gain, noLoss, simplification} }

// boundsOf reads bounds: one of their names, or ELO0,ELO1.
func boundsOf(text string) ([]float64, error) {
	switch strings.TrimSpace(text) {
	case gain, "":
		return []float64{0, 5}, nil
	case noLoss:
		return []float64{-5, 0}, nil
	case simplification:
		return []float64{-3, 1}, nil
	}
	lo, hi, ok := strings.Cut(strings.Trim(strings.TrimSpace(text), "[]"), ",")
	elo0, err0 := strconv.ParseFloat(strings.TrimSpace(lo), 64)
	elo1, err1 := strconv.ParseFloat(strings.TrimSpace(hi), 64)
	if !ok || err0 != nil || err1 != nil {
		return nil, fmt.Errorf("expected ELO0,ELO1 or one of %s, got %.40q", strings.Join(PatchBounds(), ", "), text)
	}
	return []float64{elo0, elo1}, nil
}

// mostPatchGames bounds the games of a stage where nothing is said.
const mostPatchGames = 200000

const mostStages = 8

// patchKeys returns the table of the keys of a test file; docs/engines.md tells them.
func patchKeys() []yamlfile.Key {
	return []yamlfile.Key{
		{Path: "version", Values: "integer 1..1", Need: "version: 1"},
		{Path: "name", Values: "name", Need: yamlfile.WantName},
		{Path: "doc", Values: "text"},
		{Path: "game", Values: "text", Default: patchGame},
		{Path: "rules", Values: "values"},
		{Path: "test", Values: "mapping", Need: "the mapping {new: ENTRANT, base: ENTRANT}"},
		{Path: "test.new", Values: "entrant", Need: "the entrant that is tested"},
		{Path: "test.base", Values: "entrant", Need: "the entrant that it would replace"},
		{Path: "stages", Values: "list of mapping", Need: "a list of stages", Items: yamlfile.Bounds{Least: 1, Most: mostStages, Want: fmt.Sprintf("1 to %d stages", mostStages)}},
		{Path: "stages[].limit", Values: "text"},
		{Path: "stages[].bounds", Values: "list of number -1000..1000", Need: "[ELO0, ELO1]", Items: yamlfile.Bounds{Least: 2, Most: 2, Want: "two numbers, [ELO0, ELO1]"}},
		{Path: "stages[].max_games", Values: fmt.Sprintf("integer 2..%d", maxBlocks), Default: strconv.Itoa(mostPatchGames)},
		{Path: "model", Values: "`normalized`, `logistic`", Default: string(stats.Normalized)},
		{Path: "alpha", Values: "number 1e-12..0.5", Default: "0.05"},
		{Path: "beta", Values: "number 1e-12..0.5", Default: "0.05"},
		{Path: "seed", Values: "seed", Default: "1"},
	}
}

// patchReader is a test file while it is read.
type patchReader struct {
	*yamlfile.Document
	*Patch
}

// ReadPatch reads and checks the file of a test. All mistakes are in the error, each a
// *yamlfile.Error with its line and column; with a mistake the test is nil.
func ReadPatch(file string, text []byte, games arena.Catalogue) (*Patch, error) {
	f := patchReader{yamlfile.Read(file, text, patchKeys()), &Patch{}}
	f.Fill("", f.Patch)
	whole := true
	for _, key := range patchKeys() {
		if strings.HasPrefix(key.Path, "test.") && f.Has("test") {
			whole = f.Require(key.Path, key.Need) && whole
		}
	}
	if whole && f.Has("test") && f.Has("stages") {
		f.readStages(games)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	return f.Patch, nil
}

// readStages opens the game under the rules of each stage, with both entrants.
func (f patchReader) readStages(games arena.Catalogue) {
	f.Game = cmp.Or(f.Game, patchGame)
	game, err := games.Game(f.Game)
	if err != nil {
		f.Fail("game", "a game", yamlfile.UnknownName(err))
		return
	}
	for i := range f.Stages {
		s, at := &f.Stages[i], fmt.Sprintf("stages[%d]", i)
		rules := f.Values("rules")
		if s.Limit == "" && f.Has(at+".limit") {
			f.Fail(at+".limit", "a limit, or no key limit", `""`)
		}
		if s.Limit != "" {
			rules = append(slices.DeleteFunc(rules, func(v param.Value) bool { return v.Name == "limit" }), param.Value{Name: "limit", Text: s.Limit})
		}
		rs, errs := game.Open(WithSeats(game, rules, 2))
		limits := func(err error) bool {
			e, ok := errors.AsType[*param.Error](err)
			if !ok || s.Limit == "" || e.Name != "limit" {
				return false
			}
			if e.Unknown {
				f.Fail(at+".limit", "none, as "+f.Game+" has no rule limit", s.Limit)
			} else {
				f.Fail(at+".limit", e.Want, e.Got)
			}
			return true
		}
		errs = slices.DeleteFunc(errs, limits)
		seats := func(err error) bool {
			e, ok := errors.AsType[*param.Error](err)
			return ok && e.Name == game.SeatsOption
		}
		_, given := rules.Get(game.SeatsOption)
		if at := slices.IndexFunc(errs, seats); at >= 0 && !given {
			f.Fail("game", "a game with a winner and two seats", f.Game+": "+errs[at].Error())
			return
		}
		if len(errs) > 0 && i == 0 {
			f.Declared("rules", errs...)
		}
		if rs == nil {
			continue
		}
		if rs.Seats != 2 || game.Unscored {
			f.Fail("game", "a game with a winner and two seats", f.Game)
			return
		}
		if !f.readStage(s, at, rs, f.Seed+uint64(i)) {
			return
		}
	}
}

// readStage makes a stage's match; false where what is wrong is so in every stage.
func (f patchReader) readStage(s *PatchStage, at string, rs *arena.Ruleset, seed uint64) bool {
	fresh, ok := f.Entrant(rs, "test.new")
	base, also := f.Entrant(rs, "test.base")
	if !ok || !also {
		return false
	}
	f.New, f.Base = f.written("test.new", fresh), f.written("test.base", base)
	if fresh.Canonical() == base.Canonical() {
		f.Fail("test.base", "another entrant than the new one", f.Base)
		return false
	}
	if len(s.Bounds) != 2 {
		return true // which Fill has reported
	}
	blocks := max(1, s.MaxGames/2)
	s.match = &Match{
		Series: arena.Series{Ruleset: rs, Seed: seed, Phase: arena.Match, To: blocks, Entrants: arena.Distinct([]arena.Entrant{fresh, base})},
		Test: &stats.Test{
			Hypotheses: stats.Hypotheses{Model: f.Model, Elo0: s.Bounds[0], Elo1: s.Bounds[1]},
			Alpha:      f.Alpha, Beta: f.Beta, MinBlocks: min(stats.FewBlocks, blocks), MaxBlocks: blocks,
		},
	}
	if err := s.match.Test.Validate(); err != nil {
		f.Fail(at+".bounds", "[ELO0, ELO1]", err.Error())
	}
	if err := s.match.CheckTest(); err != nil {
		f.Fail(at, "a match that a test can decide", err.Error())
	}
	return true
}

// written returns an entrant as the file has it, or its canonical text where that is no text.
func (f patchReader) written(path string, e arena.Entrant) string {
	text, _ := f.Scalar(path)
	return cmp.Or(text, e.Canonical())
}

// Programs returns the strategies of both entrants, for who looks what they are.
func (f *Patch) Programs() []string {
	var all []string
	for _, e := range f.Stages[0].match.Series.Entrants {
		all = append(all, e.Strategy)
	}
	return all
}

// Ruleset returns the game under the rules of a stage.
func (s *PatchStage) Ruleset() *arena.Ruleset { return s.match.Series.Ruleset }

// Series returns the games of a stage, up to those that were played.
func (s *PatchStage) Series() arena.Series {
	series := s.match.Series
	series.To = s.match.Tally.Blocks
	return series
}

// Plan returns what the test does at a gain, for independent games without draws.
func (s *PatchStage) Plan(elo float64) (stats.Characteristic, error) {
	return s.match.Test.Plan(stats.Truth{Elo: elo, SD: stats.IndependentSD(2), Seats: 2, Games: 2}, lookEvery)
}

// PatchAsked is what a command line or a form says of a test.
type PatchAsked struct {
	Name, Game, New, Base string
	Limits                []string // a stage each; none is one stage at the game's own limit
	Bounds                []string // of each stage, or one for all: see [PatchBounds]
	Rules                 param.Values
	MaxGames              int64
	Model                 string
	Alpha, Beta           float64
	Seed                  *param.Seed
}

// notPlain is what a name cannot hold.
var notPlain = regexp.MustCompile(`[^a-z0-9._-]+`)

// File writes it as the text of a test file.
func (a *PatchAsked) File() (string, error) {
	quoted := func(text string) string { // JSON is YAML
		out, _ := json.Marshal(text)
		return string(out)
	}
	bare := func(entrant string) string {
		name, _, _ := strings.Cut(entrant, "(")
		return strings.Trim(notPlain.ReplaceAllString(strings.ToLower(name), "-"), "-._")
	}
	name := cmp.Or(a.Name, cmp.Or(bare(a.New), "new")+"-vs-"+cmp.Or(bare(a.Base), "base"))
	if a.Name == "" && len(name) > 80 {
		name = name[:80]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nname: %s\ngame: %s\ntest: {new: %s, base: %s}\n", quoted(name), quoted(cmp.Or(a.Game, patchGame)), quoted(a.New), quoted(a.Base))
	for i, v := range a.Rules {
		if i == 0 {
			b.WriteString("rules:\n")
		}
		fmt.Fprintf(&b, "  - {name: %s, value: %s}\n", quoted(v.Name), quoted(v.Text))
	}
	limits := a.Limits
	if len(limits) == 0 {
		limits = []string{""}
	}
	if len(a.Bounds) > 1 && len(a.Bounds) != len(limits) {
		return "", fmt.Errorf("expected one pair of bounds, or one for each of %d stages, got %d", len(limits), len(a.Bounds))
	}
	b.WriteString("stages:\n")
	for i, limit := range limits {
		text := ""
		if len(a.Bounds) > 0 {
			text = a.Bounds[min(i, len(a.Bounds)-1)]
		}
		bounds, err := boundsOf(text)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "  - {bounds: [%g, %g]", bounds[0], bounds[1])
		if limit != "" {
			fmt.Fprintf(&b, ", limit: %s", quoted(limit))
		}
		if a.MaxGames > 0 {
			fmt.Fprintf(&b, ", max_games: %d", a.MaxGames)
		}
		b.WriteString("}\n")
	}
	if a.Model != "" {
		fmt.Fprintf(&b, "model: %s\n", quoted(a.Model))
	}
	for _, rate := range []struct {
		key   string
		value float64
	}{{"alpha", a.Alpha}, {"beta", a.Beta}} {
		if rate.value != 0 {
			fmt.Fprintf(&b, "%s: %g\n", rate.key, rate.value)
		}
	}
	if a.Seed != nil {
		fmt.Fprintf(&b, "seed: %s\n", a.Seed)
	}
	return b.String(), nil
}

// patchFlags are the flag or argument of each key of a test file, those of its parts first.
var patchFlags = [...][2]string{
	{"test.new", "NEW"}, {"test.base", "BASE"}, {"test", "NEW and BASE"}, {"rules", "--rules"},
	{".limit", "--limit"}, {".bounds", "--sprt"}, {".max_games", "--max-games"}, {"stages", "--limit"},
}

// InFlags returns the mistakes of a file that [PatchAsked.File] wrote. The user gave flags and has no such
// file, so that each mistake names the flag or argument in place of the line and the key.
func InFlags(err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var told []error
	for _, err := range joined.Unwrap() {
		e, ok := errors.AsType[*yamlfile.Error](err)
		if !ok {
			told = append(told, err)
			continue
		}
		flag := "--" + e.Field
		for _, f := range patchFlags {
			if strings.HasPrefix(e.Field, f[0]) || f[0][0] == '.' && strings.HasSuffix(e.Field, f[0]) {
				flag = f[1]
				break
			}
		}
		if name, ok := strings.CutPrefix(e.Field, "rules."); ok {
			flag += " " + name
		}
		mistake := fmt.Errorf("%s: %s", flag, e.Wants())
		if !slices.ContainsFunc(told, func(o error) bool { return o.Error() == mistake.Error() }) { // one for all stages
			told = append(told, mistake)
		}
	}
	return errors.Join(told...)
}
