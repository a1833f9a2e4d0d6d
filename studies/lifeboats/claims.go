package lifeboats

import (
	"context"
	"fmt"

	"sakusen/engines/param"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// claims is which of the paper's findings hold in how many evolutions.
func claims() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-claims",
		Doc: "In how many evolutions each finding of the paper holds; one agrees that holds in at least 8 of 10 " +
			"(games as in lifeboats-figure1; the rule start.X=100 starts X in 0..100).",
		Source: paper + ", section 4", Games: defaultRuns * runGames, Seed: seeded(), Fresh: true, Declare: start,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			runs, _ := scale(o.Games)
			lab, err := labOf(o, historyBlocks(o.Games)+int64(runs)*(2000+1700+2*1000))
			if err != nil {
				return err
			}
			h, err := evolve(ctx, o, lab, PaperStudy)
			if err != nil {
				return err
			}
			var names []string
			holds, seen := map[string]int{}, map[string]string{}
			for _, run := range h.runs {
				findings, err := lab.judge(ctx, run)
				if err != nil {
					return err
				}
				for _, f := range findings {
					if seen[f.Name] == "" {
						names = append(names, f.Name)
					} else {
						seen[f.Name] += "; "
					}
					seen[f.Name] += f.Seen
					if f.Holds {
						holds[f.Name]++
					}
				}
			}
			for _, name := range names {
				agrees := 10*holds[name] >= 8*len(h.runs)
				add(experiment.Row{Label: name, Metric: fmt.Sprintf("runs of %d", len(h.runs)), Printed: experiment.Text("holds"),
					Measured: experiment.Integer(int64(holds[name])), Agrees: &agrees, Note: seen[name]})
			}
			for _, c := range contrasts() {
				values := make([]float64, len(h.runs))
				for i, run := range h.runs {
					values[i] = c.of(Means(run.Generations[len(run.Generations)-1]))
				}
				row := measured("last generation", c.name, values, "%.2f")
				add(experiment.Stated(row, c.printed, row.CI, c.bound, c.side))
			}
			return nil
		},
	}
}

// judge is all findings about a run: those about its weights, and those about the play of
// its last generation.
func (l *Lab) judge(ctx context.Context, run *Evolution) ([]Finding, error) {
	players := run.Generations[len(run.Generations)-1]
	wins, err := l.Wins(ctx, players)
	if err != nil {
		return nil, err
	}
	first, err := l.Wins(ctx, run.Generations[0])
	if err != nil {
		return nil, err
	}
	strict := param.Values{{Name: "alive", Text: "strict"}}
	one, err := l.LevelOne(ctx, "level1", 2000, strict, players)
	if err != nil {
		return nil, err
	}
	team := [][]param.Values{players[:teamSize]}
	lead, err := courses(ctx, l, "level1", 1000, strict, team)
	if err != nil {
		return nil, err
	}
	base, err := courses(ctx, l, "level0", 1000, nil, team)
	if err != nil {
		return nil, err
	}
	findings := []Finding{{"evolution finds stronger players", wins.Value > first.Value+3*wins.Error,
		fmt.Sprintf("%.0f to %.0f of %d", first.Of(againstRandom), wins.Of(againstRandom), againstRandom)}}
	findings = append(findings, Judge(run)...)
	at := func(of course, round int) Moment { return of[0][min(round, len(of[0]))-1] }
	early, earlyBase := at(lead, earlyRound), at(base, earlyRound)
	answer, answerBase := at(lead, answerRound), at(base, answerRound)
	late, lateBase := at(lead, lateRound), at(base, lateRound)
	return append(findings,
		Finding{"level 1 (strict) is weaker than an equal player", one.Value+stats.Deviate95*one.Error < 0.2, fmt.Sprintf("%.0f of 10000", one.Of(10000))},
		Finding{"level 1 (strict) is ahead early", early.Lead > earlyBase.Lead,
			fmt.Sprintf("round %d: %+.2f, level 0 %+.2f", early.Round, early.Lead, earlyBase.Lead)},
		Finding{"level 1 (strict) is aimed at once it leads", answer.Aimed > answerBase.Aimed,
			fmt.Sprintf("round %d: %.2f of votes, level 0 %.2f", answer.Round, answer.Aimed, answerBase.Aimed)},
		Finding{"level 1 (strict) is behind late", late.Lead < lateBase.Lead,
			fmt.Sprintf("round %d: %+.2f, level 0 %+.2f", late.Round, late.Lead, lateBase.Lead)},
	), nil
}

// Experiments are all of Lifeboats'.
func Experiments() []experiment.Experiment {
	return []experiment.Experiment{figure1(), figure2(), levelOne(), Course(), switching(), claims(), profile(), levels(), equilibrium()}
}
