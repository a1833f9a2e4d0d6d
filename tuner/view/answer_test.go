package view

import (
	"math"
	"strings"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
)

// An undecided validation says what was missing, and what its proof would take: also
// where the interval alone would say yes.
func TestUndecided(t *testing.T) {
	test := &entry.TestResult{Above: 2.2, Needs: 2.61}
	reason := "undecided after 150 blocks; to prove the +11.6 Elo that were seen, if they are true, takes about 6645 different blocks"
	for _, c := range []struct {
		low  float64
		want []string
	}{
		{-60, []string{"does not mean no", "too few to tell", "2.2 standard errors above 0 Elo; a pass needs 2.6", "about 6 700 different blocks"}},
		{43.9, []string{"The interval alone would say yes, but", "every attempt", "which is 0.0125 in this one", "a pass needs 2.6"}},
	} {
		got := undecided(0, &tuner.ValidationReport{CI95: &[2]float64{c.low, 120}, Alpha: 0.0125, Test: test, Reason: reason})
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("an interval from %g: %q lacks %q", c.low, got, want)
			}
		}
	}
	if got := undecided(0, &tuner.ValidationReport{Reason: "x; more games are needed"}); !strings.HasSuffix(got, "More games are needed.") {
		t.Errorf("%q", got)
	}
}

// Every state of a study is said in words, with a sign and a tone; the level of an
// interval is that of the data.
func TestAnswers(t *testing.T) {
	x := func(v float64) *float64 { return &v }
	result := func(verdict string, elo float64) *tuner.Result {
		score := 1 / (1 + math.Pow(10, -elo/400))
		return &tuner.Result{Best: &tuner.Best{Claimed: tuner.Claim{Score: x(0.67), Elo: x(122)}, Error: x(0.03)}, Validation: &tuner.ValidationReport{
			Score: x(score), Elo: x(elo), CI95: &[2]float64{elo - 6.4, elo + 6.4}, ScoreCI: &[2]float64{score - 0.009, score + 0.009}, Blocks: 6000, Attempt: 1, Verdict: verdict, Reason: "it is so", Alpha: 0.025,
		}}
	}
	metric := result("pass", 0)
	metric.Best.Claimed = tuner.Claim{}
	metric.Validation.Elo, metric.Validation.Alpha = nil, 0.0152
	metric.Validation.Metric = &entry.MetricVerdict{Name: "nodes", Winner: x(220), Baseline: x(475), Gain: x(255), GainCI: &[2]float64{156, 354}}
	refuted, refutedMetric := result("pass", 67), *metric
	refuted.Validation.Estimate = &tuner.AfterPass{Elo: x(-28), Score: x(0.459), CI95: &[2]float64{-71, 14}, ScoreCI: &[2]float64{0.4, 0.52}, Blocks: 111}
	v := *metric.Validation
	v.Estimate = &tuner.AfterPass{Metric: &entry.MetricVerdict{Name: "nodes", Winner: x(480), Baseline: x(475), Gain: x(-5), GainCI: &[2]float64{-50, 40}}, Blocks: 111}
	refutedMetric.Validation = &v
	for _, c := range []struct {
		state  string
		result *tuner.Result
		want   []string // tone, word, and what is said
	}{
		{"done", refuted, []string{"warn", "Passed, not confirmed", "\u221228 Elo", "let more games decide"}},
		{"done", &refutedMetric, []string{"warn", "Passed, not confirmed", "let more games decide"}},
		{"done", result("pass", 67), []string{"good", "Passed", "+67 Elo", "60 to 74 (95 %) above the baseline", "6000 blocks that no search has seen", "45 % of the claim came from choosing"}},
		{"done", result("pass", 112), []string{"good", "Passed", "The search had claimed +122; the difference may be chance."}},
		{"done", result("fail", -18), []string{"bad", "Failed, not better", "\u221218 Elo"}},
		{"done", result("inconclusive", 20), []string{"warn", "Undecided", "+20 Elo", "Prove further"}},
		{"done", metric, []string{"good", "Passed", "\u221254 % nodes", "220 nodes, the baseline 475", "(97 %)"}},
		{"done", &tuner.Result{Notes: []string{"no candidate is within the limits"}}, []string{"warn", "No answer", "No candidate is within the limits."}},
		{"done", &tuner.Result{Best: &tuner.Best{Claimed: tuner.Claim{Elo: x(30)}}}, []string{"warn", "Not tested", "+30 Elo", "best of many"}},
		{"running", nil, []string{"plain", "Running", "The search continues"}},
		{"queued", nil, []string{"plain", "Waiting"}},
		{"paused", nil, []string{"plain", "Paused", "Resume goes on"}},
		{"stopped", nil, []string{"plain", "Stopped"}},
		{"failed", nil, []string{"bad", "Failed", "Disk gone.", "Resume goes on from trial 12"}},
	} {
		s := service.Study{State: c.state, Trials: 12}
		if c.state == "failed" {
			s.Message = "disk gone"
		}
		s.About.Result, s.About.Objective.Of = c.result, "score"
		a := AnswerOf(s)
		text := strings.Join([]string{a.Tone, a.Sign, a.Word, a.Big(), a.Small(), a.Text, a.Next, a.Fine}, " | ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q lacks %q", c.state, text, want)
			}
		}
		if a.Sign == "" {
			t.Errorf("%s has no sign", c.state)
		}
	}
}

