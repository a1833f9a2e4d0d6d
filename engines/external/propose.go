package external

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/param"
	"sakusen/engines/plain"
)

// Proposal is what a study of an engine may tune.
type Proposal struct {
	Info  *Info
	Limit chess.Limit // that the engine keeps, and under which it moves within milliseconds
	// Recorded says why its games cannot be played again under the limit, empty where they can.
	Recorded string
	// Fresh says why each game needs a process of its own, empty where none does or where the
	// entry has it.
	Fresh string
	// NoNodes says why the limit is not one in nodes.
	NoNodes string
	Params  []Proposed // those that change the most moves, first
	LeftOut []leftOut
}

// leftOut is an option that is not proposed, and why.
type leftOut struct{ name, why string }

// mostReasons bounds the reasons that are told one by one, and mostNamed the options of each.
const mostReasons, mostNamed = 12, 30

// LeftOutLines returns each reason with the options that it leaves out, the first ones if
// there are many.
func (p *Proposal) LeftOutLines() (lines []string) {
	var reasons []string
	names := map[string][]string{}
	for _, o := range p.LeftOut {
		why := o.why
		if names[why] == nil && len(reasons) >= mostReasons {
			why = "for other reasons"
		}
		if names[why] == nil {
			reasons = append(reasons, why)
		}
		names[why] = append(names[why], plain.Near(o.name, "", 60))
	}
	for _, why := range reasons {
		all := names[why]
		if more := len(all) - mostNamed; more > 1 {
			all = append(all[:mostNamed], fmt.Sprintf("and %d more (sakusen engine show lists all)", more))
		}
		lines = append(lines, why+": "+strings.Join(all, ", "))
	}
	return lines
}

// Proposed is a parameter with the values that are to be tried.
type Proposed struct {
	Name, Default string
	Low, High     string   // of a number
	Choices       []string // of a switch or choice
	Takes         string   // what the engine takes, for people
	Moves         int      // in how many of [Positions] one of its values changes the move
	answers       int      // in how many it changes the move, the score or the work
}

const (
	proposedMove  = 2 * time.Millisecond // how long a move may take under the proposed limit
	proposedPlies = 1500                 // over which the engine plays without a fault under the limit
	// Positions are those in which it is seen what an option changes.
	Positions = 25
	// proposedMost are the most options of a first study: a search of four finds with 2 000 games nearly
	// all of what there is (docs/research/searches.md).
	proposedMost = 4
)

// plays returns the game of a program that does not speak UCI.
func (e *Entry) plays() string {
	return cmp.Or(e.Game, map[string]string{command: "external", JSONLines: "external", gtp: "go"}[e.Protocol], "ugi")
}

// Propose asks an engine what can be tuned: ranges about its defaults of all options that are
// ways to play and change what it does in some positions under the limit.
func (s *Engines) Propose(ctx context.Context, name string) (*Proposal, error) {
	e, err := s.entry(name)
	if err != nil {
		return nil, err
	}
	if e.Speaks() != "uci" {
		return nil, fmt.Errorf("engine %s: expected one that speaks uci, got %s: name the game as well, study new %s %s", name, e.Speaks(), e.plays(), name)
	}
	defer context.AfterFunc(ctx, s.Close)()
	defer s.trying("", 0, 0)
	p := &proposer{registered: registered{s, e}, positions: probes()}
	info, err := s.Describe(name)
	if err != nil {
		return nil, err
	}
	out := &Proposal{Info: info}
	plain, err := p.settle(ctx, out)
	if err != nil {
		return nil, err
	}
	for i := range info.Params {
		s.trying("what options do", i, len(info.Params))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o := &info.Params[i]
		one, why := o.propose()
		if why == "" && out.Limit.Depth > 0 && ofSearch(o.Name) {
			why = "by the name an option of the search, and games of a fixed depth do not tell what it costs or saves (the clock does)"
		}
		if why == "" {
			why, err = p.effect(out.Limit, &one, plain)
		}
		switch {
		case err != nil:
			return nil, err
		case why != "":
			out.LeftOut = append(out.LeftOut, leftOut{o.Name, why})
		default:
			out.Params = append(out.Params, one)
		}
	}
	for _, i := range info.LeftOut.Items {
		out.LeftOut = append(out.LeftOut, leftOut{strings.TrimPrefix(i.Field, "option "), "as they are not understood and cannot be tuned; engine show says why"})
	}
	out.choose()
	if len(out.Params) == 0 {
		return nil, fmt.Errorf("engine %s has no option that is known to change how it plays:%s", name, out.anyway())
	}
	if out.Recorded == "" && out.Fresh == "" {
		low, high := slices.Clone(info.Set), slices.Clone(info.Set)
		for _, x := range out.Params {
			a, b := x.Low, x.High
			if n := len(x.Choices); n > 0 {
				a, b = x.Choices[0], x.Choices[n-1]
			}
			low, high = append(low, Setting{x.Name, a}), append(high, Setting{x.Name, b})
		}
		out.Fresh, err = p.carries(out.Limit, info.defaults(), low, high)
	}
	return out, err
}

