package studyfile

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/studyfile/yamlfile"
)

// Bounds and defaults of a study file; docs/keys.md gives the reasons.
const (
	// version is the version of the study file format that this program reads.
	version       = 1
	defaultTrials = 64
	defaultBatch  = 8
	maxBatch      = 1024
	maxTrials     = 1e7
	// anyInt bounds games: integers that a real number holds exactly.
	anyInt = 1 << 52
	// maxBlocks bounds the blocks that one field may ask for, so that no sum of games leaves
	// 64 bits.
	maxBlocks = int64(1e12)
)

// Keys returns the table of the keys of a study file, in the order in which they are read and
// listed. The reader of the file, docs/keys.md, `sakusen study keys`, the schema for editors
// and the form of the web pages all follow from it. A key is added by a row here and a field of
// that name in [tuner.Spec]. Where its default or what it goes with hangs on the game, the
// sampler or the budget, the function that fills in its part of the spec says so.
func Keys(samplers Samplers) []yamlfile.Key {
	sampler := "text"
	if samplers != nil {
		sampler = "`" + strings.Join(samplers.Names(), "`, `") + "`"
	}
	const bounds, either, beside, alone = "two bounds, [H0, H1] in Elo", "a range or choices, not both", "none beside of: pareto: each of the objectives has its own", "none with evaluate: {mode: pool}, whose generations are the sampler's"
	const noMetric, noGoal = "no metric of a score objective", "no goal of a score objective"
	const trueOrFalse, over, goal, elo = "`false`, `true`", "`mean`, `worst`", "`minimize`, `maximize`", "list of number -1000..1000"
	return []yamlfile.Key{
		{Path: "version", Values: "integer 1..1", Default: "required", Need: "version: 1", Doc: "the version of the format"},
		{Path: "name", Values: "name", Default: "required", Need: yamlfile.WantName, Field: "name", Label: "Name", Doc: "the study's name in the database: the same name resumes the study"},
		{Path: "doc", Values: "text", Default: "none", Field: "doc", Label: "Question", Doc: "the question in words"},
		{Path: "game", Values: "text", Default: "required", Need: "the name of a game", Field: "game", Label: "Game", Doc: "`sakusen game list` lists them"},
		{Path: "rules", Values: "values", Default: "the game's", Doc: "the game's options"},
		{Path: "engines", Values: "any", Default: "none", Doc: "programs of other people that the file brings itself, written as in config.yaml ([engines.md](engines.md)). `sakusen tune FILE` and `study check FILE` run them; a daemon refuses such a file, and runs the engines of its own config.yaml"},

		{Path: "tune", Values: "mapping", Default: "required", Need: "what is tuned: a mapping with strategy", Doc: "what is tuned"},
		{Path: "tune.strategy", Values: "text", Default: "required", Need: "the name of a strategy", Field: "strategy", Label: "Strategy", Doc: "`sakusen game strategies GAME` lists them with their parameters"},
		{Path: "tune.declare", Values: "list of mapping", Default: "none", Items: yamlfile.Bounds{Least: 1, Most: 1000, Want: "1 to 1000 parameters"}, Doc: "the parameters of a program that is never run here, with `game: external`: you ask which games to play, and tell their results ([asktell.md](asktell.md))"},
		{Path: "tune.declare[].name", Values: "text", Default: "required", Need: "the name of a parameter", Doc: "what the program calls it"},
		{Path: "tune.declare[].kind", Values: "`int`, `float`, `bool`, `choice`", Default: "float", Doc: "which values it takes"},
		{Path: "tune.declare[].default", Values: "text", Default: "required", Need: "the value that the program has now", Doc: "the value that the program has now"},
		{Path: "tune.declare[].low", Values: "number", Default: "required of numbers", Doc: "the lower end of its range"},
		{Path: "tune.declare[].high", Values: "number", Default: "required of numbers", Doc: "the upper end of its range"},
		{Path: "tune.declare[].step", Values: "number from 0", Default: "none", Doc: "distance of the values that tuning visits"},
		{Path: "tune.declare[].log", Values: trueOrFalse, Default: "false", Doc: "equal ratios are equal steps"},
		{Path: "tune.declare[].choices", Values: "list of text", Default: "none", Doc: "the values of a choice"},
		{Path: "tune.declare[].doc", Values: "text", Default: "none", Doc: "what it does"},
		{Path: "tune.others", Values: "list of program", Default: "none", When: "declare", Items: yamlfile.Bounds{Most: 256, Want: "at most 256 names"}, Doc: "names of programs without parameters, which may be baseline or pool"},
		{Path: "tune.metrics", Values: "list of program", Default: "none", When: "declare", Items: yamlfile.Bounds{Most: 4, Want: "at most 4 names"}, Doc: "names of at most four numbers that you report for every game, for `objective` and its limits"},
		{Path: "tune.fix", Values: "values", Default: "none", Doc: "parameters that keep one value; or the path of a file that `export` wrote, whose values are used, except those that `tune.params` names"},
		{Path: "tune.params", Values: "list of mapping", Default: "every tunable parameter", Items: yamlfile.Bounds{Least: 1, Want: "at least one parameter (without the key, all that a study tunes by default are tuned)"}, Doc: "the tuned ones. The default leaves out conventions of a paper, options of an engine such as its hash, and what a fixed value switches off"},
		{Path: "tune.params[].name", Values: "text", Default: "required", Need: "the name of a parameter", Doc: "a parameter that the strategy declares"},
		{Path: "tune.params[].low", Values: "number", Default: "as declared", Later: true, Not: map[string]string{"choices": either}, Doc: "a range may be narrowed, not widened. A parameter with one value left keeps it in every trial, and no sampler sees it; if all have one value, that parameter set is proved. Integers lie in -2^53..2^53, and a range has at most 2^53 steps"},
		{Path: "tune.params[].high", Values: "number", Default: "as declared", Later: true, Not: map[string]string{"choices": either}, Doc: "likewise"},
		{Path: "tune.params[].step", Values: "number above 0", Default: "as declared", Later: true, Not: map[string]string{"choices": either}, Doc: "distance of the values that tuning visits. Play takes any value of the range"},
		{Path: "tune.params[].log", Values: trueOrFalse, Default: "as declared", Not: map[string]string{"choices": either}, Doc: "equal ratios are equal steps; not together with a step"},
		{Path: "tune.params[].int_scale", Values: "number 1e-9..1e9", Default: "none", Not: map[string]string{"choices": "int_scale or choices, not both"}, Doc: "for an integer option of an engine: it is tuned as a real number x and set to the integer nearest to x times this. `low`, `high` and `step` are those of x ([engines.md](engines.md#a-real-number-as-an-integer-option))"},
		{Path: "tune.params[].choices", Values: "list of text", Default: "as declared", Items: yamlfile.Bounds{Least: 1, Want: "at least one choice"}, Doc: "in place of a range: the values that are tried, numbers too"},

		{Path: "baseline", Values: "entrant", Default: "required for a score", Field: "baseline", Label: "Baseline", Doc: "the frozen opponent: an entrant's text (`MP70/ED1SP`, `mp(start_squares=70)`), or a mapping of `strategy` and `params`, a list of `name` and `value`"},
		{Path: "pool", Values: "list of entrant", Default: "none", Field: "pool", Label: "Pool", Items: yamlfile.Bounds{Most: 256, Want: "at most 256 entrants"}, Not: map[string]string{"evaluate.mode: pool": "none, as a generation plays itself", "evaluate.mode: duels": "none, as candidates meet each other"}, Doc: "at most 256 further opponents, each written as `baseline` is"},

		{Path: "evaluate", Values: "mapping", Default: "duels or baseline", Doc: "opponents of the candidates; [duels](studies.md#whom-candidates-meet) where game and objective allow them"},
		{Path: "evaluate.mode", Values: "`pool`, `duels`, `baseline`", Default: "required", Need: "mode: baseline, duels or pool", Field: "mode", Label: "Candidates meet", Doc: "`baseline`: the baseline and the pool. `duels`: pairs of trials meet each other, two seats and a score without limits only; the baseline is kept for validation. `pool`: a generation plays itself (coevolution)"},
		{Path: "evaluate.group", Values: "integer from 1", Default: "seats less one", When: "mode: pool", Later: true, Doc: "members of the generation in each game"},
		{Path: "evaluate.filler", Values: "entrant", Default: "required of a pool", When: "mode: pool", Field: "filler", Label: "Filler of a pool's tables", Doc: "the entrant in the other seats; also the baseline, unless there is one"},
		{Path: "evaluate.rounds", Values: "integer 1..1000", Default: "5", When: "mode: pool", Doc: "regroupings of a generation"},
		{Path: "evaluate.games", Values: "integer from 1", Default: "four rotations", When: "mode: pool", Later: true, Doc: "games of a round, a multiple of the seats"},

		{Path: "objective", Values: "mapping", Default: "`{of: score}`", Doc: "what is maximised or minimised"},
		{Path: "objective.of", Values: "`score`, `metric`, `pareto`", Default: "score", Doc: "`score`: mean score per game. `metric`: a quantity that the game measures. `pareto`: several at once"},
		{Path: "objective.metric", Values: "text", Default: "required for a metric", Field: "metric", Label: "Objective", Not: map[string]string{"of: score": noMetric, "of: pareto": beside}, Doc: "its name (`sakusen game list`)"},
		{Path: "objective.over", Values: over, Default: "mean", Not: map[string]string{"of: pareto": beside}, Doc: "over baseline and pool: the `mean`, or the `worst` opponent"},
		{Path: "objective.goal", Values: goal, Default: "the metric's own direction", Not: map[string]string{"of: score": noGoal, "of: pareto": beside}, Doc: "which values of a metric are better"},
		{Path: "objective.relative", Values: trueOrFalse, Default: "false", Not: map[string]string{"of: pareto": beside}, Doc: "the metric's ratio to the baseline's. The baseline (without one: the strategy's defaults) plays in the candidate's place on the same blocks, so what the blocks have in common cancels. Only for means per game"},
		{Path: "objective.objectives", Values: "list of mapping", Default: "required for `pareto`", When: "of: pareto", Want: "a mapping, such as {of: score} or {of: metric, metric: NAME}", Items: yamlfile.Bounds{Least: 2, Most: 4, Want: "a list of 2 to 4 objectives"}, Doc: "two to four objectives"},
		{Path: "objective.objectives[].of", Values: "`score`, `metric`", Default: "score", Doc: "as above"},
		{Path: "objective.objectives[].metric", Values: "text", Default: "required for a metric", Not: map[string]string{"of: score": noMetric}, Doc: "as above"},
		{Path: "objective.objectives[].over", Values: over, Default: "mean", Doc: "as above"},
		{Path: "objective.objectives[].goal", Values: goal, Default: "the metric's own direction", Not: map[string]string{"of: score": noGoal}, Doc: "as above"},
		{Path: "objective.objectives[].relative", Values: trueOrFalse, Default: "false", Doc: "as above"},
		{Path: "objective.weights", Values: "list of number 0..1e9", Default: "none: the knee", When: "of: pareto", Doc: "one number an objective: which point of the front is validated"},
		{Path: "objective.limits", Values: "list of mapping", Default: "none", Items: yamlfile.Bounds{Most: 256, Want: "at most 256 limits"}, Doc: "a candidate outside a limit ranks below all that are inside, and samplers learn a value for it that is no better than the worst value inside. A study fails if its winner is outside on the validation's blocks"},
		{Path: "objective.limits[].metric", Values: "text", Default: "required", Need: "the name of a metric", Doc: "a metric, its mean over all opponents"},
		{Path: "objective.limits[].max", Values: "number", Default: "none", Doc: "upper bound of the mean"},
		{Path: "objective.limits[].min", Values: "number", Default: "none", Doc: "lower bound of the mean"},
		{Path: "objective.limits[].max_ratio", Values: "number above 0", Default: "none", Doc: "upper bound of its ratio to the baseline's mean in the candidate's place on the same blocks: `{metric: work, max_ratio: 1.5}` is at most half as much again"},
		{Path: "objective.limits[].min_ratio", Values: "number above 0", Default: "none", Doc: "lower bound of that ratio"},

		{Path: "budget", Values: "mapping", Doc: "the budget may be raised after the study has begun. `validation.replay`, `validation.estimate` and `validation.set_back` may change until the verdict, `doc` without effect; another value of any other key makes another study"},
		{Path: "budget.trials", Values: "integer 1..1e7", Default: "as many as the games allow if `budget.games` is set or the sampler's answer comes from a model, else 64", Field: "trials", Label: "Trials at most", Doc: "parameter sets at most"},
		{Path: "budget.games", Values: "integer from 1", Default: "40000", Field: "games", Label: "Games at most, in all", Doc: "games at most, those of final and validation included. A batch is proposed only if the games left suffice for it on every rung"},

		{Path: "sampler", Values: "mapping", Default: "chosen", Doc: "the search that proposes parameter sets; [chosen](studies.md#who-proposes) by the kind of study"},
		{Path: "sampler.name", Values: sampler, Meant: map[string]string{"cmaes": "goptuna-cmaes, or tpe for a metric and surface for a score"}, Default: "chosen", Field: "sampler", Label: "Sampler", Doc: "name of the search that proposes parameter sets, see [search](search.md)"},
		{Path: "sampler.seed", Values: "seed", Default: "1", Field: "seed", Label: "Seed", Doc: "the seed of proposals and of the blocks of search and final; validation seeds are derived from it, the name, the file and the attempt"},
		{Path: "sampler.options", Values: "values", Default: "none", Doc: "the sampler's own options: `sakusen study keys sampler.options` lists them"},
		{Path: "sampler.batch", Values: "integer 1..1024", Default: "8, or the sampler's", Field: "batch", Label: "Batch", Doc: "trials proposed at once. Results depend on it, and not on the number of workers"},
		{Path: "sampler.flight", Values: "integer 1..8", Default: "1", Doc: "batches that play at the same time. With 2 the next batch is proposed and plays while the one before ends. Take as many as give each worker six to eight games: see [workers at rest](research/scaling.md#workers-at-rest). Results depend on it, and not on the number of workers"},

		{Path: "race", Values: "mapping", Default: "halving, or the sampler's", Field: "race", Label: "Race", Not: map[string]string{"evaluate.mode: pool": "none, as a generation plays itself"}, Doc: "how the trials of a batch are judged"},
		{Path: "race.method", Values: "`halving`, `none`", Default: "halving, or the sampler's", Field: "race", Label: "Race", Doc: "`halving`: at every rung the better share goes on; this saves games and has no error rate. `none`: no trial is stopped"},
		{Path: "race.keep", Values: "number 0.01..0.99", Default: "0.5, or the sampler's", Doc: "the share that goes on"},
		{Path: "race.blocks", Values: "`shared`, `fresh`", Default: "shared, or the sampler's", Doc: "`shared`: all batches meet the same blocks, so that all trials compare. `fresh`: each batch meets its own, which a model of all games prefers"},
		{Path: "race.rungs", Values: "list of integer 1..1e12", Default: "8, 16, 32, 64, 128", Items: yamlfile.Bounds{Least: 1, Want: "at least one rung"}, Doc: "after how many blocks, counted from its first, a trial is judged; one rung without a race"},
		{Path: "race.incumbent", Values: "`true`, `false`", Default: "true where it can stop a trial", Doc: "the incumbent plays with every batch, and a trial that is significantly behind it on their common blocks is stopped. Needs a rung of 16 blocks or more before the last, one objective, `over: mean`, and a sampler without a model's answer"},
		{Path: "race.alpha", Values: "number 1e-9..0.5", Default: "0.05", Doc: "of the trials as good as the incumbent, the share that the test against it may stop, over all looks together"},

		{Path: "final", Values: "mapping", Doc: "the best few on new seeds"},
		{Path: "final.top", Values: "integer 0..1000", Default: "5", Doc: "the best few race again on new seeds, so that luck in the search does not decide between them. 0 or 1: none. A model's answer needs no final. If it exceeds one of `objective.limits`, the 4 parameter sets inside the limits that are nearest to it race"},
		{Path: "final.blocks", Values: "integer 0..1e12", Default: "a tenth of the games", Doc: "blocks of each"},

		{Path: "validation", Values: "mapping", Doc: "the proof of the winner against the baseline"},
		{Path: "validation.gain_elo", Values: elo, Default: "[0, 10]", Field: "gain", Label: "Gain to prove, Elo", Items: yamlfile.Bounds{Least: 2, Most: 2, Want: bounds}, Doc: "two bounds in Elo: pass if the games show a gain above the first, fail if they show one below the second. The second is the smallest gain that is worth having to you: with enough games a true gain that large fails with the chance `beta`, and a gain half as large fails more often than not"},
		{Path: "validation.regression_elo", Values: elo, Default: "none", Items: yamlfile.Bounds{Least: 2, Most: 2, Want: bounds}, Not: map[string]string{"gain_elo": "gain_elo or regression_elo, not both"}, Doc: "in place of `gain_elo`: [-10, 0] passes an answer that is shown to be weaker by less than 10 Elo, or stronger"},
		{Path: "validation.rules", Values: "values", Default: "those of `rules`", Doc: "options of the rules that the proof changes, such as a longer limit or another book. What is played after a pass is played under them too, and attempts are counted by them"},
		{Path: "validation.replay", Values: "number 0..1", Default: "1 %, but 300 of fewer than 30 000 blocks, and never more than a tenth", Doc: "share of all blocks that is played again before the verdict and compared with its record. See [played again](studies.md#played-again)"},
		{Path: "validation.alpha", Values: "number 1e-9..0.5", Default: "0.025", Doc: "chance of a false pass, shared by all attempts at the same question: a game under its rules, a strategy, and a baseline. A baseline with another text that plays the same games is the same. Renamed and deleted studies count, those of other databases do not"},
		{Path: "validation.beta", Values: "number 1e-9..0.5", Default: "0.05", Doc: "chance of a false fail"},
		{Path: "validation.plan", Values: "`group`, `fixed`", Default: "group", Doc: "`group` looks up to 17 times and stops when the verdict is clear; both chances of error hold over all looks, and its estimate and interval allow for the early stop. `fixed` plays all blocks and looks once"},
		{Path: "validation.pairs", Values: "`all`, `played`", Default: "`all` where it can be, else `played`", Doc: "`all`: every game of the winner is compared with every game of the baseline, in games such as Battleship where both play alone and the faster wins. Intervals are then as narrow as with 1.4 to 2.2 times as many games ([statistics](statistics.md#races)). `played`: games count as they were played; the default with several objectives"},
		{Path: "validation.max_blocks", Values: "integer 1..1e12", Default: "30 % of the games", Field: "proof", Label: "Blocks of the proof at most", Later: true, Doc: "blocks of the validation at most; the plan `group` nearly always needs fewer. With samplers other than surface the default is half of the games for a budget of at most 5 000 games, and 20 % for a larger one with 9 parameters or more. The plan `group` adds a tenth to the default"},
		{Path: "validation.estimate", Values: "integer 0..1e12", Default: "an eighth of `max_blocks`, at most a quarter of the search's games", Later: true, Doc: "blocks that are played only after a pass. The gain to quote is that of these and of the blocks that the validation did not need, because games of the verdict show too much ([statistics](statistics.md#the-gain-to-quote)). 0: none; the gain is then that of the verdict's blocks, which is too high"},
		{Path: "validation.set_back", Values: "number 0..0.5", Default: "0.1", Doc: "after a pass, at most this share of `budget.games` measures what each parameter is worth: the answer plays against itself with that parameter set back to the baseline. A further share of half this size (for external programs of the same size) plays against the strategy's defaults, where these are not the baseline. 0: none"},
		{Path: "validation.pool", Values: "`report`, `none_worse`", Default: "report", Doc: "with a pool: `report` tells how the winner stands against each member. `none_worse` makes it part of the verdict: fail if a member is shown to be better (level `beta` over the members), undecided unless the games show that no member is better than the winner by more than the margin (at the attempt's alpha)"},
		{Path: "validation.pool_margin", Values: "number 0.1..400", Default: "20", Doc: "how many Elo the winner may be weaker than a member and still count as no worse"},
		{Path: "validation.pool_blocks", Values: "integer 0..1e12", Default: "a quarter of the blocks; all with `none_worse`", Later: true, Doc: "blocks against each member, reserved in the budget; 0: none"},

		{Path: "begin", Values: "list of any", Default: "none", Field: "begin", Label: "Points to try first", Items: yamlfile.Bounds{Most: 256, Want: "at most 256 points"}, Not: map[string]string{"evaluate.mode: pool": alone}, Doc: "at most 256 points that are tried first, each a mapping of parameters to values: `[{start_squares: 12, place.kind: random}]`. Other parameters have the baseline's value if the baseline plays the tuned strategy, else the default"},
		{Path: "begin_from", Values: "text", Default: "none", Field: "begin_from", Label: "Games of an earlier study", Not: map[string]string{"evaluate.mode: pool": alone}, Doc: "the name of an earlier study in the same database: the sampler learns from the games of its search before the new search begins"},
	}
}