// The answer of a study with a pool names opponents briefly, the strongest first. A study that
// asks for the worst opponent calls no answer good that is not shown to be the stronger.
func TestOpponents(t *testing.T) {
	x := func(v float64) *float64 { return &v }
	standing := func(entrant string, elo, half float64, of entry.Standing) tuner.Standing {
		return tuner.Standing{Entrant: entrant + "?", Name: entrant, Standing: of, Elo: x(elo), CI95: &[2]float64{elo - half, elo + half}, Blocks: 50, Distinct: 50}
	}
	v := &tuner.ValidationReport{Score: x(0.55), Elo: x(41), CI95: &[2]float64{30, 52}, ScoreCI: &[2]float64{0.54, 0.56}, Blocks: 600, Attempt: 1, Verdict: "pass", Pool: []tuner.Standing{
		standing("mp(start_squares=50,open_hits=a)", 60, 20, entry.NotWorse), standing("mp(start_squares=30,open_hits=a)", -15, 17, entry.Undecided),
		standing("neighbour(sinking=at_once)", 100, 10, entry.NotWorse),
		{Entrant: "random", Standing: entry.Undecided, Reason: "all blocks came out even"},
	}}
	var names []string
	for _, o := range Opponents(v) {
		names = append(names, o.Name)
	}
	if got, want := strings.Join(names, "; "), "mp(start_squares=30,open_hits=a); the baseline; mp(start_squares=50,open_hits=a); neighbour(sinking=at_once); random"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	lines := strings.Join(poolLines(v), "|")
	for _, want := range []string{"against mp(start_squares=30,open_hits=a): -15 Elo (-32 to 2), 50 blocks (50 distinct): which is stronger cannot be told.|against mp(start_squares=50,open_hits=a): +60 Elo", "the answer is no weaker.", "against random: which is stronger cannot be told, all blocks came out even"} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q lacks %q", lines, want)
		}
	}
	for over, want := range map[string][]string{
		"worst": {"warn", "Passed, worst undecided", "-15 Elo, against mp(start_squares=30,open_hits=a), the opponent it does worst against", "Against the baseline: +41 Elo", "Look at its opponents"},
		"mean":  {"good", "+41 Elo, above the baseline", "Export it"},
	} {
		s := service.Study{State: "done", About: service.About{Objective: tuner.Objective{Of: "score", Over: over}, Result: &tuner.Result{Best: &tuner.Best{}, Validation: v}}}
		a := AnswerOf(s)
		text := strings.Join([]string{a.Tone, a.Word, a.Gain.Value + ", " + a.Gain.Note, a.Text, a.Next}, " | ")
		if told := gainOf(&s); told.Value != a.Gain.Value {
			t.Errorf("%s: lists have %s, the page %s", over, told.Value, a.Gain.Value)
		}
		said := outcome(&tuner.Spec{Objective: s.About.Objective}, s.About.Result)
		for _, want := range want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q lacks %q", over, text, want)
			}
		}
		if over == "worst" != strings.Contains(said, "not shown to be stronger than the worst of its opponents") {
			t.Errorf("%s: %q", over, said)
		}
	}
}

