package service_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
)

// A study is queued once, held and taken up again; mistakes say whose they are.
func TestStudies(t *testing.T) {
	whole, ctx := open(t), t.Context()
	s, q, key := whole.Studies(), whole.Queue(), daemon.StudyKey("small")
	name, err := s.Files.Submit(ctx, service.Submission{Spec: small, Name: "small.yaml", Priority: 2})
	if err != nil || name != "small" {
		t.Fatalf("%q, %v", name, err)
	}
	if _, err := s.Files.Submit(ctx, service.Submission{Spec: small}); err != nil {
		t.Errorf("the same study again: %v", err)
	}
	_, err = s.Files.Submit(ctx, service.Submission{Spec: strings.Replace(small, "seed: 3", "seed: 4", 1)})
	refuses(t, err, service.Conflict)
	_, err = s.Files.Submit(ctx, service.Submission{Spec: "name: x\ngame: chess\n", Check: true})
	if refuses(t, err, service.Invalid); len(service.ErrorOf(err).Details) == 0 {
		t.Errorf("%v lists no mistakes", err)
	}
	list, err := s.List(ctx, store.Filter{Sort: "oldest", Limit: 10})
	if err != nil || len(list) != 1 || list[0].Study != "small" || list[0].State != "queued" || list[0].Priority != 2 || list[0].Progress != nil {
		t.Errorf("%+v, %v", list, err)
	}
	for _, c := range []struct {
		do    func(context.Context, daemon.Key) (tuner.State, error)
		state string
	}{{q.Pause, "paused"}, {q.Resume, "queued"}, {q.Resume, "queued"}, {q.Stop, "stopped"}} {
		if told, err := c.do(ctx, key); err != nil || string(told) != c.state {
			t.Errorf("%q, %v, want %s", told, err, c.state)
		}
		if d, err := s.Show(ctx, "small"); err != nil || d.State != c.state {
			t.Errorf("%+v, %v, want %s", d, err, c.state)
		}
	}
	refuses(t, only(q.Pause(ctx, key)), service.Conflict)
	refuses(t, only(q.Resume(ctx, daemon.StudyKey("small@1"))), service.Conflict)
	_, err = s.Files.Export(ctx, "small", "yaml", false)
	if e := service.ErrorOf(err); e.Code != service.Conflict || e.Reason != service.Nothing {
		t.Errorf("%+v", e)
	}
	_, err = s.Files.Export(ctx, "small", "xml", false)
	refuses(t, err, service.Invalid)
	must(t, q.Delete(ctx, key))
	_, err = s.Show(ctx, "small")
	refuses(t, err, service.NotFound)
	for _, err := range []error{only(q.Pause(ctx, key)), only(q.Stop(ctx, key)), only(q.Resume(ctx, key)), q.Delete(ctx, key), q.Prioritise(ctx, key, 1)} {
		refuses(t, err, service.NotFound)
	}
	_, err = s.Logs.Trials(ctx, "small", 0, 1)
	refuses(t, err, service.NotFound)
	_, err = s.Logs.Log(ctx, "small", 0, 1)
	refuses(t, err, service.NotFound)
	_, err = s.Drop(ctx, "small", "w")
	refuses(t, err, service.NotFound)
}

// A study whose budget was edited behind the program's back is neither taken up again nor
// moved in the queue, which would write a hash that fits the other budget; it can be deleted.
func TestEditedStudyStays(t *testing.T) {
	whole, ctx := open(t), t.Context()
	s, q, key := whole.Studies(), whole.Queue(), daemon.StudyKey("small")
	_, err := s.Files.Submit(ctx, service.Submission{Spec: small})
	must(t, err)
	must(t, only(q.Pause(ctx, key)))
	must(t, whole.Store().DB().Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE study_records SET budget_games = budget_games + 64")
		return err
	}))
	_, shown := s.Show(ctx, "small")
	for _, err := range []error{only(q.Resume(ctx, key)), only(q.Stop(ctx, key)), q.Prioritise(ctx, key, 1), shown} {
		if !sqlitedb.Damaged(err) {
			t.Errorf("%v, want a damaged row", err)
		}
	}
	list, err := s.List(ctx, store.Filter{Sort: "oldest", Limit: 10})
	if err != nil || len(list) != 1 || list[0].State != "paused" {
		t.Errorf("%+v, %v", list, err)
	}
	c, err := service.CheckDatabase(ctx, whole.Store().DB(), "x.db")
	if err != nil || c.OK || !strings.Contains(strings.Join(c.Studies, "\n"), "study small: its row") {
		t.Errorf("%+v, %v", c, err)
	}
	must(t, q.Delete(ctx, key))
}

