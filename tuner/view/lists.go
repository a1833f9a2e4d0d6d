package view

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
)

// MostLines is how many lines of a list are printed unless more are asked for.
const MostLines = 20

// Studies returns a list of studies, of more than the limit the latest: how each stands, what it
// has proved, its games, and how long ago it was made. 0 is no limit.
func Studies(list []service.Study, now time.Time, limit int) Section {
	s := Section{Key: "studies", Columns: columns("STUDY", "STATE", "VERDICT", "GAIN", "GAMES", "AGE", "GAME", "STRATEGY", "TRIALS")}
	s.Columns[3].Shows = Ends
	if left := len(list) - limit; limit > 0 && left > 0 {
		list = list[left:]
		s.Note = leftOut(left, "older study is", "older studies are") + "."
	}
	for i := range list {
		l := &list[i]
		verdict := "-"
		if l.State == string(tuner.Done) && !l.Foreign {
			verdict = uncapital(AnswerOf(*l).Word)
		} else {
			verdict = cmp.Or(fallen(l), verdict)
		}
		row := append(cells(stateOf(l), verdict), gainOf(l))
		s.Lines = append(s.Lines, Line{Label: l.Study, Cells: append(row, cells(l.Games, age(l.Created, now), l.Game, l.Strategy, trialsOf(l))...)})
	}
	return s
}

// age returns how long ago something was made, by its largest unit.
func age(created string, now time.Time) string {
	t, err := time.Parse(time.RFC3339, created)
	if err != nil {
		return "-"
	}
	value, unit, _ := strings.Cut(numeral.Span(now.Sub(t)), " ")
	unit, _, _ = strings.Cut(unit, " ")
	return value + " " + unit
}

// Whole returns a study's state ("study") and its trials ("trials"), of which the middle ones
// are left out where they are more than a limit; 0 is none.
func Whole(s *service.WholeStudy, limit int) []Section {
	head := Section{Key: "study", brackets: true}
	head.add("", fmt.Sprintf("%s: %s, %s trials, %d games, created %s", s.Study.Study, stateOf(&s.Study), strings.Replace(trialsOf(&s.Study), "/", " of at most ", 1), s.Games, s.Created))
	if interrupted(&s.Study) {
		next := "sakusen tune " + s.Study.Study + " goes on where it stopped"
		if word := fallen(&s.Study); word != "" {
			next += "; it has " + strings.Replace(word, "un", "ended un", 1) + ", and games that follow the verdict are left"
		}
		head.add("", next)
	} else {
		head.add("", s.Message)
	}
	if s.Foreign {
		head.add("", "kept by a program with Goptuna's API; nothing is proved")
		if b := s.Best; b != nil {
			head.add("", fmt.Sprintf("best: trial %d with %s", b.Trial, b))
		}
	} else if s.Spec.Evaluate == nil {
		head.add("", plain.Wrap("race: "+s.Spec.Race.String(), "  ", plain.Width))
	}
	for _, worker := range s.Workers {
		if worker.Suspicious {
			head.add("", fmt.Sprintf("suspicious: %s (sakusen study drop %s --worker %s removes them)", worker, s.Study.Study, worker.Name))
		}
	}
	if s.Spec != nil && s.Spec.Duels {
		return append([]Section{head}, duelled(s, limit)...)
	}
	trials := Section{Key: "trials", tight: true, Columns: columns("TRIAL", "STATE", "VALUE", "BLOCKS", "PARAMETERS")}
	left := len(s.Trial) - limit
	if limit <= 0 || left < 0 {
		left = 0
	}
	first := (len(s.Trial) - left + 1) / 2
	for i, t := range s.Trial {
		if left > 0 && i == first {
			trials.Lines = append(trials.Lines, Line{Label: "..."})
		}
		if left == 0 || i < first || i >= first+left {
			trials.Lines = append(trials.Lines, Line{Label: fmt.Sprint(t.Number), Cells: cells(t.State, fourDigits(t.Value), t.Blocks, paramsOf(s, t))})
		}
	}
	out := []Section{head, trials}
	if left > 0 {
		out = append(out, Section{Key: "left out", tight: true, Title: leftOut(left, "trial in the middle is", "trials in the middle are")})
	}
	return out
}

// leftOut says how many of a list are not printed, and how all are.
func leftOut(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s left out (--limit 0 prints all)", n, many)
}

