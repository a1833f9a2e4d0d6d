package web

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
	"sakusen/tuner/view"
	"sakusen/tuner/web/chart"
)

// evidence draws what search, final and validation say of the answer on one axis.
// The log may be read only in part: then what it does not say yet is left out.
func evidence(r *tuner.Result, spec *tuner.Spec, log *insight.Log) template.HTML {
	if r != nil && len(r.Front) > 0 {
		return chart.Front(log, r)
	}
	return stages(r, spec, log).Draw()
}

// stages returns what search, final and validation say of the answer; nothing where its opponents say it.
func stages(r *tuner.Result, spec *tuner.Spec, log *insight.Log) *chart.Forest {
	if r == nil || r.Best == nil || r.Validation == nil {
		return &chart.Forest{}
	}
	v, s := r.Validation, gains(spec)
	if v.Metric != nil {
		return metricStrip(r, log, chart.Tone(v.Verdict))
	}
	if v.Elo == nil || spec.Objective.Goals()[0].Over == "worst" && len(v.Pool) > 0 {
		return s
	}
	final, played := finalOf(r, log)
	if e := r.Best.Claimed.Elo; e != nil && !(played && numeral.OrNaN(r.Best.Claimed.Score) == final.Value) { // else it is the final's
		one := chart.Stage{Name: "Search", Blocks: blocksOf(r, log), Value: *e, Lo: math.NaN(), Hi: math.NaN(), Text: elo(view.Claimed(r.Best)), Class: "thought"}
		if score, x := numeral.OrNaN(r.Best.Claimed.Score), numeral.OrNaN(r.Best.Value); x == score && log.Spec.Ruleset != nil { // else the error is that of a pool's value
			_, ci := stats.EloAround(score, numeral.OrNaN(r.Best.Error), log.Spec.Ruleset.Seats)
			one.Lo, one.Hi = ci[0], ci[1]
			if t := r.Best.Trial; math.Abs(*e) < insight.MostElo && t < len(log.Trials) && log.Scale().Elo && log.Trials[t].Value == score {
				known := log.Scale().Estimate(score, log.Trials[t].Error, int64(log.Trials[t].Blocks))
				one.Lo, one.Hi = known.Low, known.High
			}
		}
		s.Stages = append(s.Stages, one)
	}
	if played && len(spec.Pool) == 0 && spec.Objective.Goals()[0].Of == "score" {
		addFinal(s, final, log)
	}
	s.Stages = append(s.Stages, heldOut(v)...)
	return s
}

// heldOut returns the gain in Elo by the games of the verdict and, where games without a part
// in it tell the gain to quote, by those.
func heldOut(v *tuner.ValidationReport) (stages []chart.Stage) {
	add := func(name string, blocks int64, of *tuner.ValidationReport) {
		_, gain, ci := of.Quoted()
		if gain == nil {
			return
		}
		s := chart.Stage{Name: name, Blocks: numeral.Counted(blocks, "block"), Value: *gain, Lo: math.NaN(), Hi: math.NaN(), Text: elo(view.Gain(of)), Class: chart.Tone(v.Verdict)}
		if ci != nil {
			s.Lo, s.Hi = ci[0], ci[1]
		}
		stages = append(stages, s)
	}
	verdict := *v
	verdict.Estimate = nil
	add("Validation", v.Blocks, &verdict)
	if e := v.Estimate; e != nil && e.Elo != nil {
		add("To quote", view.Blocks(v), v)
	}
	return stages
}