// Plain returns a text without the links of Markdown.
func Plain(text string) string { return markdownLink.ReplaceAllString(text, "$1") }

var markdownLink = regexp.MustCompile(`\[([^\]]+)\]\(([^)]*)\)`)

// Describe returns the keys of study files, or one and those below it, without links.
func Describe(name string, samplers Samplers) ([]yamlfile.Key, error) {
	var out []yamlfile.Key
	var names []string
	for _, k := range Keys(samplers) {
		names = append(names, k.Path)
		if rest, ok := strings.CutPrefix(k.Path, name); ok && (name == "" || rest == "" || strings.ContainsAny(rest[:1], ".[")) {
			k.Doc = Plain(k.Doc)
			out = append(out, k)
		}
	}
	if out == nil {
		return nil, fmt.Errorf("expected a key of study files, got %s", yamlfile.Nearest(name, names))
	}
	return out, nil
}

// object is a JSON object of a schema.
type object map[string]any

// Schema returns the JSON Schema (draft 2020-12) of study files, by which editors complete and
// check them. It does not restrict what depends on a game, such as the names of parameters.
func Schema(samplers Samplers) ([]byte, error) {
	scalar := []string{"string", "number", "boolean"}
	s := schema{keys: Keys(samplers), samplers: samplers}
	root := s.mapping("")
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Sakusen study file"
	values := object{"type": "array", "items": object{"type": "object", "additionalProperties": false, "required": []string{"name", "value"},
		"properties": object{"name": object{"type": "string"}, "value": object{"type": scalar}}}}
	root["$defs"] = object{
		"scalar": object{"type": scalar},
		"values": values,
		"entrant": object{"anyOf": []object{{"type": "string"}, {"type": "object", "additionalProperties": false, "required": []string{"strategy"},
			"properties": object{"strategy": object{"type": "string"}, "params": ref("values")}}}},
	}
	text, err := json.MarshalIndent(root, "", "  ")
	return append(text, '\n'), err
}