// choose keeps the options that change the most moves.
func (p *Proposal) choose() {
	slices.SortStableFunc(p.Params, func(a, b Proposed) int { return cmp.Or(b.Moves-a.Moves, b.answers-a.answers) })
	for _, x := range p.Params[min(proposedMost, len(p.Params)):] {
		p.LeftOut = append(p.LeftOut, leftOut{x.Name, fmt.Sprintf("to keep a first study small, as they change fewer of %d moves than the %d above, or as many", Positions, proposedMost)})
	}
	p.Params = p.Params[:min(proposedMost, len(p.Params))]
}

// anyway returns what was left out, and the lines of a study that tunes it nevertheless.
func (p *Proposal) anyway() string {
	text, kept, note := fmt.Sprintf("\n  %d further options are texts, files and buttons", len(p.Info.Other)), ", recorded: true", ""
	if len(p.LeftOut) == 0 {
		return text
	}
	if p.Recorded == "" && p.Fresh != "" {
		kept = ", fresh: true"
	} else if p.Recorded == "" {
		note = "   # its games are kept: options of strength play by chance; else leave it out"
	}
	command, _ := json.Marshal(p.Info.Command)
	return "\n  " + strings.Join(p.LeftOutLines(), "\n  ") + text + fmt.Sprintf(`
To tune one of them anyway, write a study file with its name in place of NAME:
  version: 1
  name: %[1]s-study
  game: chess
  engines: {%[1]s: {command: %[2]s%[4]s}}%[5]s
  rules: [{name: limit, value: %[3]q}]
  tune: {strategy: %[1]s, params: [{name: "NAME"}]}
  baseline: %[1]s
  budget: {games: 20000}`, p.Info.Name, command, p.Limit, kept, note)
}

// proposer tries what an engine does.
type proposer struct {
	registered
	positions []string
}

// probes returns positions of random games, from openings to endings.
func probes() []string {
	var out []string
	for i := uint64(0); len(out) < Positions; i++ {
		chance := arena.NewStream(7, i)
		var line chess.Line
		line.Reset(chess.Start())
		for plies := 8 + 35*(len(out)%5); len(line.Moves()) < plies && line.Ending() == chess.Open; {
			line.Do(line.Legal()[chance.IntN(len(line.Legal()))])
		}
		if line.Ending() == chess.Open {
			out = append(out, line.Now().FEN())
		}
	}
	return out
}

// settle finds the limit that the engine keeps, nodes or else a depth, and returns what it does
// under it in the positions.
func (p *proposer) settle(ctx context.Context, out *Proposal) (plain []answered, err error) {
	p.engines.trying("the limits that "+p.entry.Name+" keeps", 0, 0)
	for _, find := range []func() (chess.Limit, error){p.nodes, p.depth} {
		var id arena.Identity
		if out.Limit, err = find(); err == nil {
			id, err = p.identify(out.Limit)
		}
		if out.Recorded = id.Recorded; err == nil && id.Recorded != "" && !p.entry.Fresh {
			fresh := *p.entry
			fresh.Fresh = true
			if id, err = (registered{p.engines, &fresh}).identify(out.Limit); err == nil && id.Recorded == "" {
				out.Fresh, out.Recorded = out.Recorded, ""
			}
		}
		if err == nil {
			_, err = (&trial{p.registered, ctx, nil}).playsOn(out.Info.Set, out.Limit, proposedPlies)
		}
		if err == nil {
			plain, err = p.plays(out.Limit, nil)
		}
		if err == nil {
			return plain, nil
		}
		if out.NoNodes == "" {
			out.NoNodes = err.Error()
		}
	}
	return nil, fmt.Errorf("it obeys neither a limit in nodes nor one in plies: %w", err)
}

