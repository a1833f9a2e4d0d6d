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

// levels is the evolution of levels, with the weights.
func levels() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-levels",
		Doc: "Levels as genes: share of the population at each level of reading the others, every 20 generations of evolutions that start with " +
			"levels 0 to 3 (--games as in lifeboats-figure1).",
		Source: paper + ", section 5 (announced, no values)", Games: defaultRuns * runGames, Seed: seeded(), Fresh: true, Declare: start,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			lab, err := labOf(o, historyBlocks(o.Games))
			if err != nil {
				return err
			}
			h, err := evolve(ctx, o, lab, levelsStudy)
			if err != nil {
				return err
			}
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
		},
	}
}

// deepest is the highest level that is looked at.
const deepest = 4

// levelShares is the share of players at each level.
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

// kinds are the ways to vote that the equilibrium mixes, all with evolved weights.
func kinds() []string { return []string{"level 0", "level 1", "level 2", "level 3"} }

// equilibrium is the symmetric equilibrium of levels among evolved voters.
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
