package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"

	"sakusen/bench"
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/export"
)

// GameInfo is a game in JSON.
type GameInfo struct {
	Name        string       `json:"name"`
	Doc         string       `json:"doc"`
	Source      string       `json:"source"`
	Seats       int          `json:"seats"`        // under the default rules
	SeatsOption *string      `json:"seats_option"` // the option that sets them, or null
	Scored      bool         `json:"scored"`       // false: only metrics count
	Rules       []ParamInfo  `json:"rules"`
	Metrics     []metricInfo `json:"metrics"`
	Strategies  []string     `json:"strategies"`
	PaperNames  string       `json:"-"` // which names of its paper entrants may have
}

// metricInfo is a metric in JSON.
type metricInfo struct {
	Name  string  `json:"name"`
	Doc   string  `json:"doc"`
	Of    string  `json:"of"`
	Per   *string `json:"per"` // the denominator of a ratio, or null for a mean per game
	Scale float64 `json:"scale"`
	Lower bool    `json:"lower_is_better"`
}

// StrategiesInfo is one game's strategies in JSON.
type StrategiesInfo struct {
	Game       string            `json:"game"`
	Rules      map[string]string `json:"rules"` // under which the spaces are as told
	Strategies []StrategyInfo    `json:"strategies"`
	PaperNames string            `json:"-"` // which names of the game's paper entrants may have
}

// StrategyInfo is a strategy in JSON.
type StrategyInfo struct {
	Name   string      `json:"name"`
	Doc    string      `json:"doc"`
	Source string      `json:"source"`
	Params []ParamInfo `json:"params"`
}

// DescribeGame returns all that a game declares.
func DescribeGame(g *arena.Game) (GameInfo, error) {
	rs, err := g.OpenRules(nil)
	if err != nil {
		return GameInfo{}, err
	}
	options, err := g.RulesOptions()
	if err != nil {
		return GameInfo{}, err
	}
	r := GameInfo{
		Name: g.Name, Doc: g.Doc, Source: g.Source, Seats: rs.Seats, SeatsOption: optionalText(g.SeatsOption),
		Scored: !g.Unscored, Rules: describeParams(options), Metrics: []metricInfo{}, Strategies: []string{}, PaperNames: g.PaperNames,
	}
	for _, m := range g.Metrics {
		r.Metrics = append(r.Metrics, metricInfo{m.Name, m.Doc, m.Of, optionalText(m.Per), m.Factor(), m.Lower})
	}
	for _, s := range g.Strategies {
		r.Strategies = append(r.Strategies, s.Name)
	}
	return r, nil
}

// DescribeStrategies returns all that a game's strategies declare, or one of them; "" is all.
func DescribeStrategies(rs *arena.Ruleset, strategy string) (StrategiesInfo, error) {
	r := StrategiesInfo{Game: rs.Game.Name, Rules: rs.Rules.Map(), Strategies: []StrategyInfo{}, PaperNames: rs.Game.PaperNames}
	found := false
	for _, s := range rs.Game.Strategies {
		if strategy != "" && s.Name != strategy {
			continue
		}
		found = true
		space, err := rs.Space(s.Name)
		if err != nil && s.Outside {
			s.Doc += " It cannot be asked for its parameters: " + err.Error()
		} else if err != nil {
			return r, err
		}
		r.Strategies = append(r.Strategies, StrategyInfo{s.Name, s.Doc, s.Source, describeParams(space)})
	}
	if !found && strategy != "" {
		_, err := rs.Space(strategy)
		return r, err
	}
	return r, nil
}

// optionalText returns nil for an empty text.
func optionalText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// ParamInfo is a declared parameter, of a strategy or of the rules, in JSON.
// What its kind has no use for is null.
type ParamInfo struct {
	Name    string            `json:"name"`
	Kind    string            `json:"kind"` // int, float, bool or choice
	Doc     string            `json:"doc"`
	Default string            `json:"default"` // canonical text
	Low     *float64          `json:"low"`
	High    *float64          `json:"high"`
	Step    *float64          `json:"step"` // at which tuning looks
	Log     bool              `json:"log"`  // tuned on a logarithmic scale
	Choices []string          `json:"choices" null:"true"`
	When    []param.Condition `json:"when"`  // active only while all of these hold
	Tuned   bool              `json:"tuned"` // by a study that names no parameters
}

