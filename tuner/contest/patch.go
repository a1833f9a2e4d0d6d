package contest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
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
		if _, given := rules.Get(game.SeatsOption); len(errs) > 0 && game.SeatsOption != "" && !given {
			f.Fail("game", "a game with a winner and two seats", f.Game+": "+errs[0].Error())
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
		f.Fail("test.base", "another entrant than test.new", f.Base)
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

// PatchOptions say how a test is played.
type PatchOptions struct {
	Host arena.Host
	// Progress, unless nil, is told the number of blocks played so far, of how many, which is 0
	// as nobody knows, and the games of the last ones.
	Progress func(blocks, of, games int64)
	// Each, unless nil, is called after every look, from which Report tells what is known.
	Each func()
}

// Play plays the stages up to the first that does not pass. Blocks that the host keeps are not
// played again, so that a test that was interrupted goes on where it stopped.
func (f *Patch) Play(ctx context.Context, o PatchOptions) error {
	before := int64(0)
	for i := range f.Stages {
		m := f.Stages[i].match
		told := int64(0)
		tell := func(to, games int64) {
			if told += games; o.Progress != nil {
				o.Progress(before+to, 0, games)
			}
		}
		m.Progress = func(to, games int64, _ func() string) {
			tell(to, games)
			if o.Each != nil {
				o.Each()
			}
		}
		if err := m.Play(ctx, o.Host); err != nil {
			return err
		}
		tell(m.Tally.Blocks, m.Tally.Games-told) // the run in which it was decided
		before += m.Tally.Blocks
		if m.Look.Verdict != stats.H1 {
			return nil
		}
	}
	return nil
}

// The verdicts of a test.
const (
	PatchPasses       = "pass"
	PatchFails        = "fail"
	PatchInconclusive = "inconclusive"
)

// PatchReport is the JSON of the command test.
type PatchReport struct {
	Name string `json:"name"`
	Game string `json:"game"`
	New  string `json:"new"`
	Base string `json:"base"`
	// Verdict is pass, fail or inconclusive; empty while the test is played.
	Verdict string             `json:"verdict"`
	Reason  string             `json:"reason,omitempty"`
	Games   int64              `json:"games"`
	Alpha   float64            `json:"alpha"`
	Beta    float64            `json:"beta"`
	Stages  []PatchStageReport `json:"stages"` // those that were begun
	// Text is what authors of engines write into the commit.
	Text string `json:"text"`
	// Replayed is what was played again and was the same; nil where nothing was.
	Replayed *entry.Replayed `json:"replayed,omitempty"`
	Notes    []string        `json:"notes,omitempty"`
}

// PatchStageReport is what came of a stage.
type PatchStageReport struct {
	Limit    string     `json:"limit,omitempty"`
	Setup    string     `json:"setup,omitempty"` // of the new player: "Threads=1 Hash=16MB"
	Bounds   [2]float64 `json:"bounds"`
	MaxGames int64      `json:"max_games"`
	// Elo allows for the early stop where the stage has ended.
	Elo     stats.Number   `json:"elo"`
	EloCI95 stats.Interval `json:"elo_ci95"`
	Draws   stats.Number   `json:"draws"` // share of the games
	// Losses on time, and by all other faults of a program, of the new player and of its base.
	TimeLosses [2]int64 `json:"time_losses"`
	Faults     [2]int64 `json:"faults"`
	// Path is the log-likelihood ratio after so many games, thinned.
	Path    []PatchLook   `json:"path"`
	Workers []PatchWorker `json:"workers,omitempty"`
	Match   *Report       `json:"match"`
}

// PatchLook is a look of a stage's test.
type PatchLook struct {
	Games int64   `json:"games"`
	LLR   float64 `json:"llr"`
}

// PatchWorker is what one machine has played of a stage.
type PatchWorker struct {
	Worker  string         `json:"worker"` // empty for the daemon's own
	Games   int64          `json:"games"`
	Penta   [5]int64       `json:"penta"`
	Elo     stats.Number   `json:"elo"`
	EloCI95 stats.Interval `json:"elo_ci95"`
	// Residual is the chance that a sound worker differs from the others as much; null
	// where too little was played.
	Residual stats.Number `json:"residual_p"`
}

// PatchWorkers are what machines have played of a stage, from the histograms of their blocks'
// scores by name.
func PatchWorkers(counts map[string][]int64) []PatchWorker {
	var out []PatchWorker
	for name, own := range counts {
		if len(own) != 5 || slices.Max(own) == 0 {
			continue
		}
		w := PatchWorker{Worker: name, Penta: [5]int64(own)}
		var others [5]int64
		for other, n := range counts {
			for i := range n {
				w.Games += map[bool]int64{true: 2 * n[i]}[other == name]
				others[min(i, 4)] += map[bool]int64{false: n[i]}[other == name]
			}
		}
		est := stats.Rotated(2, own).Estimate()
		w.Elo, w.EloCI95 = est.Elo, est.EloCI
		if h, err := stats.Suspect(stats.Rotated(2, own), stats.Rotated(2, others[:])); err == nil {
			w.Residual = h.P
		}
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b PatchWorker) int { return cmp.Compare(a.Worker, b.Worker) })
	return out
}