// worth adds to a study's drawings what its report says of parameters. This is what the answer
// loses without each of its changes, measured after the verdict, the largest first; then the
// search's model; then the candidates that are as good as the answer.
func worth(v *chart.Drawings, spec *tuner.Spec, r *tuner.Result) {
	if r == nil {
		return
	}
	all := slices.Clone(r.SetBack)
	unit, lost := "Elo", "Elo lost"
	for i := range all {
		if m := all[i].Metric; m != nil {
			unit, lost, all[i].Lost, all[i].CI95 = m.Name, map[bool]string{true: m.Name + " lost", false: "more " + m.Name}[spec.Proved().Maximize()], m.Gain, m.GainCI
		}
	}
	v.WorthIn, v.Origin = lost, cmp.Or(v.Origin, "the baseline")
	all = slices.DeleteFunc(all, func(b tuner.SetBack) bool { return b.Lost == nil || b.CI95 == nil })
	slices.SortStableFunc(all, func(a, b tuner.SetBack) int { return cmp.Compare(*b.Lost, *a.Lost) })
	for _, b := range all {
		v.Worth = append(v.Worth, chart.Bar{Name: strings.Join(b.Parameters, ", "), Text: view.Typeset(view.Amount(*b.Lost, b.CI95[0], b.CI95[1], " "+unit, "")),
			Share: max(0, *b.Lost) / max(*all[0].Lost, math.SmallestNonzeroFloat64)})
	}
	v.Importance = slices.DeleteFunc(v.Importance, func(b chart.Bar) bool { // of which the report says that the games tell nothing
		return slices.ContainsFunc(r.Parameters, func(k tuner.Known) bool { return k.Name == b.Name && !k.Tells() })
	})
	told, parameter := view.Study(spec, r), 0
	for _, l := range slices.Concat(view.Find(told, "parameters").Lines, view.Find(told, "search").Lines) {
		text := view.Typeset(l.Text())
		if word := strings.TrimRight(strings.Fields(text)[0], ":,"); !slices.ContainsFunc(spec.Tune.Params, func(d tuner.Dimension) bool { return d.Name == word }) { // else a name
			text = strings.ToUpper(text[:1]) + text[1:]
		}
		switch l.Label {
		case "Parameter": // first those that were set back, in order
			if n := parameter; n >= len(r.SetBack) || r.SetBack[n].Lost == nil && r.SetBack[n].Metric == nil {
				v.Measured = append(v.Measured, text)
			}
			parameter++
		case "Model":
			v.Told = append(v.Told, text)
		case "As good":
			v.Good = text
		}
	}
}

// opponents draws how the answer of a study with a pool stands against each opponent, the strongest
// first.
func opponents(r *tuner.Result) template.HTML {
	if r == nil {
		return ""
	}
	s := &chart.Forest{Unit: "Elo above each opponent", Even: "even", Gains: true}
	all := view.Opponents(r.Validation)
	names := view.Labels(all)
	for i, o := range all {
		if o.Elo == nil || o.CI95 == nil {
			s.Stages = append(s.Stages, chart.Stage{Name: names[i], Blocks: numeral.Counted(o.Blocks, "block"), Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Text: untold(&o)})
			continue
		}
		class, blocks := "measured", numeral.Counted(o.Blocks, "block")
		switch {
		case o.CI95[1] < 0:
			class = "bad"
		case o.CI95[0] <= 0:
			class = "warn"
		}
		if i == 0 {
			blocks += ", the worst"
		}
		s.Stages = append(s.Stages, chart.Stage{Name: names[i], Blocks: blocks, Value: *o.Elo, Lo: o.CI95[0], Hi: o.CI95[1], Text: elo(o.Gain()), Class: class})
	}
	if len(s.Stages) == 0 {
		return ""
	}
	return "<h3>Against each opponent</h3>" + s.Draw()
}

// untold reports why the gain above an opponent is not known.
func untold(o *view.Opponent) string {
	if o.Standing != nil && o.Elo != nil && *o.Elo == 0 && strings.Contains(o.Standing.Reason, "every block scored") {
		return "even in each block"
	}
	return "not known from these games"
}

// elo returns a gain as the head of a study has it, for where its unit stands beside it.
func elo(gain view.Cell) string { return strings.Replace(view.Typeset(gain.Value), " Elo", "", 1) }

// gains returns the axis of gains in Elo, with what is between the bounds of the test.
func gains(spec *tuner.Spec) *chart.Forest {
	return &chart.Forest{Unit: "Elo above the baseline", Gains: true, Zone: spec.Validation.Elo}
}

// addFinal adds what the final said of a trial whose values are scores.
func addFinal(s *chart.Forest, f insight.Seen, log *insight.Log) {
	if log.Spec.Ruleset == nil {
		return
	}
	scale := log.Scale()
	scale.Elo = true
	e := scale.Estimate(f.Value, f.Error, log.Spec.Final.Blocks)
	s.Add("Final", numeral.Counted(log.Spec.Final.Blocks, "block"), e.Value, e.Low, e.High, "measured")
}

