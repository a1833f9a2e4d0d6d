package lifeboats

import (
	"context"
	"fmt"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// levelsStudy is the paper's evolution with the level as a gene.
const levelsStudy = "lifeboats-levels"

// levels returns the evolution of levels, with the weights.
func levels() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-levels",
		Doc: "Levels as genes: share of the population at each level of reading the others, every 20 generations of evolutions that start with " +
			"levels 0 to 3 (--games as in lifeboats-figure1).",
		Source: paper + ", section 5 (announced, no values)", Games: defaultRuns * runGames, Seed: seeded(), Fresh: true, Declare: start,
		Run: onEvolutions(levelsStudy, nil, func(ctx context.Context, lab *lab, h *history, add func(experiment.Row)) error {
			for _, g := range h.points(20) {
				shares := make([][]float64, deepest+1)
				for _, run := range h.runs {
					for level, share := range levelShares(run.Generations[g]) {
						shares[level] = append(shares[level], share)
					}
				}
				for level, of := range shares {
					add(measured(fmt.Sprintf("generation %d", g), fmt.Sprintf("share of level %d", level), of, "%.2f"))
				}
			}
			last := make([]float64, len(h.runs))
			for i, run := range h.runs {
				for level, share := range levelShares(run.Generations[len(run.Generations)-1]) {
					last[i] += float64(level) * share
				}
			}
			row := measured("last generation", "mean level", last, "%.2f")
			row.Note = "levels are whole numbers nearest to the gene; " + row.Note
			add(row)
			return nil
		}),
	}
}

// deepest is the highest level that is looked at.
const deepest = 4

// levelShares returns the share of players at each level.
func levelShares(players []param.Values) []float64 {
	shares := make([]float64, deepest+1)
	for _, p := range players {
		text, _ := p.Get("level")
		if level, err := strconv.Atoi(text); err == nil && level >= 0 && level <= deepest {
			shares[level] += 1 / float64(len(players))
		}
	}
	return shares
}

// kinds returns the ways to vote that the equilibrium mixes, all with evolved weights.
func kinds() []string { return []string{"level 0", "level 1", "level 2", "level 3"} }

// equilibrium returns the symmetric equilibrium of levels among evolved voters.
func equilibrium() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-equilibrium",
		Doc: "The game of levels among five evolved voters, who each take a level from 0 to 3: what each level wins at every table, the mixture at which " +
			"no level wins more (replicator dynamics), and what can be won against it and against all at one level, on new games (--games: of each table).",
		Source: paper + ", section 5 (announced, no values)", Games: 500, Seed: seeded(), Fresh: true,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			teams, err := Evolved()
			if err != nil {
				return err
			}
			blocks := max(1, o.Games/5/int64(len(teams))) * int64(len(teams))
			tables := compositions(len(kinds()), teamSize-1)
			lab, err := labOf(o, 2*int64(len(kinds())*len(tables))*blocks)
			if err != nil {
				return err
			}
			found, err := lab.metagame(ctx, tables, blocks, teams, lab.Seed)
			if err != nil {
				return err
			}
			mix, _ := found.equilibrium()
			for level, share := range mix {
				add(experiment.Row{Label: "equilibrium", Metric: "share of " + kinds()[level], Measured: experiment.Number(stats.Known(share))})
			}
			// New deals, so that what was luck in the search is none here.
			held, err := lab.metagame(ctx, tables, blocks, teams, lab.Seed+1<<32)
			if err != nil {
				return err
			}
			populations := [][]float64{mix}
			names := []string{"the equilibrium"}
			for level, name := range kinds() {
				pure := make([]float64, len(kinds()))
				pure[level] = 1
				populations, names = append(populations, pure), append(names, "all others "+name)
			}
			for i, population := range populations {
				for level, name := range kinds() {
					m := held.payoff(level, population)
					add(experiment.Row{Label: "new games, " + names[i], Metric: "wins of 10000, " + name,
						Measured: experiment.Number(stats.Known(10000 * m.Value)), CI: stats.Around(10000*m.Value, 10000*stats.Deviate95*m.Error),
						Note: "par 2000"})
				}
			}
			return nil
		},
	}
}

// profiled returns the values of X that are tried.
func profiled() []float64 { return []float64{0, 0.5, 1, 2, 3, 5, 10, 20, 50, 100} }

// flatFrom is the X that the others are held against: the least that the paper's has.
const flatFrom = 10