// describeParams turns declarations into JSON.
func describeParams(params []param.Param) []ParamInfo {
	reports := make([]ParamInfo, 0, len(params))
	for i := range params {
		p := &params[i]
		r := ParamInfo{
			Name: p.Name, Kind: p.Kind.String(), Doc: p.Doc, Default: p.Default,
			Choices: p.Choices, When: append([]param.Condition{}, p.When...), Tuned: !p.Fixed,
		}
		if p.Kind == param.Int || p.Kind == param.Float {
			d := p.Domain
			r.Low, r.High, r.Log = &d.Low, &d.High, d.Log
			if d.Step > 0 {
				r.Step = &d.Step
			}
		}
		reports = append(reports, r)
	}
	return reports
}

// Values reports for people which values there are.
func (p ParamInfo) Values() string {
	switch {
	case p.Low != nil:
		text := boundText(*p.Low) + ".." + boundText(*p.High)
		if p.Step != nil {
			text += " step " + strconv.FormatFloat(*p.Step, 'g', -1, 64)
		}
		if p.Log {
			text += " log"
		}
		return text
	case p.Kind == "bool":
		return "true, false"
	}
	return strings.Join(p.Choices, ", ")
}

// Conditions reports for people when the parameter is active.
func (p ParamInfo) Conditions() string {
	var texts []string
	for _, c := range p.When {
		texts = append(texts, c.String())
	}
	if len(texts) == 0 {
		return ""
	}
	return "only with " + strings.Join(texts, ", ") + ": "
}