// underway draws what is known so far of the best of a study that runs: what the search
// thinks of it, the final, and the validation at its last look.
func underway(p *service.Progress, spec *tuner.Spec, log *insight.Log) template.HTML {
	if p == nil || log == nil || log.Spec.Ruleset == nil || spec.Proved().Of != "score" || spec.Pareto() {
		return ""
	}
	s := gains(spec)
	if p.Elo != nil && p.EloCI != nil {
		blocks := ""
		if p.Incumbent != nil && *p.Incumbent < len(log.Trials) {
			blocks = numeral.Counted(int64(log.Trials[*p.Incumbent].Blocks), "block")
		}
		s.Stages = append(s.Stages, chart.Stage{Name: "Search", Blocks: blocks, Value: *p.Elo, Lo: p.EloCI[0], Hi: p.EloCI[1], Text: numeral.Page(numeral.Elo(*p.Elo)), Class: "thought hatched"})
	}
	var final *insight.Seen
	for i := range log.Finals {
		if f := &log.Finals[i]; !math.IsNaN(f.Value) && (final == nil || f.Value > final.Value) {
			final = f
		}
	}
	if final != nil && log.Scale().Elo {
		addFinal(s, *final, log)
	}
	if n := len(p.Looks); n > 0 {
		l := &p.Looks[n-1]
		s.Add("Validation", numeral.Count(l.Blocks)+" of "+numeral.Count(l.Most), l.Elo, l.EloCI[0], l.EloCI[1], "measured")
	}
	return s.Draw()
}

// metricStrip draws what search, final and validation say in a metric, the baseline's value
// among them.
func metricStrip(r *tuner.Result, log *insight.Log, class string) *chart.Forest {
	v := r.Validation
	m := v.Metric
	if m.Winner == nil || m.Baseline == nil {
		return &chart.Forest{}
	}
	s := &chart.Forest{Unit: log.Scale().AxisOf(m.Name) + " a game", Base: *m.Baseline}
	add := func(name, blocks string, x, half float64, class string) {
		s.Stages = append(s.Stages, chart.Stage{Name: name, Blocks: blocks, Value: x, Lo: x - half, Hi: x + half, Text: numeral.Page(numeral.Rounded(x, half)), Class: class})
	}
	if r.Best.Value != nil {
		add("Search", blocksOf(r, log), *r.Best.Value, stats.Deviate95*numeral.OrNaN(r.Best.Error), "thought")
	}
	if f, ok := finalOf(r, log); ok && len(log.Spec.Pool) == 0 {
		add("Final", numeral.Counted(log.Spec.Final.Blocks, "block"), f.Value, stats.Deviate95*f.Error, "measured")
	}
	add("Validation", numeral.Counted(v.Blocks, "block"), *m.Winner, numeral.Half(m.GainCI), class)
	if q := v.QuotedMetric(); q != m && q.Winner != nil {
		add("To quote", numeral.Counted(view.Blocks(v), "block"), *q.Winner, numeral.Half(q.GainCI), class)
	}
	return s
}

// finalOf returns what the final said of the answer.
func finalOf(r *tuner.Result, log *insight.Log) (insight.Seen, bool) {
	if log != nil {
		for _, f := range log.Finals {
			if f.Trial == r.Best.Trial && !math.IsNaN(f.Value) {
				return f, true
			}
		}
	}
	return insight.Seen{}, false
}

// blocksOf returns the number of blocks by which the search claims.
func blocksOf(r *tuner.Result, log *insight.Log) string {
	if log == nil || r.Best.Trial >= len(log.Trials) {
		return ""
	}
	if n := int64(log.Trials[r.Best.Trial].Blocks); n > 0 {
		return numeral.Counted(n, "block")
	}
	return "by its model"
}

// compareView is what the page that compares studies shows.
type compareView struct {
	Studies  []comparedStudy
	Sections []view.Section // see view.Compared
	Plot     template.HTML
	Course   template.HTML // what each search thought best, by games
	Without  []int         // the numbers of studies whose searches do not tell
	Report   string        // the address of all of them as one file
	Typed    string        // the name of a study that cannot be added
	Mistake  string        // why
	Names    []string      // the newest studies, which can be
	Reading  bool          // the log of one has not been read to its end
	Measured []string      // what their metrics are, with their units
}

// comparedStudy is one of them, with its line of the table.
type comparedStudy struct {
	Name  string
	Less  string // the address without it, empty of two
	A     *view.Answer
	Cells []view.Cell // verdict, gain, tested, spent, baseline
}