// profile returns the paper's fitness by X, with all other weights as they have evolved.
func profile() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-x",
		Doc: "Fitness of an evolved player by its X, all other weights as they are: wins of 10 000 with three evolved players of its team and " +
			"one random voter, as in the evolution, and the difference from X = 10 on the same deals (--games: of each X and team).",
		Source: paper + ", section 4", Games: 5000, Seed: seeded(), Fresh: true,
		Run: onTeams(2, len(profiled()), func(ctx context.Context, lab *lab, teams [][]param.Values, blocks int64, add func(experiment.Row)) error {
			base, err := lab.fitness(ctx, blocks, flatFrom, teams)
			if err != nil {
				return err
			}
			var before []float64
			for _, x := range profiled() {
				label := "X = " + strconv.FormatFloat(x, 'g', -1, 64)
				scores := base
				if x != flatFrom {
					if scores, err = lab.fitness(ctx, blocks, x, teams); err != nil {
						return err
					}
				}
				add(blockwise(label, scores))
				if x != flatFrom {
					add(difference(label+" less X = 10", scores, base))
				}
				if x > flatFrom && before != nil {
					add(difference(label+" less the one before", scores, before))
				}
				before = scores
			}
			return nil
		}),
	}
}

// difference returns a row of what one has above another on the same blocks.
func difference(label string, of, from []float64) experiment.Row {
	less := make([]float64, len(of))
	for i := range of {
		less[i] = of[i] - from[i]
	}
	row := blockwise(label, less)
	row.Note = sign(row.CI)
	return row
}

// sign reports on which side of 0 an interval is.
func sign(of stats.Interval) string {
	switch {
	case !of.Defined():
		return ""
	case of.Lo.Value > 0:
		return "better"
	case of.Hi.Value < 0:
		return "worse"
	}
	return "no difference seen"
}

// fitness returns the share of wins of a player of each team with the given X at the
// paper's table: three others of its team as they have evolved, and a random voter.
func (l *lab) fitness(ctx context.Context, blocks int64, x float64, teams [][]param.Values) ([]float64, error) {
	voter, err := l.rules.Entrant("random")
	if err != nil {
		return nil, err
	}
	var all []float64
	for _, team := range teams {
		others, err := l.opponents(team[1 : teamSize-1])
		if err != nil {
			return nil, err
		}
		given := param.Values{{Name: "X", Text: strconv.FormatFloat(x, 'g', -1, 64)}}
		scores, err := l.scores(ctx, l.Seed, blocks, "level0", join(team[0], given), append(others, voter)...)
		if err != nil {
			return nil, err
		}
		all = append(all, scores...)
	}
	return all, nil
}

// The paper's section 4: level 1 wins about 1850 of 10 000 games against four
// evolved level-0 players. No interval is printed; binomial is that of 10 000
// games.
const (
	printedWins = "1850"
	binomial    = 76
)

// reading is a way to read the paper's level 1.
type reading struct {
	label string
	given param.Values
}

func readings() []reading {
	var out []reading
	for _, predict := range []string{"theirs", "own"} {
		for _, alive := range []string{"strict", "tie", "expected"} {
			out = append(out, reading{alive + ", predicts with " + predict, param.Values{
				{Name: "alive", Text: alive}, {Name: "predict", Text: predict}}})
		}
	}
	return out
}

// levelOne measures level 1 against evolved level-0 players under each reading.
func levelOne() experiment.Experiment {
	all := append(readings(), reading{"strict, predicts with theirs, all with X = 10", param.Values{{Name: "X", Text: "10"}}})
	return experiment.Experiment{
		Name: "lifeboats-level1",
		Doc: "Wins, of 10 000 games, of level 1 against four evolved level-0 players, under each rule for votes that count; " +
			"teams of several evolutions (games are of each rule and team).",
		Source: paper + ", section 4", Games: 10000, Seed: seeded(), Fresh: true,
		Run: onTeams(1, len(all), func(ctx context.Context, lab *lab, teams [][]param.Values, blocks int64, add func(experiment.Row)) error {
			printed, err := experiment.ParsePrinted(printedWins, binomial)
			if err != nil {
				return err
			}
			for _, r := range all {
				wins := make([]float64, len(teams))
				for i, team := range teams {
					if x, ok := r.given.Get("X"); ok {
						team = with(team, "X", x)
					}
					s, err := lab.LevelOne(ctx, "level1", blocks, r.given, team)
					if err != nil {
						return err
					}
					wins[i] = s.Of(10000)
				}
				note := "runs " + list(wins, "%.0f")
				row := experiment.Compare(r.label, "wins of 10000", printed, stats.OfRuns(wins), note)
				row.Note = note // also where the spread of the teams is too wide to say
				add(row)
			}
			return nil
		}),
	}
}

// with returns a team whose players all have the given value.
func with(team []param.Values, name, text string) []param.Values {
	out := make([]param.Values, len(team))
	for i, p := range team {
		for _, v := range p {
			if v.Name == name {
				v.Text = text
			}
			out[i] = append(out[i], v)
		}
	}
	return out
}

// join returns a player's weights with further parameters, which come first where
// both have one.
func join(weights, given param.Values) param.Values {
	out := append(param.Values(nil), given...)
	for _, v := range weights {
		if _, twice := given.Get(v.Name); !twice {
			out = append(out, v)
		}
	}
	return out
}

// few returns the error for fewer players than a team needs.
func few(players []param.Values) error {
	if len(players) < teamSize {
		return fmt.Errorf("expected five evolved players, one to try and four to meet, got %d", len(players))
	}
	return nil
}