// duelled returns the trials of a study in which they meet each other by the model of all games,
// those first that it is surest of: the value of a single meeting says next to nothing.
func duelled(s *service.WholeStudy, limit int) []Section {
	trials := Section{Key: "trials", tight: true, Columns: columns("TRIAL", "STATE", "GAMES", "ELO BY THE MODEL", "PARAMETERS")}
	trials.Columns[3].Shows = Ends
	known := map[int]service.TrialEstimate{}
	order := make([]int, 0, len(s.Trial))
	at := map[int]int{} // of each trial
	for i, t := range s.Trial {
		at[t.Number] = i
	}
	const mostWidth = 400 // Elo; in a wider interval no number is told
	told := func(e service.TrialEstimate) bool {
		return e.Elo != nil && e.EloCI != nil && e.EloCI[1]-e.EloCI[0] < mostWidth
	}
	for _, wide := range []bool{false, true} {
		for _, e := range s.Estimates {
			if i, ok := at[e.Trial]; ok && told(e) != wide {
				known[e.Trial], order = e, append(order, i)
			}
		}
	}
	for i, t := range s.Trial {
		if _, ok := known[t.Number]; !ok {
			order = append(order, i)
		}
	}
	shown := len(order)
	if limit > 0 {
		shown = min(shown, limit)
	}
	for _, i := range order[:shown] {
		t := s.Trial[i]
		e, ok := known[t.Number]
		elo := Cell{Value: "-"}
		if ok && e.Elo != nil && e.EloCI != nil {
			elo = Cell{Value: "too few games", Interval: betweenElo(e.EloCI[0], e.EloCI[1])}
			if told(e) {
				elo.Value = numeral.Elo(*e.Elo) + beyond(*e.Elo)
			}
		}
		row := append(cells(t.State, e.Games), elo)
		trials.Lines = append(trials.Lines, Line{Label: fmt.Sprint(t.Number), Cells: append(row, cells(paramsOf(s, t))...)})
	}
	origin := "the baseline"
	if _, same := insight.Baseline(s.Spec); !same {
		origin = "the middle of the space"
	}
	trials.Note = "Elo above " + origin + " by the model of all games of the search, those first whose interval begins highest. Only a validation proves any of it."
	out := []Section{trials}
	if left := len(order) - shown; left > 0 {
		out = append(out, Section{Key: "left out", tight: true, Title: leftOut(left, "trial is", "trials are")})
	}
	return out
}

// fourDigits returns a number with four significant digits; "-" where there is none.
func fourDigits(x *float64) string {
	if x == nil {
		return "-"
	}
	if math.Abs(*x) < 1e-12 {
		return "0" // the rest of a sum that is none
	}
	return numeral.Text(*x)
}

// paramsOf returns a trial's parameters with short numbers, those of a study without a spec by name.
func paramsOf(s *service.WholeStudy, t service.Trial) string {
	if s.Spec != nil {
		return setting(s.Spec, t.Params)
	}
	texts := make([]string, 0, len(t.Params))
	for _, name := range slices.Sorted(maps.Keys(t.Params)) {
		texts = append(texts, name+"="+t.Params[name])
	}
	return strings.Join(texts, " ")
}

// Games writes the games: seats, sources, options of the rules, metrics, strategies. No
// line is wider than [plain.Width] columns.
func Games(w io.Writer, games []service.GameInfo) error {
	var b strings.Builder
	for i, g := range games {
		if i > 0 {
			b.WriteByte('\n')
		}
		seats := fmt.Sprintf("%d seats", g.Seats)
		if g.SeatsOption != nil {
			seats = *g.SeatsOption + " seats"
		}
		fmt.Fprintf(&b, "%s (%s)\n", g.Name, seats)
		paragraph(&b, "  ", g.Doc)
		paragraph(&b, "  ", "source: "+g.Source)
		for _, p := range g.Rules {
			parameter(&b, "rule "+p.Name, &p, "")
		}
		for _, m := range g.Metrics {
			paragraph(&b, "  ", fmt.Sprintf("metric %s: %s", m.Name, m.Doc))
		}
		paragraph(&b, "  ", "strategies: "+strings.Join(g.Strategies, ", "))
		names(&b, g.PaperNames)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Strategies writes the strategies of games with their parameters. No line is wider
// than [plain.Width] columns.
func Strategies(w io.Writer, games []service.StrategiesInfo) error {
	var b strings.Builder
	for _, g := range games {
		for _, s := range g.Strategies {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "%s %s\n", g.Game, s.Name)
			paragraph(&b, "  ", s.Doc)
			paragraph(&b, "  ", "source: "+s.Source)
			for _, p := range s.Params {
				fixed := "; fixed"
				if p.Tuned {
					fixed = ""
				}
				parameter(&b, p.Name, &p, fixed)
			}
		}
		if g.PaperNames != "" {
			fmt.Fprintf(&b, "\n%s\n", g.Game)
			names(&b, g.PaperNames)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// parameter writes a parameter: its values and default on one line, what it is for
// below.
func parameter(b *strings.Builder, name string, p *service.ParamInfo, end string) {
	kind := map[string]string{"int": "integer ", "float": "real "}[p.Kind]
	paragraph(b, "  ", fmt.Sprintf("%s: %s%s; default %s%s", name, kind, p.Values(), p.Default, end))
	paragraph(b, "      ", p.Conditions()+p.Doc)
}

// paragraph writes a text whose lines all begin with an indent.
func paragraph(b *strings.Builder, indent, text string) {
	fmt.Fprintln(b, indent+plain.Wrap(text, indent, plain.Width))
}

// names writes which names of a paper entrants may have.
func names(b *strings.Builder, text string) {
	if text != "" {
		paragraph(b, "  ", "names of the paper that entrants may have: "+text)
	}
}
