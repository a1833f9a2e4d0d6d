package lifeboats

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/strategies/lifeboats"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// Means returns the mean weights of players, each first scaled so that its largest
// weight has the size 1; X as it is.
func Means(players []param.Values) map[string]float64 {
	out := map[string]float64{}
	for _, p := range players {
		size := 0.0
		w := map[string]float64{}
		for _, v := range p {
			x, err := strconv.ParseFloat(v.Text, 64)
			if err != nil {
				continue // a choice
			}
			w[v.Name] = x
			if v.Name != "X" {
				size = max(size, x, -x)
			}
		}
		for name, x := range w {
			if name != "X" && size > 0 {
				x /= size
			}
			out[name] += x / float64(len(players))
		}
	}
	return out
}

// finding is one of the paper's, and whether it holds in a run.
type finding struct {
	Name  string
	Holds bool
	Seen  string // what it was judged by
}

// Judge looks for the paper's findings in the last generation of a run.
func Judge(run *Evolution) []finding {
	w := Means(run.Generations[len(run.Generations)-1])
	largest := true
	for name, x := range w {
		if name != "X" && name != "D" && (x >= w["D"] || -x >= w["D"]) {
			largest = false
		}
	}
	show := func(names ...string) string {
		s := ""
		for i, name := range names {
			if i > 0 {
				s += " "
			}
			s += fmt.Sprintf("%s %.2f", name, w[name])
		}
		return s
	}
	return []finding{
		{"a boat home is worth most", largest, show("D", "A1", "R1")},
		{"worth falls with the steps to go", w["A1"] > w["A2"] && w["A2"] > w["A3"], show("A1", "A2", "A3")},
		{"worth falls with the leaks", 0 > w["L1"] && w["L1"] > w["L2"] && w["L2"] > w["L3"], show("L1", "L2", "L3")},
		{"worth grows with the players aboard", w["C2"] < w["C3"] && w["C3"] < w["C4"], show("C2", "C3", "C4")},
		{"boats in front are rated low", w["R1"] < (w["R2"]+w["R3"]+w["R4"]+w["R5"])/4, show("R1", "R2", "R3", "R4", "R5")},
		{"X is ten or more", w["X"] >= 10, show("X")},
	}
}

// A contrast is a number of the mean weights, which the paper says is on one side.
type contrast struct {
	name, printed string
	of            func(w map[string]float64) float64
	bound, side   float64 // as experiment.Stated takes them
}

// contrasts returns X, and three readings of "boats in front are rated low". A constant that is
// moved from R1..R5 to A1..A3 changes next to nothing, so only differences of R say anything.
func contrasts() []contrast {
	return []contrast{
		{"X", "10 or more", weight("X"), 10, 1},
		{"R1 less the mean of R2 to R5", "below 0", func(w map[string]float64) float64 { return w["R1"] - (w["R2"]+w["R3"]+w["R4"]+w["R5"])/4 }, 0, -1},
		{"R1 less R2", "below 0", func(w map[string]float64) float64 { return w["R1"] - w["R2"] }, 0, -1},
		{"R1, R2 less R4, R5", "below 0", func(w map[string]float64) float64 { return (w["R1"] + w["R2"] - w["R4"] - w["R5"]) / 2 }, 0, -1},
	}
}

// claims returns which of the paper's findings hold in how many evolutions.
func claims() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-claims",
		Doc: "In how many evolutions each finding of the paper holds; one agrees that holds in at least 8 of 10 " +
			"(games as in lifeboats-figure1; the rule start.X=100 starts X in 0..100).",
		Source: paper + ", section 4", Games: defaultRuns * runGames, Seed: seeded(), Fresh: true, Declare: start,
		Run: onEvolutions(PaperStudy, func(runs, _ int) int { return runs * (2000 + 1700 + 2*1000) }, func(ctx context.Context, lab *lab, h *history, add func(experiment.Row)) error {
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
				row := measured("last generation", c.name, h.weights(h.generations-1, c.of), "%.2f")
				add(experiment.Stated(row, c.printed, row.CI, c.bound, c.side))
			}
			return nil
		}),
	}
}

// ranks returns what the evolutions say of the trend of R1 to R5 over the rank, and of X, by the
// range in which X starts.
func ranks() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-ranks",
		Doc: "Whether boats in front are rated low: the slope of the weights R1 to R5 over the rank in the last generation of several " +
			"evolutions, and X there (games as in lifeboats-figure1; the rule start.X=100 starts X in 0..100).",
		Source: paper + ", section 4", Games: defaultRuns * runGames, Seed: seeded(), Fresh: true, Declare: start,
		Run: onEvolutions(PaperStudy, nil, func(_ context.Context, _ *lab, h *history, add func(experiment.Row)) error {
			last := h.generations - 1
			slopes := h.weights(last, slope)
			row := measured("last generation", "slope of R1 to R5 over the rank", slopes, "%.3f")
			add(experiment.Stated(row, "above 0", row.CI, 0, 1))
			rising := 0
			for _, x := range slopes {
				if x > 0 {
					rising++
				}
			}
			add(experiment.Row{Label: "the slope is above 0", Metric: fmt.Sprintf("runs of %d", len(h.runs)), Measured: experiment.Integer(int64(rising))})
			for rank := 1; rank <= 5; rank++ {
				name := "R" + strconv.Itoa(rank)
				add(measured("last generation", name, h.weights(last, weight(name)), "%.2f"))
			}
			row = measured("last generation", "X", h.weights(last, weight("X")), "%.1f")
			add(experiment.Stated(row, "10 or more", row.CI, 10, 1))
			return nil
		}),
	}
}