func ref(name string) object { return object{"$ref": "#/$defs/" + name} }

// schema is a schema being made.
type schema struct {
	keys     []yamlfile.Key
	samplers Samplers
}

// mapping returns the schema of the mapping at a pattern.
func (s *schema) mapping(pattern string) object {
	properties, required, all := object{}, []string{}, []object{}
	for i := range s.keys {
		k := &s.keys[i]
		if !k.Within(pattern) {
			continue
		}
		properties[k.Name()] = s.property(k)
		if k.Need != "" {
			required = append(required, k.Name())
		}
		given := object{"required": []string{k.Name()}}
		if k.When != "" {
			all = append(all, object{"if": given, "then": condition(k.When)})
		}
		for _, with := range slices.Sorted(maps.Keys(k.Not)) {
			if !strings.Contains(with, ".") { // it stands beside the key
				all = append(all, object{"if": given, "then": object{"not": condition(with)}})
			}
		}
	}
	if pattern == "sampler" {
		all = append(all, s.options()...)
	}
	out := object{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
	if len(all) > 0 {
		out["allOf"] = all
	}
	return out
}

// condition returns the schema of a mapping with a key, such as choices, or with a value of a key,
// such as "mode: pool".
func condition(with string) object {
	key, value, valued := strings.Cut(with, ": ")
	out := object{"required": []string{key}}
	if valued {
		out["properties"] = object{key: object{"const": value}}
	}
	return out
}

// property returns the schema of a key.
func (s *schema) property(k *yamlfile.Key) object {
	t, out := k.Type(), object{}
	switch t.Kind {
	case "text":
		if out = ref("scalar"); t.Match != nil {
			out = object{"type": "string", "pattern": t.Match.String()}
		}
	case "word":
		var words []any
		for _, w := range t.Words {
			if words = append(words, w); w == "true" || w == "false" {
				words = append(words, w == "true")
			}
		}
		out = object{"enum": words}
	case "number", "integer":
		if out = (object{"type": t.Kind}); t.Low == math.SmallestNonzeroFloat64 {
			out["exclusiveMinimum"] = 0
		} else if t.Low > -math.MaxFloat64 {
			out["minimum"] = t.Low
		}
		if t.High < math.MaxFloat64 {
			out["maximum"] = t.High
		}
	case "seed":
		out = object{"anyOf": []object{{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+$"}}}
	case "mapping":
		pattern := k.Path
		if t.List {
			pattern += "[]"
		}
		out = s.mapping(pattern)
	case "values", "entrant":
		out = ref(t.Kind)
	}
	if t.List {
		out = object{"type": "array", "items": out}
		if k.Items.Least > 0 {
			out["minItems"] = k.Items.Least
		}
		if k.Items.Most > 0 {
			out["maxItems"] = k.Items.Most
		}
	}
	if k.Path == "tune.fix" {
		out = object{"anyOf": []object{out, {"type": "string"}}} // the path of a file
	}
	out["description"] = Plain(k.Doc)
	if value, ok := k.Filled(); ok {
		out["default"] = value
	} else if k.Default != "" {
		out["description"] = fmt.Sprintf("%s (default: %s)", out["description"], k.Default)
	}
	return out
}

// options returns what each sampler's options may be. A name with a dot is of a parameter of
// the study, which the schema does not know.
func (s *schema) options() []object {
	var all []object
	if s.samplers == nil {
		return nil
	}
	for _, name := range s.samplers.Names() {
		one := []object{{"properties": object{"name": object{"pattern": `\.`}}}}
		for _, p := range s.samplers.Options(name) {
			value := object{"description": fmt.Sprintf("%s (default: %s)", p.Doc, p.Default)}
			switch p.Kind {
			case param.Int, param.Float:
				value["minimum"], value["maximum"] = p.Domain.Low, p.Domain.High
			case param.Choice:
				if p.Choices != nil {
					value["enum"] = p.Choices
				}
			}
			one = append(one, object{"properties": object{"name": object{"const": p.Name, "description": p.Doc}, "value": value}})
		}
		all = append(all, object{"if": object{"required": []string{"name"}, "properties": object{"name": object{"const": name}}},
			"then": object{"properties": object{"options": object{"items": object{"anyOf": one}}}}})
	}
	return all
}