// Report returns what is known of a test, which need not have ended.
func (f *Patch) Report() (*PatchReport, error) {
	r := &PatchReport{Name: f.Name, Game: f.Game, New: f.New, Base: f.Base, Alpha: f.Alpha, Beta: f.Beta, Stages: []PatchStageReport{}}
	for i := range f.Stages {
		s := &f.Stages[i]
		m := s.match
		if m.Tally.Blocks == 0 {
			break
		}
		part, err := s.report()
		if err != nil {
			return nil, err
		}
		r.Stages = append(r.Stages, *part)
		r.Games += m.Tally.Games
		r.Notes = append(r.Notes, part.Match.Notes...)
		switch {
		case !m.Look.Done():
			r.Verdict, r.Reason = "", ""
		case m.Look.Verdict == stats.H1:
			if r.Reason = m.Look.Reason; i == len(f.Stages)-1 {
				r.Verdict = PatchPasses
			}
		case m.Look.Verdict == stats.H0:
			r.Verdict, r.Reason = PatchFails, m.Look.Reason
		default:
			r.Verdict, r.Reason = PatchInconclusive, m.Look.Reason
		}
	}
	r.Text = r.text()
	return r, nil
}

// report returns what is known of a stage.
func (s *PatchStage) report() (*PatchStageReport, error) {
	m := s.match
	whole, err := m.Report()
	if err != nil {
		return nil, err
	}
	limit, _ := m.Series.Ruleset.Rules.Get("limit")
	setup, err := m.Series.Ruleset.Setup(m.Series.Entrants[0].Strategy)
	if err != nil {
		return nil, err
	}
	first := &whole.Entrants[0]
	r := &PatchStageReport{Limit: limit, Setup: setup, Bounds: [2]float64(s.Bounds), MaxGames: s.MaxGames, Match: whole, Path: m.path.until(PatchLook{m.Tally.Games, m.Look.LLR}), Elo: first.Elo, EloCI95: first.EloCI95}
	if u := &whole.SPRT.Unbiased; m.Look.Done() && u.Elo.Defined && u.EloCI95.Defined() {
		r.Elo, r.EloCI95 = u.Elo, u.EloCI95
	}
	if m.Tally.Games > 0 {
		r.Draws = stats.Known(float64(first.Draws) / float64(m.Tally.Games))
	}
	overtime := m.Series.Ruleset.Component("overtime")
	for i := range r.Faults {
		t := &m.Tally.Entrants[i]
		if r.Faults[i] = t.Faults; overtime >= 0 {
			r.TimeLosses[i] = t.Sums[overtime]
			r.Faults[i] = max(0, r.Faults[i]-r.TimeLosses[i])
		}
	}
	return r, nil
}

// text writes the stages as authors of engines write them into the commit.
func (r *PatchReport) text() string {
	var parts []string
	for i := range r.Stages {
		s := &r.Stages[i]
		first, test := &s.Match.Entrants[0], s.Match.SPRT
		var b strings.Builder
		if s.Elo.Defined && s.EloCI95.Defined() {
			fmt.Fprintf(&b, "Elo   | %.2f +- %.2f (95%%)\n", s.Elo.Value, s.EloCI95.Half())
		} else {
			b.WriteString("Elo   | unknown\n")
		}
		fmt.Fprintf(&b, "SPRT  | %s\n", strings.TrimSpace(cmp.Or(limitText(s.Limit), r.Game)+" "+s.Setup))
		fmt.Fprintf(&b, "LLR   | %.2f (%.2f, %.2f) [%.2f, %.2f] %s\n", test.LLR, test.Lower, test.Upper, test.Elo0, test.Elo1, test.Model)
		fmt.Fprintf(&b, "Games | N: %d W: %d L: %d D: %d\n", s.Match.Games, first.Wins, first.Losses, first.Draws)
		if s.Match.Penta != nil {
			fmt.Fprintf(&b, "Penta | [%s]\n", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(*s.Match.Penta)), ", "), "[]"))
		}
		parts = append(parts, b.String())
	}
	return strings.Join(parts, "\n")
}

// limitText writes a limit as commits do: "8.0+0.08s" for a clock.
func limitText(limit string) string {
	clock, ok := strings.CutPrefix(limit, "clock:")
	base, increment, both := strings.Cut(clock, "+")
	seconds, err := strconv.ParseFloat(base, 64)
	if !ok || !both || err != nil {
		return limit
	}
	return numeral.Text(seconds) + "+" + increment + "s"
}

// path is the log-likelihood ratio over the blocks, in at most pathMost looks spread evenly.
type path struct {
	every int64 // blocks between two looks that are kept
	all   []PatchLook
}

const pathMost = 400

// add notes a look after so many blocks of so many games each. What is kept hangs on the
// blocks alone, so that a test which was interrupted has the same path.
func (p *path) add(blocks, games int64, llr float64) {
	p.every = max(p.every, lookEvery)
	if blocks%p.every != 0 {
		return
	}
	p.all = append(p.all, PatchLook{games, llr})
	if len(p.all) < pathMost {
		return
	}
	p.every *= 2
	kept := p.all[:0]
	for i := 1; i < len(p.all); i += 2 {
		kept = append(kept, p.all[i])
	}
	p.all = kept
}

// until returns what is kept, and the last look behind it.
func (p *path) until(last PatchLook) []PatchLook {
	out := slices.Clone(p.all)
	if len(out) == 0 || out[len(out)-1].Games < last.Games {
		out = append(out, last)
	}
	return out
}
