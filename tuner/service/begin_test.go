package service_test

import (
	"context"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/studyfile"
)

const hills = `version: 1
name: first
doc: what is high?
game: laboratory
tune:
  strategy: point
  params: [{name: x1, low: 0.2, high: 0.8}, {name: x2}]
baseline: point
budget: {games: 4000}
`

// A study begins with the games of an earlier one, as its file names it; what differs is
// an error, and nothing is stored then. The proof is a further attempt on other games.
func TestBeginFrom(t *testing.T) {
	s := open(t)
	first := tuned(t, s, hills)
	for change, want := range map[string]string{
		"begin_from: nobody":                          "begin_from: no study named",
		"baseline: point(x1=0.3)":                     "differs in baseline: it has \"point",
		"params: [{name: x1, low: 0.81}, {name: x2}]": "lies in the ranges of this study",
		"evaluate: {mode: baseline}":                  "differs in evaluate: it has \"duels\", this study has \"baseline\"",
	} {
		text := strings.Replace(hills, "name: first", "name: other", 1)
		switch key, _, _ := strings.Cut(change, ":"); key {
		case "baseline":
			text = strings.Replace(text, "baseline: point", change, 1) + "begin_from: first\n"
		case "params":
			text = strings.Replace(text, "params: [{name: x1, low: 0.2, high: 0.8}, {name: x2}]", change, 1) + "begin_from: first\n"
		case "begin_from":
			text += change + "\n"
		default:
			text += change + "\nbegin_from: first\n"
		}
		if _, err := s.Studies().Tune(t.Context(), fileOf(t, text), arena.NewPool(2), nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", change, err, want)
		}
		if err := s.Studies().Files.Add(t.Context(), fileOf(t, text), 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: added: %v", change, err)
		}
		if _, err := s.Studies().Show(t.Context(), "other"); err == nil {
			t.Errorf("%s: the study is there", change)
		}
	}
	file, err := s.Studies().Files.Export(t.Context(), "first", export.AsStudy, false)
	if err != nil {
		t.Fatal(err)
	}
	again := string(file.Body)
	if want := strings.Replace(hills, "name: first", "name: first-2", 1) + "begin_from: \"first\"\n"; again != want {
		t.Errorf("the file to go on with is\n%s, want\n%s", again, want)
	}
	wider := strings.Replace(again, "{name: x1, low: 0.2, high: 0.8}", "{name: x1, low: 0.1}", 1)
	next := tuned(t, s, wider)
	if next.Begun == nil || next.Begun.Dropped != 0 || next.Begun.Games < 1000 || next.Begun.Games > first.Games || next.Validation.Attempt != 2 || next.Validation.Alpha >= first.Validation.Alpha {
		t.Errorf("%+v begun with %+v, validated %+v", next, next.Begun, next.Validation)
	}
	if suite.Few() {
		return
	}
	narrower := strings.NewReplacer("name: first", "name: third", "high: 0.8", "high: 0.6").Replace(hills) + "begin_from: first-2\n"
	third := tuned(t, s, narrower)
	if third.Begun == nil || third.Begun.Dropped == 0 || third.Begun.Points == 0 || third.Validation.Attempt != 3 {
		t.Errorf("%+v begun with %+v", third, third.Begun)
	}
	// What it began with is in its log: it is the same without the earlier studies, and
	// resumes without them.
	other := open(t)
	tuned(t, other, hills)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := other.Studies().Tune(ctx, fileOf(t, wider), arena.NewPool(1), func(p tuner.Progress) {
		if p.Trials > 20 {
			cancel()
		}
	}, nil); err == nil {
		t.Error("it is not interrupted")
	}
	cancel()
	if err := other.Queue().Delete(t.Context(), daemon.StudyKey("first")); err != nil {
		t.Fatal(err)
	}
	if got := tuned(t, other, wider); got.Digest != next.Digest || *got.Begun != *next.Begun {
		t.Errorf("resumed: %+v, want %+v", got, next)
	}
}

// Points are given to a study that is not done, and it tries them; others are refused.
func TestTry(t *testing.T) {
	s := open(t)
	if err := s.Studies().Files.Add(t.Context(), fileOf(t, hills), 0); err != nil {
		t.Fatal(err)
	}
	give := func(text string) (*service.TryPoint, error) {
		return s.Studies().Try(t.Context(), "first", studyfile.ParsePoint(text))
	}
	p, err := give("x1=0.7")
	if err != nil || p.Point["x1"] != "0.7" || p.Point["x2"] == "" || p.Given != 1 {
		t.Fatalf("%+v %v", p, err)
	}
	for text, want := range map[string]string{"x1=0.7": "given this point before", "x1=0.9": "0.2..0.8", "y=1": "expected a tuned parameter", "x1": "x1"} {
		if _, err := give(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err := s.Studies().Tune(ctx, fileOf(t, hills), arena.NewPool(2), func(p tuner.Progress) {
		if p.Phase == "validation" {
			cancel()
		}
	}, nil); err == nil {
		t.Error("it is not interrupted")
	}
	if _, err := give("x1=0.6"); err == nil || !strings.Contains(err.Error(), "the search of study \"first\" has ended") {
		t.Error(err)
	}
	tuned(t, s, hills)
	d, err := s.Studies().Show(t.Context(), "first")
	if err != nil || d.State != "done" {
		t.Fatal(err)
	}
	if _, err := give("x1=0.6"); err == nil || !strings.Contains(err.Error(), "is done and tries no more points") {
		t.Error(err)
	}
	log, err := s.Studies().Logs.Log(t.Context(), "first", 0, 3)
	if err != nil || !strings.Contains(string(log[0].Payload), `"draw":-1,"params":[{"name":"x1","value":"0.7"}`) {
		t.Errorf("%s %v", log[0].Payload, err)
	}
}

// The file that goes on from a study has its lines in place, and what it began with is
// replaced.
func TestBeginFile(t *testing.T) {
	point := []string{"x1=0.5, x2=0.25"}
	const tail = "begin:\n  - {x1: 0.5, x2: 0.25}\nbegin_from: \"other\"\n"
	for text, want := range map[string]string{
		hills:                       hills + tail,
		strings.TrimSpace(hills):    hills + tail,
		"begin_from: old\n" + hills: hills + tail,
		"begin:\n  - {x1: 0.3}\n  # of the next\n" + hills + "begin_from: old": "  # of the next\n" + hills + tail,
	} {
		got, err := studyfile.Begin(text, point, "other")
		if err != nil || got != want {
			t.Errorf("%q\nbecomes %q %v", text, got, err)
		}
		if _, err := studyfile.Read("x.yaml", []byte(got), strategies.Catalogue(), sampler.Kinds{}); err != nil {
			t.Error(err)
		}
	}
}