// nodes returns a limit in nodes, of one digit that counts.
func (p *proposer) nodes() (chess.Limit, error) {
	const first = 1000
	spent, err := p.spends(SearchLimit{Nodes: first})
	n := min(max(first*float64(proposedMove)/float64(max(spent, time.Microsecond)), 500), 10000)
	digit := math.Pow10(int(math.Log10(n)))
	return chess.Limit{Nodes: int64(digit * math.Floor(n/digit))}, err
}

// depth returns the largest limit in plies under which the engine moves fast enough.
func (p *proposer) depth() (chess.Limit, error) {
	depth := int64(0)
	for d := int64(1); d <= 8; d++ {
		spent, err := p.spends(SearchLimit{Depth: d})
		if err != nil && d == 1 {
			return chess.Limit{}, err
		}
		if err != nil || d > 1 && spent > 2*proposedMove {
			break
		}
		depth = d
	}
	return chess.Limit{Depth: depth}, nil
}

// spends returns how long a search takes on average.
func (p *proposer) spends(g SearchLimit) (time.Duration, error) {
	s, err := p.engines.Searcher(p.entry.Name, nil, 2*time.Second)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	var sum time.Duration
	for _, fen := range p.positions {
		r, err := s.Search(fen, g)
		if err != nil {
			return 0, err
		}
		if sum += r.Wall; r.CPU > 0 {
			sum += r.CPU - r.Wall // on a busy machine it waits for the processor
		}
	}
	return sum / time.Duration(len(p.positions)), nil
}

// answered is what an engine does in a position.
type answered struct {
	move string
	all  string // the move, and what else it tells
}

// plays returns what the engine does in the positions with a value of a parameter.
func (p *proposer) plays(limit chess.Limit, v param.Values) ([]answered, error) {
	s, err := p.engines.Searcher(p.entry.Name, v, 5*time.Second)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var out []answered
	for _, fen := range p.positions {
		r, err := s.Search(fen, SearchLimit{Nodes: limit.Nodes, Depth: limit.Depth})
		if err != nil {
			return nil, err
		}
		out = append(out, answered{r.Best, fmt.Sprint(r.Best, r.Scored, r.Score, r.Depth, r.Nodes)})
	}
	return out, nil
}

// effect counts what the values of a parameter change, and returns why it is of no use, empty where one of
// them changes what the engine does.
func (p *proposer) effect(limit chess.Limit, one *Proposed, plain []answered) (string, error) {
	values := []string{one.Low, one.High}
	if one.Choices != nil {
		values = one.Choices
	}
	for _, text := range values {
		if text == one.Default {
			continue
		}
		got, err := p.plays(limit, param.Values{{Name: one.Name, Text: text}})
		if err != nil {
			return fmt.Sprintf("with %s the engine fails: %.200s", text, strings.ReplaceAll(err.Error(), "\n", " ")), nil
		}
		moves, answers := 0, 0
		for i := range got {
			if got[i].move != plain[i].move {
				moves++
			}
			if got[i] != plain[i] {
				answers++
			}
		}
		one.Moves, one.answers = max(one.Moves, moves), max(one.answers, answers)
	}
	if one.answers == 0 {
		return fmt.Sprintf("no effect in %d positions at %s", len(p.positions), limit), nil
	}
	return "", nil
}