// A failure is told by its class, in at most twelve words, with what can be done; the message is
// kept whole. Where resuming leads into the same failure, the answer says so.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		message, what string
		repeats       bool
	}{
		{`study "chess-flaky" was made by other code: signatures random:8fc885473d22f552 flaky:4835b443, now x`, "has changed", true},
		{`study "f" was made by other code: signatures toy:b057, now toy:recorded-b057`, "no longer plays the same", true},
		{"entry 12 of the log: expected ask, found tell: made by other code", "has changed", true},
		{"play is not the same twice: block 3 of phase tune under seed 7", "the same game twice", true},
		{"engine toy does not play the same twice: e2e4, and then d2d4", "the same game twice", true},
		{"the records of worker a (3 blocks) are not what is played here, the same each time: block 1", "other games than are played here", false},
		{"laboratory: block 4 of seed 1: panic: runtime error: index out of range", "crashed", true},
		{"panic: nil map (the daemon's log says where)", "crashed", true},
		{`unknown engine "toga": none is registered`, "cannot be started", false},
		{`program toga2: exec: "toga2": executable file not found in $PATH`, "cannot be started", false},
		{"engine toy: its files have changed since it was asked what it is: start again", "has changed", true},
		{"the engine did not answer within 10 s", "no answer in time", false},
		{"engine toy: the program has ended: exit status 1", "ended in the middle", false},
		{"write x.db: no space left on device", "The disk", false},
		{"attempt to write a readonly database", "The disk", false},
		{`spec: baseline: engine toy: exec: "/bin/toy": stat /bin/toy: no such file or directory`, "cannot be started", false},
		{"spec: baseline: engine toy: program /bin/toy: handshake: stall: no line in time", "cannot be started", false},
		{"something else\nof two lines", "An error ended it.", false},
	} {
		if told := Failed(c.message); !strings.HasPrefix(told, failureOf(c.message).what) || len(told) > 320 || strings.Contains(told, "the study") {
			t.Errorf("%q of a job: %q", c.message, told)
		}
		a := AnswerOf(service.Study{State: "failed", Message: c.message, Trials: 3})
		if !strings.Contains(a.Text, c.what) || a.Repeats != c.repeats || a.Details != c.message || len(strings.Fields(a.Text)) > 12 || a.Next == "" {
			t.Errorf("%q: %q, next %q, again %v, details %q", c.message, a.Text, a.Next, a.Repeats, a.Details)
		}
		if strings.Contains(a.Next, "Resume goes on") == c.repeats {
			t.Errorf("%q: next %q", c.message, a.Next)
		}
	}
}

// A failed test says what it has ruled out, and what can be done.
func TestFailedTests(t *testing.T) {
	elo := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		kind, word, next string
		asked, ci        [2]float64
	}{
		{"", "Failed, not better", "Keep the baseline", [2]float64{0, 10}, [2]float64{-30, -2}},
		{"", "Failed, not better by 150 Elo", "Keep the baseline", [2]float64{50, 150}, [2]float64{-59, 59}},
		{"", "Failed, gains less than asked", "Ask for a smaller gain", [2]float64{0, 300}, [2]float64{32, 164}},
		{"regression", "Failed, weaker", "Keep the baseline", [2]float64{-10, 0}, [2]float64{-40, 3}},
	} {
		var s service.Study
		s.State, s.About.Validation.Kind, s.About.Validation.Elo = "done", c.kind, c.asked
		s.About.Result = &tuner.Result{Best: &tuner.Best{}, Validation: &tuner.ValidationReport{Verdict: "fail", Elo: elo(1), CI95: &c.ci}}
		if a := AnswerOf(s); a.Word != c.word || !strings.Contains(a.Next, c.next) || !a.Again() || a.Proves() {
			t.Errorf("%v %v: %s, %s, again %v", c.asked, c.ci, a.Word, a.Next, a.Again())
		}
		s.About.Result.Validation.Verdict = "pass"
		if a := AnswerOf(s); a.Again() || a.Proves() {
			t.Errorf("a pass has another run as what helps: %s", a.Next)
		}
	}
}

// A score among more than two seats is told with the even share.
func TestEvenShare(t *testing.T) {
	score, elo := 0.243, -3.0
	r := &tuner.Result{Best: &tuner.Best{}, Validation: &tuner.ValidationReport{Verdict: "inconclusive", Blocks: 100, Score: &score, Elo: &elo, CI95: &[2]float64{-9, 3}}}
	s := service.Study{State: "done"}
	s.About.Result, s.About.Seats = r, 4
	if text := AnswerOf(s).Text; !strings.Contains(text, "scored 24.3 % (25 % is even).") {
		t.Error(text)
	}
}