// compareOf returns the comparison of studies.
func compareOf(all []*service.StudyDetail) *compareView {
	v := &compareView{Sections: view.Compared(all), Plot: gainsOf(all)}
	var names []string
	for i, d := range all {
		names = append(names, d.Study.Study)
		v.Studies = append(v.Studies, comparedStudy{Name: names[i], A: view.AnswerOf(d.Study), Cells: view.Find(v.Sections, "compared").Lines[i].Cells})
	}
	for i := range all {
		if len(all) > 2 {
			v.Studies[i].Less = "/compare?" + url.Values{"s": slices.Delete(slices.Clone(names), i, i+1)}.Encode()
		}
	}
	v.Report = "/api/v1/studies/" + url.PathEscape(names[0]) + "/report?" + url.Values{"beside": names[1:]}.Encode()
	return v
}

// Room reports whether another study can be added.
func (v *compareView) Room() bool { return len(v.Studies) < view.MostCompared }

// gainsOf draws the validated gains of studies on one axis, empty where none has any.
func gainsOf(all []*service.StudyDetail) template.HTML {
	strip := &chart.Forest{Unit: "Elo above each study's baseline", Gains: true}
	for i, d := range all {
		if x, lo, hi, ok := gainOf(d.Study); ok {
			a := view.AnswerOf(d.Study)
			strip.Stages = append(strip.Stages, chart.Stage{Name: fmt.Sprint(i + 1), Blocks: numeral.Counted(view.Blocks(d.Result.Validation), "block"), Value: x, Lo: lo, Hi: hi, Text: elo(a.Gain), Class: a.Tone})
		}
	}
	return strip.Draw()
}

// comparePage shows the studies that the address names side by side, and the added one.
func (s studyPages) comparePage(r *http.Request) (any, error) {
	var names []string
	q := r.URL.Query()
	for _, n := range append(q["s"], strings.TrimSpace(q.Get("add"))) {
		if n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) < 2 {
		v, err := s.found(r)
		if err != nil {
			return nil, err
		}
		return v.lacks("study", 2), nil
	}
	if len(names) > view.MostCompared {
		return nil, service.New(service.Invalid, fmt.Sprintf("s: expected two to %d studies to compare, got %d: tick them in the list of studies", view.MostCompared, len(names)))
	}
	var all []*service.StudyDetail
	var missing error
	for _, n := range names {
		one, err := s.o.Service.Studies().Several(r.Context(), []string{n})
		if all = append(all, one...); err != nil {
			missing = cmp.Or(missing, err)
		}
	}
	p, told := asProblem(missing)
	if missing != nil && (len(all) == 0 || !told) {
		return nil, missing
	}
	v, err := s.comparison(r, all)
	if missing == nil || err != nil {
		return v, err
	}
	v.Typed, v.Mistake = strings.TrimSpace(q.Get("add")), p.Text
	return instead{status: p.Status, data: v}, nil
}

// comparison returns the comparison of studies, with drawings from their logs.
func (s studyPages) comparison(r *http.Request, all []*service.StudyDetail) (*compareView, error) {
	v := compareOf(all)
	if found, err := s.o.Service.Studies().Find(r.Context(), store.Filter{Sort: "newest", Limit: listedStudies}); err == nil {
		for _, one := range found.Studies {
			if !one.Foreign && !slices.ContainsFunc(all, func(d *service.StudyDetail) bool { return d.Study.Study == one.Study }) {
				v.Names = append(v.Names, one.Study)
			}
		}
	}
	var searches []chart.Search
	for _, d := range all {
		if d.Foreign {
			continue
		}
		c, err := s.studyLogs.of(r.Context(), d)
		if err == nil {
			err = s.studyLogs.read(r.Context(), c, d.Entries, logWait)
		}
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		v.Reading = v.Reading || c.log.Entries < d.Entries
		searches = append(searches, chart.SearchOf(d.Study.Study, c.log, d.Result))
		for _, m := range c.log.Scale().Measured() {
			if !slices.Contains(v.Measured, m) {
				v.Measured = append(v.Measured, m)
			}
		}
		c.mu.Unlock()
	}
	drawing, without := chart.BestSoFar(searches)
	if v.Course = drawing; !v.Reading {
		v.Without = without
	}
	return v, nil
}