// boundText returns an end of a range: with all its digits, and without an exponent where
// it is an integer.
func boundText(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e18 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Signature is the signature of a strategy's play.
type Signature struct {
	Game      string `json:"game"`
	Strategy  string `json:"strategy"`
	Signature string `json:"signature"` // sixteen hexadecimal digits
}

// Signatures returns those of all games' strategies under the default rules, or of
// one game's, or of the named strategies of that game.
func Signatures(ctx context.Context, games arena.Catalogue, args ...string) ([]Signature, error) {
	if len(args) > 0 {
		game, err := games.Game(args[0])
		if err != nil {
			return nil, Wrap(Invalid, err)
		}
		games = arena.Catalogue{game}
	}
	signs := []Signature{}
	for _, game := range games {
		rs, err := game.OpenRules(nil)
		if err != nil {
			return nil, err
		}
		var names []string
		if len(args) > 1 {
			names = args[1:]
		} else {
			names = ours(game)
		}
		for _, name := range names {
			if _, err := rs.Space(name); err != nil {
				return nil, Wrap(Invalid, err)
			}
			text, err := rs.Signature(ctx, name)
			if err != nil {
				return nil, err
			}
			signs = append(signs, Signature{game.Name, name, text})
		}
	}
	return signs, nil
}

// ours returns the strategies of a game that are built in, and no external programs.
func ours(g *arena.Game) []string {
	var names []string
	for _, s := range g.Strategies {
		if !s.Outside {
			names = append(names, s.Name)
		}
	}
	return names
}

// PlaySignature folds the signatures of all strategies of all games under the
// default rules: the first sixteen hexadecimal digits of the sha256 of the
// lines "game strategy:signature ...".
func PlaySignature(ctx context.Context, catalogue arena.Catalogue, step func(what string, done, of int)) (string, error) {
	h := sha256.New()
	defer step("", 0, 0)
	for i, g := range catalogue {
		step("the games of the signature", i, len(catalogue))
		names := ours(g)
		if len(names) == 0 {
			continue
		}
		rs, err := g.OpenRules(nil)
		if err != nil {
			return "", err
		}
		text, err := rs.Signatures(ctx, names...)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %s\n", g.Name, text)
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// SignatureText returns signatures as benchmark text: of each the upper and the lower
// 32 bits, which a gate holds equal.
func SignatureText(signs []Signature) string {
	var b strings.Builder
	fmt.Fprintf(&b, "goarch: %s\npkg: sakusen/strategies\nUnit %s assume=exact\nUnit %s assume=exact\n",
		runtime.GOARCH, bench.SignatureHi, bench.SignatureLo)
	for _, s := range signs {
		v, err := strconv.ParseUint(s.Signature, 16, 64)
		if err != nil { // a signature is sixteen hexadecimal digits
			panic(err)
		}
		fmt.Fprintf(&b, "BenchmarkSignature/%s/%s 1 %d %s %d %s\n", s.Game, s.Strategy, v>>32, bench.SignatureHi, v&0xffffffff, bench.SignatureLo)
	}
	return b.String()
}

// AskHelp is what the command ask says of itself.
const AskHelp = `Hands out games that are played outside Sakusen: on a cluster, by another
program, by a person. The study file declares the parameters of a program that Sakusen
never runs:

  game: external
  tune:
    strategy: bot
    declare:
      - {name: depth, kind: int, low: 1, high: 9, default: 3}
  baseline: bot

STUDY is such a file, which begins the study, or the name of a study that has begun.
Each line of output is one parameter set with blocks of games to play, as JSON:
entrants with their parameters, games (by seat, which entrant sits there), blocks
with their seeds, and the phase. Play every game of every block with its seed, and
give the results to sakusen study tell.

A line stays open until its results are told, also over restarts. --again prints open
lines once more, and --deadline hands them out to other callers after some time. The first
results that are told count.

With the verdict comes a last line {"done": ...}, as sakusen tune --json prints it.
Exit code: 0 games to play, 4 no games until open ones are told; with the verdict 0 pass,
1 fail, 3 undecided. docs/asktell.md has an example.`

// TellHelp is what the command tell says of itself.
const TellHelp = `Takes results of games that sakusen study ask handed out, one block a line, from FILE or
standard input:

  {"ask": 1, "block": 0, "params": [{"depth": 4}, {"depth": 3}],
   "games": [{"ranks": [1, 2]}, {"ranks": [2, 1]}]}

params are the parameters that were played, by entrant; they must equal those of the ask.
games are in the order of the ask; each has the result by seat ({"ranks": [1, 2]}, where
equal ranks are a draw, or {"scores": [3, 4.5]}), and "errors" and "metrics" if there are
any. "worker" may name the machine that played.

Either all lines are stored or none. Results are refused, each with its line, if their ask
is not open, if they were told before, if their parameters differ, or if they are
impossible. The search continues by itself when all open asks have been told. Exit code: 0
stored, 2 refused.`

// ImportHelp is what the command study import says of itself.
const ImportHelp = `Writes a study file from a file of another tuner, to standard output:

  name, int, 50, 0, 100, 5, 0.002    lines of OpenBench: name, int or float,
                                     value, min, max, c_end, r_end; fishtest's
                                     have no type
  {"P": {"value": 50, ...}}          config.json of weather-factory
  {"parameter_ranges": {...}}        JSON of chess-tuning-tools

With --engine NAME it is a study of chess that tunes the options of this registered engine
against the values of the file; the engine is asked for its options, and a name or range that
it does not have is refused with its line. The JSON of chess-tuning-tools names its engines itself.
Otherwise the games are played outside Sakusen (sakusen study ask --help). A setting
without a counterpart is named in a comment, or refused with its line. sakusen export
writes results in the same formats.`

// ImportStudy returns a study file made of another tuner's file. The name, unless given, is
// that of the file.
func ImportStudy(file string, text []byte, t export.Target) ([]byte, error) {
	if t.Name == "" {
		t.Name = export.StudyNameOf(file)
	}
	f, err := export.ReadForeign(file, text)
	if err != nil {
		return nil, Mistakes("the file has mistakes", err)
	}
	out, err := f.Study(t)
	return []byte(out), Mistakes("the file has mistakes", err)
}
