package studyfile

import (
	"strings"

	"sakusen/tuner/studyfile/yamlfile"
)

// Bounds and defaults of a study file; docs/studies.md gives the reasons.
const (
	// version is the version of the study file format that this program reads.
	version       = 1
	defaultTrials = 64
	defaultBatch  = 8
	maxBatch      = 1024
	maxTrials     = 1e7
	// anyInt bounds games: integers that a real number holds exactly.
	anyInt = int64(1) << 52
	// maxBlocks bounds the blocks that one field may ask for, so that no sum of games leaves
	// 64 bits.
	maxBlocks = int64(1e12)
	// mostDeclared bounds the parameters of a program that a file declares, mostOthers its
	// opponents, mostPool the pool, each of whom every candidate meets, and mostBegin the
	// points that are tried first.
	mostDeclared, mostOthers, mostPool, mostBegin = 1000, 256, 256, 256
	// mostObjectives bounds a Pareto objective: of more, nearly every candidate is on the
	// front.
	mostObjectives = 4
)

// row is a row of the table while it is written.
type row yamlfile.Key

// key is a key with the values that it takes (see [yamlfile.Key]), what holds without it, and
// what it does.
func key(path, values, def, doc string) row {
	return row{Path: path, Values: values, Default: def, Doc: doc}
}

// needed must be there; want is what a file without it lacks.
func (r row) needed(want string) row { r.Need = want; return r }

// only goes with a value of another key beside it.
func (r row) only(when string) row { r.When = when; return r }

// asked is in the form, as a field with a label.
func (r row) asked(field, label string) row { r.Field, r.Label = field, label; return r }

// later is read by a function, as its values hang on the game.
func (r row) later() row { r.Later = true; return r }

// wants has other words for what was expected in place of a wrong item.
func (r row) wants(want string) row { r.Want = want; return r }