// propose returns what of an option is tried, or why it is left out.
func (o *option) propose() (p Proposed, why string) {
	p = Proposed{Name: o.Name, Default: o.Default, Takes: o.values()}
	if convention(o.Name) {
		return p, aside
	}
	switch o.Type {
	case "check":
		p.Choices = []string{"false", "true"}
		return p, ""
	case "combo":
		if p.Choices = o.Vars; len(o.Vars) < 2 {
			return p, "one value"
		}
		return p, ""
	case "string":
		x, _ := o.number()
		if x == 0 {
			return p, "a number without a range, and 0 by default"
		}
		around := func(a float64) string { return strconv.FormatFloat(x+a*math.Abs(x), 'g', 6, 64) }
		p.Low, p.High = around(-.5), around(.5)
		return p, ""
	}
	def, _ := strconv.ParseInt(o.Default, 10, 64)
	d := param.Whole(o.Min, o.Max)
	if x := float64(def); x < d.Low || x > d.High || d.Low == d.High {
		return p, "one value, or more than a real number counts"
	}
	// Half of the default to both sides, and of a default near 0 a tenth of the range.
	side := math.Ceil(max(math.Abs(float64(def))/2, min((d.High-d.Low)/10, 100), 1))
	p.Low, p.High = fmt.Sprintf("%.0f", max(d.Low, float64(def)-side)), fmt.Sprintf("%.0f", min(d.High, float64(def)+side))
	return p, ""
}

// aside says why an option by convention is left out.
const aside = "by the name a setting of the program or its strength"

// convention reports that an option is no way to play: a study tunes it only where its
// file names it.
func convention(name string) bool {
	words := nameWords(name)
	joined := strings.Join(words, "")
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(notPlayed[:], w) }) ||
		slices.ContainsFunc(notPlayedParts[:], func(part string) bool { return strings.Contains(joined, part) })
}

// ofSearch reports that an option decides how much is searched, by its name: what it is worth shows in time
// or nodes, not at a fixed depth.
func ofSearch(name string) bool {
	words := nameWords(name)
	joined := strings.Join(words, "")
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(searchWords[:], w) }) ||
		slices.ContainsFunc(searchParts[:], func(part string) bool { return strings.Contains(joined, part) })
}

// searchWords are words of names of options of the search, and searchParts what these have in them.
var (
	searchWords = [...]string{"lmr", "lmp", "rfp", "iid", "iir", "see", "nmp", "depth", "plies", "ply", "reduce", "aspiration", "margin", "qs", "nmr", "history", "selective", "verification", "delta", "lazy", "window"}
	searchParts = [...]string{"nullmove", "pruning", "prune", "futility", "razor", "reduction", "extension", "probcut", "multicut", "singular", "quiescence", "qsearch", "fulldepth", "latemove", "countermove", "movecount"}
)

// notPlayed are words of names of options that are no way to play, and notPlayedParts what
// these have in them, whatever is around it.
var (
	notPlayed = [...]string{"log", "logs", "logfile", "logging", "elo", "book", "books", "cache", "egtb", "egtbs", "tb", "tbs", "nps", "path", "file", "files", "dir", "directory",
		"time", "clock", "timer", "seed", "gpu", "backend", "memory", "ram", "mb", "resign", "level", "personality", "opponent", "rating", "wdl", "numa", "verbose", "verbosity", "learn", "learning", "test", "info"}
	notPlayedParts = [...]string{"hash", "thread", "ponder", "ownbook", "debug", "overhead", "tablebase", "bitbase", "syzygy", "gaviota", "nalimov", "random", "skill", "multipv", "nodestime", "slowmover", "movetime",
		"thinkingtime", "searchtime", "searchdepth", "maxdepth", "maxnodes", "nodelimit", "chess960", "limitstrength", "largepage", "affinity", "analys", "logfile", "nncache", "timeout", "nnue", "evalfile"}
)

// nameWords returns the words of an option's name in lower case: parted by what is no letter,
// and by capitals.
func nameWords(name string) []string {
	var out []string
	runes, from := []rune(name), 0
	cut := func(to int) {
		if to > from {
			out = append(out, strings.ToLower(string(runes[from:to])))
		}
		from = to
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			from = i + 1
		case i > from && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			cut(i)
		case i > from && unicode.IsDigit(r) != unicode.IsDigit(runes[i-1]):
			cut(i)
		}
	}
	cut(len(runes))
	return out
}