// What runs from the stored spec ends as what runs from the file: the same digest
// and the same trials.
func TestRunStored(t *testing.T) {
	ctx := t.Context()
	queued := open(t)
	if _, err := queued.Studies().Files.Submit(ctx, service.Submission{Spec: small}); err != nil {
		t.Fatal(err)
	}
	serve(t, queued, daemon.StudyKey("small"))
	d, err := queued.Studies().Show(ctx, "small")
	must(t, err)
	if d.Result == nil || d.State != "done" || d.Result.Commit != "test" {
		t.Fatalf("%+v", d)
	}
	setup, err := studyfile.Read("small.yaml", []byte(small), strategies.Catalogue(), sampler.Kinds{})
	must(t, err)
	signatures, err := setup.Ruleset.Signatures(ctx, setup.Strategies()...)
	must(t, err)
	here := open(t)
	created := false
	r, err := here.Studies().Tune(ctx, service.StudyFile{Setup: setup, Signatures: signatures}, arena.NewPool(1), func(tuner.Progress) {}, func(c bool) { created = c })
	must(t, err)
	if r.Digest != d.Result.Digest || !created {
		t.Errorf("digest %s from the file, %s from the record; created %v", r.Digest, d.Result.Digest, created)
	}
	both := [2][]service.Trial{}
	for i, s := range []*service.Service{queued, here} {
		for trial, err := range s.Studies().Logs.AllTrials(ctx, "small") {
			must(t, err)
			both[i] = append(both[i], trial)
		}
	}
	if len(both[0]) == 0 || len(both[0]) != len(both[1]) || both[0][1].Params["place.height"] != both[1][1].Params["place.height"] {
		t.Errorf("%d trials from the record, %d from the file", len(both[0]), len(both[1]))
	}
	// The trials can always be had where the result is not asked for.
	doc, err := queued.Studies().Files.Export(ctx, "small", "optuna", true)
	if err != nil || doc.Name != "small.optuna.json" || !bytes.Contains(doc.Body, []byte("place.height")) {
		t.Errorf("%s, %v", doc.Name, err)
	}
	refuses(t, only(queued.Queue().Resume(ctx, daemon.StudyKey("small"))), service.Conflict)
	if page, err := queued.Blocks().Page(ctx, "small", 0, 5, true); err != nil || len(page) == 0 || page[0].Detail == nil {
		t.Errorf("%d runs of blocks, %v", len(page), err)
	}
	if _, err := queued.Studies().Drop(ctx, "small", "nobody"); service.ErrorOf(err).Reason != service.Nothing {
		t.Errorf("dropping a worker without blocks: %v", err)
	}
}

// A study whose file the record does not keep runs from its spec, with a seed of
// its own.
func TestRunWithoutFile(t *testing.T) {
	s, ctx := open(t), t.Context()
	setup, err := studyfile.Read("small.yaml", []byte(small), strategies.Catalogue(), sampler.Kinds{})
	must(t, err)
	setup.Sampler.Seed = 99
	signatures, err := setup.Ruleset.Signatures(ctx, setup.Strategies()...)
	must(t, err)
	must(t, s.Studies().Files.Add(ctx, service.StudyFile{Setup: setup, Signatures: signatures}, 0))
	serve(t, s, daemon.StudyKey("small"))
	if d, err := s.Studies().Show(ctx, "small"); err != nil || d.Result == nil {
		t.Errorf("%+v, %v", d, err)
	}
}