// Keys returns the table of the keys of a study file, in the order in which they are read and
// told: what reads the file, docs/studies.md, `sakusen study keys`, the schema for editors and
// the form of the web pages all follow from it. A key is added by a row here and a field of
// that name in [tuner.Spec]; where its default or what it goes with hangs on the game, the
// sampler or the budget, the function that fills in its part of the spec says so.
func Keys(samplers Samplers) []yamlfile.Key {
	sampler := "text"
	if samplers != nil {
		sampler = "`" + strings.Join(samplers.Names(), "`, `") + "`"
	}
	const trueOrFalse, over, goal, elo = "`false`, `true`", "`mean`, `worst`, `lower_bound`", "`minimize`, `maximize`", "list of number -1000..1000"
	rows := []row{
		key("version", "integer 1..1", "", "the version of the format").needed("version: 1"),
		key("name", "name", "", "the study's name in the database: the same name resumes the study").needed(yamlfile.WantName).asked("name", "Name"),
		key("doc", "text", "none", "the question in words").asked("doc", "Question"),
		key("game", "text", "", "`sakusen games` lists them").needed("the name of a game").asked("game", "Game"),
		key("rules", "values", "the game's", "the game's options"),
		key("engines", "any", "none", "programs of other people that the file brings itself, written as in config.yaml ([engines.md](engines.md)). `sakusen tune FILE` runs them; a daemon takes no such file, it has its own"),

		key("tune", "mapping", "", "what is tuned").needed("what is tuned: a mapping with strategy"),
		key("tune.strategy", "text", "", "`sakusen strategies GAME` lists them with their parameters").needed("the name of a strategy").asked("strategy", "Strategy"),
		key("tune.declare", "list of mapping", "none", "the parameters of a program that is never run here, with `game: external`: its games are asked for and told ([asktell.md](asktell.md))"),
		key("tune.declare[].name", "text", "", "what the program calls it").needed("the name of a parameter"),
		key("tune.declare[].kind", "`int`, `float`, `bool`, `choice`", "float", "which values it takes"),
		key("tune.declare[].default", "text", "", "the value that the program has now").needed("the value that the program has now"),
		key("tune.declare[].low", "number", "required of numbers", "the lower end of its range"),
		key("tune.declare[].high", "number", "required of numbers", "the upper end of its range"),
		key("tune.declare[].step", "number from 0", "none", "distance of the values that tuning visits"),
		key("tune.declare[].log", trueOrFalse, "false", "equal ratios are equal steps"),
		key("tune.declare[].choices", "list of text", "none", "of a choice: its values"),
		key("tune.declare[].doc", "text", "none", "what it does"),
		key("tune.others", "list of program", "none", "beside `tune.declare`: names of programs without parameters, which may be baseline or pool"),
		key("tune.metrics", "list of program", "none", "beside `tune.declare`: names of at most four numbers that are told of every game, for `objective` and its limits"),
		key("tune.fix", "values", "none", "parameters that keep one value; or the path of a file that `export` wrote, whose values are put in its place but for those that `tune.params` names"),
		key("tune.params", "list of mapping", "every tunable parameter", "the tuned ones. Conventions of a paper, which are no question of strength, and options of an engine such as its hash are left out of the default, and so is what a fixed value switches off").later(),
		key("tune.params[].name", "text", "", "a parameter that the strategy declares").needed("the name of a parameter"),
		key("tune.params[].low", "number", "as declared", "a range may be narrowed, not widened. A parameter with one value left (`low` and `high` the same, one choice, a grid of one point) is part of every trial with that value, and no sampler sees it; where all have one value, the one parameter set is proved, by the sampler grid. Integers lie in -2^53..2^53, and a range has at most 2^53 steps: what a real number holds exactly"),
		key("tune.params[].high", "number", "as declared", "likewise"),
		key("tune.params[].step", "number above 0", "as declared", "distance of the values that tuning visits. Play takes any value of the range"),
		key("tune.params[].log", trueOrFalse, "as declared", "equal ratios are equal steps; not together with a step"),
		key("tune.params[].int_scale", "number 1e-9..1e9", "none", "of an integer of an engine: it is tuned as a real number x, and the option is set to the integer nearest to x times this. `low`, `high` and `step` are then those of x ([engines.md](engines.md#a-real-number-as-an-integer-option))"),
		key("tune.params[].choices", "list of text", "as declared", "in place of a range: the values that are tried, numbers too"),

		key("baseline", "entrant", "required for a score", "the frozen opponent: an entrant's text (`MP70/ED1SP`, `mp(start_squares=70)`), or a mapping of `strategy` and `params`, a list of `name` and `value`").asked("baseline", "Baseline"),
		key("pool", "list of entrant", "none", "at most 256 further opponents, each written as `baseline` is").asked("pool", "Pool"),

		key("evaluate", "mapping", "duels or none, see below", "whom candidates meet"),
		key("evaluate.mode", "`pool`, `duels`, `baseline`", "", "`baseline`: the baseline and the pool. `duels`: pairs of trials meet each other, two seats and a score without limits only; the baseline is kept for validation. `pool`: a generation plays itself (coevolution)").
			needed("mode: baseline, duels or pool").asked("mode", "Candidates meet"),
		key("evaluate.group", "integer from 1", "seats less one", "individuals at a table").only("mode: pool").later(),
		key("evaluate.filler", "entrant", "required of a pool", "the entrant in the other seats; also the baseline, unless there is one").only("mode: pool").asked("filler", "Filler of a pool's tables"),
		key("evaluate.rounds", "integer 1..1000", "5", "regroupings of a generation").only("mode: pool"),
		key("evaluate.games", "integer from 1", "four rotations", "games of a round, a multiple of the seats").only("mode: pool").later(),

		key("objective", "mapping", "`{of: score}`", "what is maximised or minimised"),
		key("objective.of", "`score`, `metric`, `pareto`", "score", "`score`: mean score per game. `metric`: a quantity that the game measures. `pareto`: several at once"),
		key("objective.metric", "text", "required for a metric", "its name (`sakusen games`)").asked("metric", "Objective"),
		key("objective.over", over, "mean", "of baseline and pool: the `mean`; the `worst` opponent; or the `lower_bound`, the mean less 1.645 standard errors (plus, where less is better), which the true mean exceeds with 95 % confidence. Several opponents count as a sample: the error is that of their spread, or of the blocks where that is larger"),
		key("objective.goal", goal, "the metric's own direction", "which values of a metric are better"),
		key("objective.relative", trueOrFalse, "false", "the metric's ratio to the baseline's, which sits in the candidate's place on the same blocks against the same opponents (without a baseline: the strategy with its defaults). What the blocks have in common cancels: the error is that of the ratio estimator over paired blocks. Means per game only"),
		key("objective.objectives", "list of mapping", "required for `pareto`", "two to four objectives").only("of: pareto").wants("a mapping, such as {of: score} or {of: metric, metric: NAME}"),
		key("objective.objectives[].of", "`score`, `metric`", "score", "as above"),
		key("objective.objectives[].metric", "text", "required for a metric", "as above"),
		key("objective.objectives[].over", over, "mean", "as above"),
		key("objective.objectives[].goal", goal, "the metric's own direction", "as above"),
		key("objective.objectives[].relative", trueOrFalse, "false", "as above"),
		key("objective.weights", "list of number 0..1e9", "none: the knee", "one number an objective: which point of the front is validated").only("of: pareto"),
		key("objective.limits", "list of mapping", "none", "a candidate outside any of them is infeasible: it loses to all that are not, samplers are told that it is no better than the worst of them, and a winner outside on the validation blocks has failed"),
		key("objective.limits[].metric", "text", "", "a metric, its mean over all opponents").needed("the name of a metric"),
		key("objective.limits[].max", "number", "none", "upper bound of the mean"),
		key("objective.limits[].min", "number", "none", "lower bound of the mean"),
		key("objective.limits[].max_ratio", "number above 0", "none", "upper bound of its ratio to the baseline's mean in the candidate's place on the same blocks: `{metric: work, max_ratio: 1.5}` is at most half as much again"),
		key("objective.limits[].min_ratio", "number above 0", "none", "lower bound of that ratio"),

		key("budget", "mapping", "", "all of it may grow while the study lives, and nothing else may change"),
		key("budget.trials", "integer 1..1e7", "as many as the games allow where `budget.games` is named or the sampler answers with a model, else 64", "parameter sets at most").asked("trials", "Trials at most"),
		key("budget.games", "integer from 1", "40000", "games at most, with final and validation. A batch is asked for only if it may pass every rung").asked("games", "Games at most, in all"),

		key("sampler", "mapping", "chosen, see below", "who proposes parameter sets"),
		key("sampler.name", sampler, "chosen", "who proposes parameter sets, see [search](search.md) and [optimisers](optimisers.md)").asked("sampler", "Sampler"),
		key("sampler.seed", "seed", "1", "of proposals and of the blocks of search and final; validation seeds are derived from it, the name, the file and the attempt").asked("seed", "Seed"),
		key("sampler.options", "values", "none", "the sampler's own options: `sakusen study keys sampler.options` lists them"),
		key("sampler.batch", "integer 1..1024", "8, or the sampler's", "trials asked at once. Results depend on it, and not on the number of workers").asked("batch", "Batch"),
		key("sampler.flight", "integer 1..8", "1", "batches out at a time. With 2 a batch is proposed from what was told before the one that is out, and plays while that one ends. Choose as many as give each worker six to eight games: see [workers at rest](scaling.md#workers-at-rest). Results depend on it, and not on the number of workers"),

		key("race", "mapping", "halving, or the sampler's", "how the trials of a batch are judged").asked("race", "Race"),
		key("race.method", "`halving`, `none`", "halving, or the sampler's", "`halving`: at every rung the better share goes on, a rule for spending games that claims no error rate. `none`: nobody is stopped").asked("race", "Race"),
		key("race.keep", "number 0.01..0.99", "0.5, or the sampler's", "the share that goes on"),
		key("race.blocks", "`shared`, `fresh`", "shared, or the sampler's", "`shared`: all batches meet the same blocks, so that all trials compare. `fresh`: each batch meets its own, which a model of all games prefers"),
		key("race.rungs", "list of integer 1..1e12", "8, 16, 32, 64, 128", "blocks played in all when a trial is judged; one rung without a race"),
		key("race.incumbent", "`true`, `false`", "true where it can stop somebody", "the incumbent is re-played with every batch, and a trial that is significantly behind it on the blocks that both have met is stopped. Needs a rung of 16 blocks or more before the last, one objective, `over: mean`, and a sampler that does not answer with a model"),
		key("race.alpha", "number 1e-9..0.5", "0.05", "of the trials as good as the incumbent, the share that its test may stop over all looks together"),

		key("final", "mapping", "", "the best few on new seeds"),
		key("final.top", "integer 0..1000", "5", "the best few race again on new seeds, where the luck that brought them there is left behind. 0 or 1: none. A model's answer needs none"),
		key("final.blocks", "integer 0..1e12", "a tenth of the games", "blocks of each"),

		key("validation", "mapping", "", "the proof of the winner against the baseline"),
		key("validation.gain_elo", elo, "[0, 10]", "bounds in Elo: pass if the gain is the second rather than the first. Take half of the gain that matters for the second: [0, 20] fails nearly half of true gains of 10").asked("gain", "Gain to prove, Elo"),
		key("validation.regression_elo", elo, "none", "in place of it: [-10, 0] passes what is no worse"),
		key("validation.replay", "number 0..1", "1 %, but 300 of fewer than 30 000 blocks, and never more than a tenth", "share of all the study's blocks that is played again before the verdict and compared with its record, game by game. See \"Played again\" below"),
		key("validation.alpha", "number 1e-9..0.5", "0.025", "share of false passes, which all attempts ever made at the same question spend together. A question is a game under its rules (another map is another one), a strategy, and a baseline: by its text, or by its games on fixed fixtures, so that one moved by less than play can tell is the same. Renamed and deleted studies count; another database cannot be known"),
		key("validation.beta", "number 1e-9..0.5", "0.05", "share of false failures"),
		key("validation.attempts", "`alpha`, `fdr`", "alpha", "how attempts share it. `alpha`: the chance that any ever passes without a gain is at most alpha. `fdr`: of all that pass, at most the share alpha does so without a gain, on average (an online false discovery rate, LORD++): from the second pass on each gives back what one attempt may spend, so that a question on which gains are found again and again stays provable"),
		key("validation.plan", "`group`, `fixed`", "group", "`group` looks up to 17 times and stops as soon as the verdict is clear, under bounds that keep both chances of error over all looks together; its estimate and interval allow for the early stop. `fixed` plays all blocks and looks once"),
		key("validation.pairs", "`all`, `played`", "`all` where it can be, else `played`", "`all`: every game of the winner is compared with every game of the baseline, in a game for two who play alone and the faster wins (Battleship). It is what 1.4 to 2.2 times the games would tell ([statistics](statistics.md#races)). `played`: games count as they were played; the default with several objectives"),
		key("validation.max_blocks", "integer 1..1e12", "30 % of the games", "blocks of the validation at the most; a tenth more with the plan `group`, which needs fewer of them nearly always. Half of the games up to 5 000, where proof is the bottleneck; 20 % from 9 parameters on, where finding is").asked("proof", "Blocks of the proof at most").later(),
		key("validation.pool", "`report`, `none_worse`", "report", "with a pool: `report` tells how the winner stands against each of its members, by games of the validation. `none_worse` makes it part of the verdict: fail where a member is shown to be better than the winner (level `beta` over the members), inconclusive where it is not shown of each that the winner is worse by no more than the margin (at the alpha of the attempt)"),
		key("validation.pool_margin", "number 0.1..400", "20", "Elo by which the winner may be worse and count as no worse"),
		key("validation.pool_blocks", "integer 0..1e12", "a quarter of the blocks; all with `none_worse`", "blocks against each member, kept in the budget; 0: none").later(),

		key("begin", "list of any", "none", "at most 256 points that are tried first, each a mapping of parameters to values: `[{start_squares: 12, place.kind: random}]`. Parameters that are not named have the baseline's value where the baseline plays the tuned strategy, else the default").asked("begin", "Points to try first"),
		key("begin_from", "text", "none", "the name of an earlier study in the same database: its search games are told to the sampler before the search begins").asked("begin_from", "Games of an earlier study"),
	}
	keys := make([]yamlfile.Key, len(rows))
	for i, r := range rows {
		keys[i] = yamlfile.Key(r)
	}
	return keys
}