// slope returns that of the line through R1 to R5 by least squares: positive if boats in front
// are rated low.
func slope(w map[string]float64) float64 {
	return (2*(w["R5"]-w["R1"]) + w["R4"] - w["R2"]) / 10
}

// judge returns all findings about a run: those about its weights, and those about the play
// of its last generation.
func (l *lab) judge(ctx context.Context, run *Evolution) ([]finding, error) {
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
	findings := []finding{{"evolution finds stronger players", wins.Value > first.Value+3*wins.Error,
		fmt.Sprintf("%.0f to %.0f of %d", first.Of(againstRandom), wins.Of(againstRandom), againstRandom)}}
	findings = append(findings, Judge(run)...)
	at := func(of course, round int) moment { return of[0][min(round, len(of[0]))-1] }
	early, earlyBase := at(lead, earlyRound), at(base, earlyRound)
	answer, answerBase := at(lead, answerRound), at(base, answerRound)
	late, lateBase := at(lead, lateRound), at(base, lateRound)
	return append(findings,
		finding{"level 1 (strict) is weaker than an equal player", one.Value+stats.Deviate95*one.Error < 0.2, fmt.Sprintf("%.0f of 10000", one.Of(10000))},
		finding{"level 1 (strict) is ahead early", early.Lead > earlyBase.Lead,
			fmt.Sprintf("round %d: %+.2f, level 0 %+.2f", early.Round, early.Lead, earlyBase.Lead)},
		finding{"level 1 (strict) is aimed at once it leads", answer.Aimed > answerBase.Aimed,
			fmt.Sprintf("round %d: %.2f of votes, level 0 %.2f", answer.Round, answer.Aimed, answerBase.Aimed)},
		finding{"level 1 (strict) is behind late", late.Lead < lateBase.Lead,
			fmt.Sprintf("round %d: %+.2f, level 0 %+.2f", late.Round, late.Lead, lateBase.Lead)},
	), nil
}

// Experiments returns all of Lifeboats'.
func Experiments() []experiment.Experiment {
	return []experiment.Experiment{figure1(), figure2(), levelOne(), raceCourse(), switching(), claims(), ranks(), profile(), levels(), equilibrium()}
}

const paper = "T. Kasuya, R. Suzuki and T. Arita, Evolution of players for a board game based on majority voting"

const (
	againstRandom = 500 // games of an individual of figure 1
	wantedWins    = 380 // of them, by generation 80
)

// figure1 returns the strength of populations over the generations.
func figure1() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-figure1",
		Doc: "Wins of 500 of level-0 players against four random voters, every 10 generations of several evolutions " +
			"(games are of all evolutions; 416 000 a run of 80 generations, below two runs fewer generations).",
		Source: paper + ", figure 1", Games: defaultRuns * runGames, Seed: seeded(), Fresh: true, Declare: start,
		Run: onEvolutions(PaperStudy, func(runs, generations int) int {
			return runs * ((generations+8)/10 + 1) * 17 * againstRandom / 5
		}, func(ctx context.Context, lab *lab, h *history, add func(experiment.Row)) error {
			reached := make([]bool, len(h.runs))
			for _, g := range h.points(10) {
				wins := make([]float64, len(h.runs))
				for i, run := range h.runs {
					s, err := lab.Wins(ctx, run.Generations[g])
					if err != nil {
						return err
					}
					wins[i] = s.Of(againstRandom)
					reached[i] = reached[i] || wins[i] >= wantedWins
				}
				add(measured(fmt.Sprintf("generation %d", g), "wins of 500", wins, "%.0f"))
			}
			n := 0
			for _, r := range reached {
				if r {
					n++
				}
			}
			add(experiment.Row{Label: fmt.Sprintf("runs with %d or more by generation %d", wantedWins, h.generations-1),
				Metric: fmt.Sprintf("runs of %d", len(h.runs)), Measured: experiment.Integer(int64(n))})
			return nil
		}),
	}
}

// figure2 returns the weights of populations over the generations.
func figure2() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-figure2",
		Doc: "Mean weights of level-0 players, each scaled to a largest weight of 1, every 20 generations of several evolutions " +
			"(games as in lifeboats-figure1).",
		Source: paper + ", figure 2", Games: defaultRuns * runGames, Seed: seeded(), Fresh: true, Declare: start,
		Run: onEvolutions(PaperStudy, nil, func(ctx context.Context, lab *lab, h *history, add func(experiment.Row)) error {
			for _, name := range lifeboats.Names(5) {
				for _, g := range h.points(20) {
					add(measured(fmt.Sprintf("generation %d", g), name, h.weights(g, weight(name)), "%.2f"))
				}
			}
			return nil
		}),
	}
}

// measured returns a row of one number a run, for which the paper prints none. The
// note lists the runs.
func measured(label, metric string, runs []float64, format string) experiment.Row {
	m := stats.OfRuns(runs)
	return experiment.Row{Label: label, Metric: metric, Measured: experiment.Number(m.Mean), CI: m.CI95, Note: "runs " + list(runs, format)}
}

// list returns numbers for people.
func list(numbers []float64, format string) string {
	texts := make([]string, len(numbers))
	for i, x := range numbers {
		texts[i] = fmt.Sprintf(format, x)
	}
	return strings.Join(texts, " ")
}