// A viewer of a study sees its trials with intervals while they play, in the
// order of their values, and its final; what was read is not read again.
func TestWatch(t *testing.T) {
	const file = `version: 1
name: hill
game: laboratory
tune: {strategy: point, params: [{name: x1}, {name: x2}]}
baseline: point
sampler: {name: quasi, batch: 8}
race: {rungs: [8, 16], method: halving}
final: {top: 3, blocks: 50}
budget: {trials: 24, games: 9000}
validation: {gain_elo: [0, 30], max_blocks: 400}
`
	setup, err := studyfile.Read("x.yaml", []byte(file), strategies.Catalogue(), sampler.Kinds{})
	must(t, err)
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	must(t, err)
	defer db.Close()
	s, err := service.Open(t.Context(), db, service.Options{Catalogue: strategies.Catalogue()})
	must(t, err)
	signatures, err := setup.Ruleset.Signatures(t.Context(), setup.Strategies()...)
	must(t, err)
	watcher := s.Studies().Logs.Watch("hill")
	seen := 0
	_, err = s.Studies().Tune(t.Context(), service.StudyFile{Setup: setup, Signatures: signatures}, arena.NewPool(1), func(now tuner.Progress) {
		l, err := watcher.Look(t.Context(), 5)
		must(t, err)
		if len(l.Rows) > 5 {
			t.Errorf("%d rows", len(l.Rows))
		}
		for i, r := range l.Rows {
			if sure := r.Value == 0 || r.Value == 1; !sure && !(r.Low < r.Value && r.Value < r.High) || r.Low == r.High || r.Blocks == 0 || len(r.Params) != 2 {
				t.Errorf("row %+v", r)
			}
			if i > 0 && l.Rows[i-1].End == r.End && l.Rows[i-1].Value < r.Value {
				t.Errorf("rows are not in order: %+v", l.Rows)
			}
			seen++
		}
	}, nil)
	must(t, err)
	l, err := watcher.Look(t.Context(), 40)
	must(t, err)
	if len(l.Rows) != 24 || len(l.Finals) != 3 || l.Study.State != "done" || l.Finals[0].Value < l.Finals[2].Value {
		t.Errorf("%d rows after %d on the way, finals %+v, %s", len(l.Rows), seen, l.Finals, l.Study.State)
	}
	if seen == 0 {
		t.Error("nothing was seen while it ran")
	}
}

