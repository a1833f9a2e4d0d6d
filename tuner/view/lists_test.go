package view_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

// text returns sections as the terminal has them.
func text(t *testing.T, sections ...view.Section) string {
	t.Helper()
	var b strings.Builder
	if err := view.Text(&b, sections...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// kept returns a finished study as a list has it.
func kept(t *testing.T, name string) *service.StudyDetail {
	t.Helper()
	spec, r := study()
	spec.Name, r.Study = name, name
	document, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	return &service.StudyDetail{
		Study:  service.Study{Study: name, State: "done", Game: "hill", Strategy: "climber", Trials: 12, Games: 999, Created: "2026-01-02T03:04:05Z", About: service.About{Validation: spec.Validation, Result: r}},
		Result: r, Spec: document,
	}
}

// A list says what each study has proved, with its interval, its games and its age; what is not
// done has proved nothing.
func TestStudies(t *testing.T) {
	done, running := kept(t, "mine").Study, kept(t, "yours").Study
	running.State = "running"
	metric := kept(t, "cheap").Study
	if err := json.Unmarshal([]byte(`{"name": "cost", "winner": 5, "baseline": 10, "gain": 5, "gain_ci": [4, 6]}`), &metric.About.Result.Validation.Metric); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 5, 3, 4, 5, 0, time.UTC)
	if cut := text(t, view.Studies([]service.Study{done, running, metric}, now, 1)); strings.Contains(cut, done.Study) || !strings.Contains(cut, metric.Study) || !strings.Contains(cut, "2 older studies are left out (--limit 0 prints all).") {
		t.Error(cut)
	}
	got := text(t, view.Studies([]service.Study{done, running, metric}, now, 3))
	for i, want := range []string{
		"STUDY STATE VERDICT GAIN 95 % GAMES AGE GAME STRATEGY TRIALS",
		"mine done passed +21 Elo [10, 32] 999 3 d hill climber 12",
		"yours running - - - 999 3 d hill climber 12/12",
		"cheap done passed -50 % cost [-60, -40] 999 3 d hill climber 12",
	} {
		if line := strings.Join(strings.Fields(strings.Split(got, "\n")[i]), " "); line != want {
			t.Errorf("line %d is %q, want %q", i, line, want)
		}
	}
}

// Trials that meet each other are listed by what the model of all games says of them, in the order
// given, with their games and four digits; those of which it says nothing come last.
func TestTrialsOfDuels(t *testing.T) {
	spec, _ := study()
	spec.Duels, spec.Baseline = true, "climber"
	number := func(x float64) *float64 { return &x }
	w := &service.WholeStudy{StudyDetail: service.StudyDetail{Study: service.Study{Study: "mine", State: "running"}}, Spec: spec}
	for i := range 5 {
		w.Trial = append(w.Trial, service.Trial{Number: i, State: "complete", Value: number(1.3877787807814457e-16), Params: map[string]string{"x": fmt.Sprintf("%d.123456789", i)}})
	}
	w.Estimates = []service.TrialEstimate{
		{Trial: 4, Games: 4, Elo: number(254), EloCI: &[2]float64{-insight.MostElo, insight.MostElo}},
		{Trial: 1, Games: 8, Elo: number(insight.MostElo), EloCI: &[2]float64{190, insight.MostElo}},
		{Trial: 2, Games: 16, Elo: number(12.345678), EloCI: &[2]float64{-0.98765, 25.5}},
		{Trial: 0, Games: 8, Elo: number(1e-17), EloCI: &[2]float64{-10, 10}},
		{Trial: 3, Games: 4},
	}
	got := strings.Split(text(t, view.Whole(w, 4)...), "\n")
	for i, want := range []string{"TRIAL STATE GAMES ELO BY THE MODEL 95 % PARAMETERS", "1 complete 8 +400 or more [190, 400 or more] x=1.123", "2 complete 16 +12 [-1, 26] x=2.123",
		"0 complete 8 0 [-10, 10] x=0.1235", "4 complete 4 too few games [-400 or less, 400 or more] x=4.123", "Elo above the baseline by the model of all games of the search, those first"} {
		if line := strings.Join(strings.Fields(got[2+i]), " "); line != want {
			t.Errorf("line %d is %q, want %q", i, line, want)
		}
	}
	if last := got[len(got)-2]; !strings.HasPrefix(last, "1 trial is left out") {
		t.Errorf("ends with %q", last)
	}
}

// Studies beside each other say what keeps them apart, how far their gains differ where they are
// above one baseline, and name only the settings that differ, long values cut.
func TestCompared(t *testing.T) {
	first, second := kept(t, "one"), kept(t, "two")
	second.Result.Validation.Elo = new(float64)
	*second.Result.Validation.Elo = 50
	second.Result.Validation.CI95 = &[2]float64{40, 60}
	first.Result.Validation.Estimate = &tuner.AfterPass{Elo: new(float64), CI95: &[2]float64{7, 29}} // the gain to quote
	*first.Result.Validation.Estimate.Elo = 18
	all := []*service.StudyDetail{first, second}
	sections := view.Compared(all)
	got := strings.Join(strings.Fields(text(t, sections...)), " ")
	for _, want := range []string{"1. one Passed +18 Elo [7, 29]", "2. two Passed +50 Elo [40, 60]", "2 less 1 +32 Elo [17, 47] by chance: both have the same answer",
		"PARAMETER 1. one 2. two x 1 1 y 0.5 → 0.123456789 0.5 → 0.123456789"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	second.Result.Best.Params = map[string]string{"x": "1", "y": "0.5"}
	if got := strings.Join(strings.Fields(text(t, view.Compared(all)...)), " "); !strings.Contains(got, "2 less 1 +32 Elo [17, 47] stronger than 1") {
		t.Error(got)
	}
	if strings.Contains(got, "baselines differ") || len(view.Find(sections, "settings").Lines) != 0 {
		t.Errorf("studies of one question are told apart: %s", got)
	}
	var spec tuner.Spec
	if err := json.Unmarshal(second.Spec, &spec); err != nil {
		t.Fatal(err)
	}
	spec.Baseline = "other(" + strings.Repeat("long=1,", 60) + "x=1)"
	second.Spec, _ = json.Marshal(spec)
	got = text(t, view.Compared(all)...)
	if !strings.Contains(got, "Their baselines differ") || strings.Contains(got, "less 1") {
		t.Errorf("unlike baselines: %s", got)
	}
	first.Written = map[string]string{"name": "one", "budget.games": "1000", "race.keep": "0.5", "tune.params[x]": "from 0 to 2"}
	second.Written = map[string]string{"name": "two", "budget.games": "2000", "race.keep": "0.5"}
	s := view.Find(view.Compared(all), "settings")
	if len(s.Lines) != 2 || s.Lines[0].Label != "budget.games" || s.Lines[1].Cells[1].Value != "-" || s.Note != "1 setting is the same." {
		t.Errorf("what was written differently: %+v", s)
	}
	for _, line := range strings.Split(got, "\n") {
		if len([]rune(line)) > 200 {
			t.Errorf("a line of %d characters: %s", len([]rune(line)), line)
		}
	}
}

// Of many meetings the first 20 are printed, and how many there are beside them; a name of any length is cut.
func TestRatingsAreBounded(t *testing.T) {
	all := make([]view.Rated, 300)
	for i := range all {
		all[i].Players = [2]string{strings.Repeat("a", 5000), fmt.Sprint(i)}
	}
	got := text(t, view.Ratings(all))
	if strings.Count(got, "\n") > view.MostLines+2 || !strings.Contains(got, "280 more") || len(got) > 30_000 {
		t.Errorf("%d bytes, at the end %s", len(got), got[max(0, len(got)-300):])
	}
}