// fileOf returns a study file that was read, with its signatures.
func fileOf(t *testing.T, text string) service.StudyFile {
	t.Helper()
	setup, err := studyfile.Read("x.yaml", []byte(text), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	signatures, err := setup.Ruleset.Signatures(t.Context(), setup.Strategies()...)
	if err != nil {
		t.Fatal(err)
	}
	return service.StudyFile{Setup: setup, Signatures: signatures, Source: store.Source{Name: "x.yaml", Text: text}}
}

func tuned(t *testing.T, s *service.Service, text string) *tuner.Result {
	t.Helper()
	r, err := s.Studies().Tune(t.Context(), fileOf(t, text), arena.NewPool(2), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// dyingHost is a host whose players end with the command that is interrupted.
type dyingHost struct {
	arena.Host
	interrupt context.CancelFunc
}

func (h dyingHost) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	if s.Phase == arena.Tune {
		return h.Host.Play(ctx, s, observe)
	}
	h.interrupt()
	return arena.Tally{}, errors.New("engine glau: crash: signal: killed")
}

// A study whose players died of the interruption, before it was looked at, has not failed.
func TestInterruptedWithItsPlayers(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := s.Studies().Tune(ctx, fileOf(t, small), dyingHost{arena.NewPool(1), cancel}, nil, nil); err == nil {
		t.Fatal("it is not interrupted")
	}
	if d, err := s.Studies().Show(t.Context(), "small"); err != nil || d.State != "paused" || d.Message != tuner.InterruptedMessage {
		t.Errorf("%s: %s, %v", d.State, d.Message, err)
	}
}

// A finished study goes on with a larger budget: its games count, its verdict stays in
// the log, and the next one is another attempt; however it is interrupted.
func TestFinishedStudiesGrow(t *testing.T) {
	duels := strings.NewReplacer("name: uniform", "name: surface", "race: {rungs: [16, 32]}\n", "", "final: {top: 2, blocks: 50}\n", "", "trials: 8, ", "").Replace(small)
	members := duels // 101 of them, which soon have a trial each
	duels = strings.Replace(duels, "{name: place.width}]", "{name: place.width}, {name: place.separated}, {name: place.corners}]", 1)
	for name, text := range map[string]string{"race": small, "surface": duels, "members": members} {
		if suite.Few() && name != "race" {
			continue
		}
		s := open(t)
		first := tuned(t, s, text)
		larger := strings.NewReplacer("games: 4000", "games: 6000", "trials: 8", "trials: 12").Replace(text)
		grown := tuned(t, s, larger)
		if name != "members" && grown.Trials <= first.Trials || grown.Trials < first.Trials || grown.Games <= first.Games || grown.Validation.Attempt != first.Validation.Attempt+1 || grown.Validation.Alpha >= first.Validation.Alpha {
			t.Errorf("%s: %+v, then %+v", name, first, grown)
		}
		if _, err := s.Studies().Files.Export(t.Context(), "small", "json", true); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		count := map[string]int{}
		for after := 0; ; after += 1000 {
			log, err := s.Studies().Logs.Log(t.Context(), "small", after, 1000)
			for _, e := range log {
				count[e.Kind]++
			}
			if err != nil || len(log) == 0 {
				break
			}
		}
		if count["validation"] != 2 || count["attempt"] != 2 || count["grow"] != 1 {
			t.Errorf("%s: %v", name, count)
		}
		// A kill in the grown part.
		other := open(t)
		tuned(t, other, text)
		if err := other.Studies().Files.Add(t.Context(), fileOf(t, larger), 0); err != nil {
			t.Fatal(err)
		}
		if d, err := other.Studies().Show(t.Context(), "small"); err != nil || d.State != "queued" || d.Result != nil {
			t.Errorf("%s: %+v %v", name, d, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := other.Studies().Tune(ctx, fileOf(t, larger), arena.NewPool(2), func(p tuner.Progress) {
			if p.Trials > first.Trials || name == "members" && p.Phase == "tune" && p.Games > first.Games+16 {
				cancel()
			}
		}, nil); err == nil {
			t.Errorf("%s: it is not interrupted", name)
		}
		cancel()
		again := tuned(t, other, larger)
		if again.Digest != grown.Digest || again.Games != grown.Games {
			t.Errorf("%s: %+v, expected %+v", name, again, grown)
		}
		// And once more.
		most := strings.NewReplacer("games: 6000", "games: 8000", "trials: 12", "trials: 16").Replace(larger)
		last := tuned(t, s, most)
		if last.Validation.Attempt != 3 || last.Games <= grown.Games {
			t.Errorf("%s: %+v", name, last)
		}
		if _, err := s.Studies().Tune(t.Context(), fileOf(t, text), arena.NewPool(1), nil, nil); err == nil || !strings.Contains(err.Error(), "a budget only grows") {
			t.Errorf("%s: a smaller budget: %v", name, err)
		}
	}
}

// A study whose games are played elsewhere grows too.
func TestAskedStudiesGrow(t *testing.T) {
	d := newDistant(t, far)
	first := d.finish(256, 1024, false, false)
	if err := d.Studies().Files.Add(t.Context(), fileOf(t, strings.NewReplacer("games: 4000", "games: 8000", "trials: 8", "trials: 16").Replace(far)), 0); err != nil {
		t.Fatal(err)
	}
	grown := d.finish(3, 8, false, true)
	if grown.Trials != 16 || grown.Validation.Attempt != 2 || grown.Games <= first.Games {
		t.Errorf("%+v, then %+v", first, grown)
	}
}

const plainStudy = `version: 1
name: plain
game: battleship
tune:
  strategy: checkerboard
  fix: [{name: place.kind, value: random}]
  params: [{name: neighbours}]
baseline: CB
objective: {of: score}
sampler: {name: grid, seed: 7, batch: 2}
race: {method: none, rungs: [20]}
budget: {trials: 2, games: 1000}
final: {top: 1, blocks: 20}
validation: {gain_elo: [0, 10], max_blocks: 60}
`

// A study whose file has the same text goes on by its stored spec, and prints what it
// played, where the defaults by which the text is read have become others.
func TestStudyKeepsItsSpec(t *testing.T) {
	s := open(t)
	stored := fileOf(t, plainStudy+"rules: [{name: conventions, value: plain}]\n")
	if !strings.Contains(stored.Setup.Baseline, "sinking=at_once") {
		t.Fatalf("rules %s, baseline %s", stored.Setup.Rules, stored.Setup.Baseline)
	}
	stored.Source.Text = plainStudy
	first, err := s.Studies().Tune(t.Context(), stored, arena.NewPool(1), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	again := fileOf(t, plainStudy)
	if !strings.Contains(again.Setup.Baseline, "sinking=late") {
		t.Fatalf("baseline %s by the defaults", again.Setup.Baseline)
	}
	second, err := s.Studies().Tune(t.Context(), again, arena.NewPool(1), nil, nil)
	if err != nil || second.Digest != first.Digest {
		t.Fatalf("digest %+v, %v; it was %s", second, err, first.Digest)
	}
	if again.Setup.Baseline != stored.Setup.Baseline {
		t.Errorf("it says that it played %s, and played %s", again.Setup.Baseline, stored.Setup.Baseline)
	}
	if other := tuned(t, open(t), plainStudy); other.Digest == first.Digest {
		t.Error("a new study does not play by the defaults")
	}
}

// Attempts have the numbers of their submissions, whichever study comes to its validation
// first; a study that is deleted before its validation leaves its number to others.
func TestAttemptsFollowSubmissions(t *testing.T) {
	digests := map[string]string{}
	for _, order := range [][]string{{"one", "two"}, {"two", "one"}} {
		games := draws(nil)
		s := openGames(t, games)
		for _, name := range []string{"gone", "one", "two"} {
			text := strings.NewReplacer("name: draws", "name: "+name, "%s", "").Replace(drawStudy)
			if _, err := s.Studies().Files.Submit(t.Context(), service.Submission{Spec: text}); err != nil {
				t.Fatal(err)
			}
			if name == "gone" {
				must(t, s.Queue().Delete(t.Context(), daemon.StudyKey(name)))
			}
		}
		for i, name := range order { // the other one rests until the first has ended
			if i == 0 {
				must(t, only(s.Queue().Pause(t.Context(), daemon.StudyKey(order[1]))))
			} else {
				must(t, only(s.Queue().Resume(t.Context(), daemon.StudyKey(name))))
			}
			serve(t, s, daemon.StudyKey(name))
			d, err := s.Studies().Show(t.Context(), name)
			must(t, err)
			if want := map[string]int{"one": 1, "two": 2}[name]; d.Result == nil || d.Result.Validation.Attempt != want {
				t.Fatalf("%s, validated after %d others: %+v", name, i, d.Result)
			}
			if before := digests[name]; before != "" && before != d.Result.Digest {
				t.Errorf("%s ends with %s where it is faster, and with %s where it is not", name, before, d.Result.Digest)
			}
			digests[name] = d.Result.Digest
		}
		if found, err := s.Store().Check(t.Context()); err != nil || len(found) > 0 {
			t.Errorf("check: %v, %v", found, err)
		}
	}
}

// A forecast stores nothing, counts the attempts that there were, and refuses what a
// submission refuses.
func TestForecast(t *testing.T) {
	s, ctx := open(t).Studies(), t.Context()
	f, err := s.Files.Forecast(ctx, service.Submission{Spec: small})
	if err != nil {
		t.Fatal(err)
	}
	if f.Proof.Attempt != 1 || f.Seconds == nil || f.Proof.Supposed || f.Proof.Gain == nil || f.Games.Most > 4000 {
		t.Errorf("%+v", f)
	}
	if list, err := s.List(ctx, store.Filter{Sort: "oldest", Limit: 10}); err != nil || len(list) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := s.Files.Submit(ctx, service.Submission{Spec: small}); err != nil {
		t.Fatal(err)
	}
	f, err = s.Files.Forecast(ctx, service.Submission{Spec: strings.Replace(small, "name: small", "name: other", 1)})
	if err != nil || f.Proof.Attempt != 2 {
		t.Errorf("%+v, %v", f, err)
	}
	_, err = s.Files.Forecast(ctx, service.Submission{Spec: "name: x\ngame: chess\n"})
	refuses(t, err, service.Invalid)
}

// A gain that could not be proved with few blocks is proved with more, as a further
// attempt on other seeds; what was decided is not tried again.
func TestProveFurther(t *testing.T) {
	s := open(t)
	run := func(text string) string {
		t.Helper()
		setup, err := studyfile.Read("x.yaml", []byte(text), strategies.Catalogue(), sampler.Kinds{})
		if err != nil {
			t.Fatal(err)
		}
		f := service.StudyFile{Setup: setup}
		f.Source.Name, f.Source.Text = "x.yaml", text
		if f.Signatures, err = setup.Ruleset.Signatures(t.Context(), setup.Strategies()...); err != nil {
			t.Fatal(err)
		}
		r, err := s.Studies().Tune(t.Context(), f, arena.NewPool(1), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Validation.Verdict
	}
	const hill = `version: 1
name: few
game: laboratory
tune: {strategy: point, fix: [{name: x4, value: 0.6}], params: [{name: x1, low: 0.6, high: 0.8}, {name: x2}, {name: x3}]}
baseline: point(x1=0.5,x2=0.5,x3=0.5,x4=0.5)
sampler: {name: quasi, batch: 8}
race: {rungs: [32], method: none}
budget: {trials: 16, games: 9000}
final: {top: 1}
validation: {gain_elo: [0, 60], max_blocks: 40}
`
	if verdict := run(hill); verdict != "inconclusive" {
		t.Fatalf("the study with few blocks: %s", verdict)
	}
	p, err := s.Studies().Files.Prove(t.Context(), "few", 0, true)
	if err != nil {
		t.Fatal(err)
	}
	if p.Study != "few-proof" || p.Blocks < 80 || p.Forecast.Proof.Attempt != 2 || p.Chance == nil || math.IsNaN(*p.Chance) {
		t.Errorf("%+v", p)
	}
	if !strings.Contains(p.File, "x4") || strings.Count(p.File, "value:") != 3 {
		t.Errorf("the file of the proof:\n%s", p.File)
	}
	p, err = s.Studies().Files.Prove(t.Context(), "few", 5000, true)
	if err != nil {
		t.Fatal(err)
	}
	if verdict := run(p.File); verdict != "pass" {
		t.Errorf("with 5 000 blocks: %s\n%s", verdict, p.File)
	}
	d, err := s.Studies().Show(t.Context(), "few-proof")
	if err != nil || d.Result.Validation.Attempt != 2 || d.Trials != 1 {
		t.Errorf("%+v, %v", d.Result, err)
	}
	before, _ := s.Studies().Show(t.Context(), "few")
	for name, text := range before.Result.Best.Params {
		if got, ok := d.Result.Best.Params[name]; ok && got != text {
			t.Errorf("%s = %s is proved, the answer was %s", name, got, text)
		}
	}
	_, err = s.Studies().Files.Prove(t.Context(), "few-proof", 0, true)
	refuses(t, err, service.Conflict)
	if _, err := s.Studies().Files.Prove(t.Context(), "few", 300, false); err != nil {
		t.Error(err)
	}
	if d, err := s.Studies().Show(t.Context(), "few-proof-2"); err != nil || d.State != "queued" {
		t.Errorf("%+v, %v", d, err)
	}
}

// Lists sorted by gain follow the gain that they show: by the games after the verdict, or against
// the worst opponent; studies without one come last.
func TestSortedByTheGainThatIsShown(t *testing.T) {
	s := open(t)
	for name, of := range map[string][2]string{
		"plain":  {"mean", `"elo":50,"ci95":[20,80]`},
		"again":  {"mean", `"elo":90,"ci95":[20,160],"estimate":{"elo":41,"ci95":[30,52]}`},
		"worst":  {"worst", `"elo":60,"ci95":[20,100],"estimate":{"elo":45,"ci95":[30,52]},"pool":[{"entrant":"a","elo":90,"ci95":[10,170]},{"entrant":"b","elo":-15,"ci95":[-32,2]},{"entrant":"c","elo":null}]`},
		"pool":   {"mean", `"elo":48,"ci95":[20,100],"pool":[{"entrant":"b","elo":-90,"ci95":[-132,-2]}]`},
		"itself": {"worst", `"elo":43,"ci95":[20,100],"pool":[{"entrant":"c","elo":null}]`},
		"metric": {"worst", `"elo":null,"metric":{"name":"cost","gain":99}`},
	} {
		l, err := s.Store().Studies.Create(t.Context(), store.Header{Name: name, Game: "laboratory", Strategy: "point", Baseline: "point()", Spec: `{"objective":{"of":"score","over":"` + of[0] + `"}}`})
		must(t, err)
		must(t, l.Finish(t.Context(), json.RawMessage(`{"best":{"trial":7},"validation":{"verdict":"pass",`+of[1]+`}}`)))
	}
	list, err := s.Studies().List(t.Context(), store.Filter{Sort: "gain", Limit: 10})
	must(t, err)
	last, names := math.Inf(1), ""
	for i := range list {
		names += list[i].Study + " "
		if b := list[i].Best; b != nil && b.Unit == "Elo" {
			if b.Value == nil || *b.Value > last {
				t.Errorf("%s: %+v after %g", list[i].Study, b, last)
			}
			last = *b.Value
		}
	}
	if names != "plain pool itself again worst metric " {
		t.Errorf("sorted as %s", names)
	}
}
