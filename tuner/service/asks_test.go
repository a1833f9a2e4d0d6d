package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
)

// far is a study whose games are played elsewhere, with a race, a final and opponents.
const far = `version: 1
name: far
game: external
tune:
  strategy: bot
  declare:
    - {name: aim, kind: float, low: 0, high: 1, default: 0.2}
    - {name: style, kind: choice, choices: [calm, wild], default: calm}
    - {name: brave, kind: bool, default: false}
  others: [oldbot]
  metrics: [turns]
baseline: bot
pool: [oldbot]
sampler: {name: uniform, seed: 3, batch: 4}
race: {rungs: [2, 4], keep: 0.5}
budget: {trials: 8, games: 4000}
final: {top: 2, blocks: 6}
validation: {gain_elo: [0, 100], max_blocks: 60}
`

// distant is a service in which the study has begun; opening it again is a restart.
type distant struct {
	*service.Service
	t    *testing.T
	path string
	now  time.Time
	db   *sqlitedb.DB
	hook func(string)
}

func newDistant(t *testing.T, file string) *distant {
	d := &distant{t: t, path: filepath.Join(t.TempDir(), "x.db"), now: time.Unix(1e9, 0)}
	d.restart()
	t.Cleanup(func() { d.db.Close() })
	setup, err := studyfile.Read("far.yaml", []byte(file), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	signatures, err := setup.Ruleset.Signatures(t.Context(), setup.Strategies()...)
	if err == nil {
		err = d.Studies().Files.Add(t.Context(), service.StudyFile{Setup: setup, Signatures: signatures}, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *distant) restart() {
	if d.db != nil {
		d.db.Close()
	}
	var err error
	hook := func(point string) {
		if d.hook != nil {
			d.hook(point)
		}
	}
	if d.db, err = sqlitedb.Open(context.Background(), d.path, sqlitedb.Options{Point: hook}); err != nil {
		d.t.Fatal(err)
	}
	d.Service, err = service.Open(context.Background(), d.db, service.Options{Catalogue: strategies.Catalogue(), Clock: func() time.Time { return d.now }, Hook: hook})
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *distant) ask(r service.AskRequest) *service.Asked {
	d.t.Helper()
	got, err := d.Studies().ExternalGames().Ask(d.t.Context(), "far", r)
	if err != nil {
		d.t.Fatal(err)
	}
	return got
}

// results plays an ask: the nearer aim is to 0.8, the better.
func results(a service.Ask) []service.BlockResult {
	var out []service.BlockResult
	for _, b := range a.Blocks {
		told := service.BlockResult{Ask: a.Ask, Block: b.Block}
		for _, e := range a.Entrants {
			told.Params = append(told.Params, e.Params)
		}
		for r, seats := range a.Games {
			var seed uint64
			fmt.Sscan(b.Seed, &seed)
			chance := rand.New(rand.NewPCG(seed, uint64(r)))
			scores := []float64{}
			for _, e := range seats {
				strength := 0.5
				if aim, ok := a.Entrants[e].Params["aim"]; ok {
					json.Unmarshal(aim, &strength)
				}
				scores = append(scores, chance.Float64()-2*(strength-0.8)*(strength-0.8))
			}
			text, _ := json.Marshal(map[string]any{"scores": scores, "metrics": map[string]float64{"turns": scores[0]}})
			told.Games = append(told.Games, text)
		}
		out = append(out, told)
	}
	return out
}

// finish plays the study to its verdict: so many asks at a time, of so many blocks, told
// one block at a time or all at once, with restarts or without.
func (d *distant) finish(n int, blocks int64, pieces, restarts bool) *tuner.Result {
	d.t.Helper()
	for range 10000 {
		got := d.ask(service.AskRequest{Limit: n, Blocks: blocks})
		if got.Result != nil {
			return got.Result
		}
		var all []service.BlockResult
		for i := range got.Asks {
			all = append(all, results(got.Asks[len(got.Asks)-1-i])...)
		}
		for len(all) > 0 {
			part := all
			if pieces {
				part = all[:1]
				for i, g := range part[0].Games { // as another client may write the same
					part[0].Games[i] = json.RawMessage(strings.NewReplacer(":", " : ", ",", ",\n\t").Replace(string(g)))
				}
			}
			if restarts {
				d.restart()
			}
			if _, err := d.Studies().ExternalGames().Tell(d.t.Context(), "far", service.Results{Results: part}); err != nil {
				d.t.Fatal(err)
			}
			all = all[len(part):]
		}
	}
	d.t.Fatal("the study does not end")
	return nil
}

// However the games are handed out, written, told and interrupted, the study ends the
// same.
func TestAskedStudiesEndTheSame(t *testing.T) {
	first := newDistant(t, far)
	whole := first.finish(256, 1024, false, false)
	if whole.Validation == nil || whole.Validation.Attempt != 1 || whole.Class != "recorded" || whole.Games < 200 || len(whole.Digest) != 64 {
		t.Fatalf("%+v", whole)
	}
	phases := newDistant(t, far).finish(3, 1, true, true)
	if phases.Digest != whole.Digest || phases.Games != whole.Games || *phases.Best.Claimed.Score != *whole.Best.Claimed.Score {
		t.Errorf("%+v differs from %+v", phases, whole)
	}
	if suite.Few() {
		return
	}
	duels := strings.NewReplacer("baseline: bot\npool: [oldbot]", "baseline: bot\nevaluate: {mode: duels}", "name: uniform", "name: surface", "race: {rungs: [2, 4], keep: 0.5}\n", "", "trials: 8", "trials: 24", "final: {top: 2, blocks: 6}\n", "").Replace(far)
	a, b := newDistant(t, duels).finish(5, 2, false, true), newDistant(t, duels).finish(256, 16, true, false)
	if a.Digest != b.Digest || a.Validation == nil {
		t.Errorf("%+v differs from %+v", a, b)
	}
}

// A kill at any point of the loop and of the database loses nothing that was told.
func TestAskedStudiesSurviveKills(t *testing.T) {
	whole := newDistant(t, far).finish(256, 1024, false, false)
	d := newDistant(t, far)
	kills, points := 0, map[string]int{}
	chance := rand.New(rand.NewPCG(1, 2))
	d.hook = func(point string) {
		if points[point]++; point != "sampler" && points[point] <= 3 && chance.IntN(2) == 0 { // a sampler that panics fails its study
			kills++
			panic(point)
		}
	}
	attempt := func(do func() error) {
		for {
			if func() (again bool) {
				defer func() {
					if v := recover(); v != nil {
						d.restart()
						again = true
					}
				}()
				if err := do(); err != nil && !strings.Contains(err.Error(), "already") {
					t.Fatal(err)
				}
				return false
			}() {
				continue
			}
			return
		}
	}
	for {
		var got *service.Asked
		attempt(func() (err error) {
			got, err = d.Studies().ExternalGames().Ask(t.Context(), "far", service.AskRequest{Limit: 4, Blocks: 3, Again: true})
			return err
		})
		if got.Result != nil {
			if got.Result.Digest != whole.Digest || kills < 20 {
				t.Errorf("%d kills: %+v, expected %+v", kills, got.Result, whole)
			}
			return
		}
		for _, a := range got.Asks {
			attempt(func() error {
				_, err := d.Studies().ExternalGames().Tell(t.Context(), "far", service.Results{Results: results(a)})
				return err
			})
		}
	}
}

// What was not asked for, was told, or cannot be is refused, and nothing of it is kept.
func TestTellRefuses(t *testing.T) {
	d := newDistant(t, far)
	got := d.ask(service.AskRequest{Limit: 2, Blocks: 2})
	if len(got.Asks) != 2 || got.Open != 2 || len(got.Asks[0].Blocks) != 2 || len(got.Asks[0].Games) != 2 || got.Asks[0].Phase != "tune" || got.State != "running" {
		t.Fatalf("%+v", got)
	}
	good := results(got.Asks[0])[0]
	for want, change := range map[string]func(*service.BlockResult){
		"results[1]: ask 9: expected an ask that was handed out for study far": func(b *service.BlockResult) { b.Ask = 9 },
		"results[1]: ask 3: expected an ask that was handed out":               func(b *service.BlockResult) { b.Ask = 3 },
		"results[1]: block: expected one of ask 1, 0 to 1, got 2":              func(b *service.BlockResult) { b.Block = 2 },
		"results[1]: block: expected one of ask 1, 0 to 1, got -1":             func(b *service.BlockResult) { b.Block = -1 },
		"results[1]: block 0 of ask 1 has been told already":                   func(b *service.BlockResult) {},
		"results[1]: params: expected those of 2 entrants":                     func(b *service.BlockResult) { b.Params = b.Params[:1] },
		"results[1]: params[1].aim: expected 0.2, as asked for, got 0.25":      func(b *service.BlockResult) { set(b, 1, "aim", `0.25`) },
		"results[1]: params[1].brave: expected false, as asked for, got true":  func(b *service.BlockResult) { set(b, 1, "brave", `true`) },
		"results[1]: params[1].style: expected calm, as asked for, got wild":   func(b *service.BlockResult) { set(b, 1, "style", `"wild"`) },
		"got \"depth\" as well":                            func(b *service.BlockResult) { set(b, 1, "depth", `1`) },
		"as asked for, got nothing":                        func(b *service.BlockResult) { b.Params = []map[string]json.RawMessage{{}, {}} },
		"games: expected 2, as asked for, got 1":           func(b *service.BlockResult) { b.Games = b.Games[:1] },
		"games[0]: ranks: expected 2 integers, got 1":      func(b *service.BlockResult) { b.Games = one(b, `{"ranks":[1]}`) },
		"games[0]: ranks: expected 1 to 2, got 3":          func(b *service.BlockResult) { b.Games = one(b, `{"ranks":[1,3]}`) },
		"games[0]: metrics: turns: expected a number, got": func(b *service.BlockResult) { b.Games = one(b, `{"ranks":[1,2]}`) },
		"up to 1e9, got 1e+12":                             func(b *service.BlockResult) { b.Games = one(b, `{"ranks":[1,2],"metrics":{"turns":1e12}}`) },
		"without control characters":                       func(b *service.BlockResult) { b.Block, b.Worker = 1, "a\nb" },
	} {
		bad := good
		bad.Params = nil
		for _, p := range good.Params {
			copied := map[string]json.RawMessage{}
			maps.Copy(copied, p)
			bad.Params = append(bad.Params, copied)
		}
		bad.Block = 1
		if strings.Contains(want, "told already") {
			bad.Block = 0
		}
		change(&bad)
		_, err := d.Studies().ExternalGames().Tell(t.Context(), "far", service.Results{Results: []service.BlockResult{good, bad}})
		var coded *service.Error
		if !errors.As(err, &coded) || coded.Code != service.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q, got %v", want, err)
		}
	}
	if n, err := d.Store().Blocks().Count(t.Context()); err != nil || n != 0 {
		t.Errorf("%d blocks are kept of what was refused, %v", n, err)
	}
	// Numbers may be written otherwise than they were asked for.
	set(&good, 1, "aim", `"2e-1"`)
	if _, err := d.Studies().ExternalGames().Tell(t.Context(), "far", service.Results{Results: []service.BlockResult{good}}); err != nil {
		t.Error(err)
	}
	if _, err := d.Studies().ExternalGames().Tell(t.Context(), "far", service.Results{Results: []service.BlockResult{good}}); err == nil || !strings.Contains(err.Error(), "block 0 of ask 1 has been told already") {
		t.Errorf("told twice: %v", err)
	}
	if _, err := d.Studies().ExternalGames().Tell(t.Context(), "far", service.Results{Results: results(got.Asks[0])[1:]}); err != nil {
		t.Error(err)
	}
	if _, err := d.Studies().ExternalGames().Tell(t.Context(), "far", service.Results{Results: results(got.Asks[0])[1:]}); err == nil || !strings.Contains(err.Error(), "all of its results have been told already") {
		t.Errorf("told twice: %v", err)
	}
	if _, err := d.Queue().Pause(t.Context(), daemon.StudyKey("far")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Studies().ExternalGames().Ask(t.Context(), "far", service.AskRequest{}); err == nil || !strings.Contains(err.Error(), "is paused") {
		t.Errorf("a paused study: %v", err)
	}
	if _, err := d.Studies().ExternalGames().Ask(t.Context(), "nobody", service.AskRequest{}); err == nil {
		t.Error("a study that is not there")
	}
}

func set(b *service.BlockResult, entrant int, name, value string) {
	b.Params[entrant][name] = json.RawMessage(value)
}

func one(b *service.BlockResult, text string) []json.RawMessage {
	return []json.RawMessage{json.RawMessage(text), b.Games[1]}
}

// Games without results are handed out again where that is wished, and only there.
func TestAsksAreHandedOutAgain(t *testing.T) {
	d := newDistant(t, far)
	first := d.ask(service.AskRequest{Limit: 256, Blocks: 1024, DeadlineSeconds: 60})
	if more := d.ask(service.AskRequest{Limit: 256}); len(first.Asks) == 0 || len(more.Asks) != 0 || more.Open != len(first.Asks) {
		t.Fatalf("%d asks, then %+v", len(first.Asks), more)
	}
	d.restart()
	if again := d.ask(service.AskRequest{Limit: 1, Again: true}); len(again.Asks) != 1 || again.Asks[0].Ask != first.Asks[0].Ask || again.Open != len(first.Asks) {
		t.Errorf("again: %+v", again)
	}
	d.now = d.now.Add(time.Hour)
	late := d.ask(service.AskRequest{Limit: 256}) // but the one that is out again without a deadline
	if len(late.Asks) != len(first.Asks)-1 {
		t.Errorf("after the deadline %d of %d asks", len(late.Asks), len(first.Asks))
	}
	listed, err := d.Studies().ExternalGames().ListOpenAsks(t.Context(), "far")
	if err != nil || listed.Open != len(first.Asks) {
		t.Errorf("%+v, %v", listed, err)
	}
	if _, err := d.Studies().ExternalGames().Tell(t.Context(), "far", service.Results{Results: results(first.Asks[1])}); err != nil {
		t.Errorf("whoever had it before tells it: %v", err)
	}
	if _, err := d.Studies().ExternalGames().Tell(t.Context(), "far", service.Results{Results: results(late.Asks[0])}); err == nil {
		t.Error("a second one tells the same")
	}
	for _, r := range []service.AskRequest{{Limit: -1}, {Limit: 257}, {Blocks: -1}, {Blocks: 1025}, {DeadlineSeconds: -1}} {
		if _, err := d.Studies().ExternalGames().Ask(t.Context(), "far", r); err == nil {
			t.Errorf("%+v is not refused", r)
		}
	}
}

// A study whose games are played elsewhere is not run here, and games of others
// are not asked for.
func TestPlayedHereAndElsewhere(t *testing.T) {
	d := newDistant(t, far)
	setup, err := studyfile.Read("far.yaml", []byte(far), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Studies().Tune(t.Context(), service.StudyFile{Setup: setup}, arena.NewPool(1), nil, nil); err == nil || !strings.Contains(err.Error(), "played elsewhere") {
		t.Errorf("tune: %v", err)
	}
	if waiting, err := d.Store().Studies.Waiting(t.Context()); err != nil || len(waiting) != 0 {
		t.Errorf("the daemon would run %v, %v", waiting, err)
	}
	s := open(t)
	if _, err := s.Studies().Files.Submit(t.Context(), service.Submission{Spec: small}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Studies().ExternalGames().Ask(t.Context(), "small", service.AskRequest{}); err == nil || !strings.Contains(err.Error(), "are played by this program") {
		t.Errorf("ask: %v", err)
	}
}

func FuzzParseTold(f *testing.F) {
	f.Add(`{"ask":1,"block":0,"params":[{"aim":0.2},{}],"games":[{"ranks":[1,2]}]}` + "\n\n")
	f.Add("{}\n{\"ask\":")
	f.Fuzz(func(t *testing.T, text string) {
		told, err := service.ParseTold([]byte(text))
		for i, b := range told {
			if err != nil || b.Line < 1 || i > 0 && b.Line <= told[i-1].Line {
				t.Errorf("%q: %+v, %v", text, told, err)
			}
		}
	})
}

// Results go out in the forms of other tuners, without what has one value, and come back
// as a study.
func TestExportForOtherTuners(t *testing.T) {
	file := strings.Replace(far, "    - {name: style, kind: choice, choices: [calm, wild], default: calm}\n    - {name: brave, kind: bool, default: false}\n", "    - {name: depth, kind: int, low: 1, high: 9, default: 3}\n    - {name: hash, kind: int, low: 5, high: 5, default: 5}\n    - {name: book, kind: choice, choices: [own], default: own}\n", 1)
	d := newDistant(t, file)
	best := d.finish(256, 1024, false, false).Best.Params
	for format, want := range map[string]string{
		"openbench":          "aim, float, " + best["aim"] + ", 0, 1, 0.05, 0.002\ndepth, int, " + best["depth"] + ", 1, 9, 0.5, 0.002\n",
		"chess-tuning-tools": `"aim": "Real(0, 1)"`,
		"uci":                "setoption name depth value " + best["depth"] + "\nsetoption name hash value 5\n",
	} {
		doc, err := d.Studies().Files.Export(t.Context(), "far", format, true)
		if err != nil || !strings.Contains(string(doc.Body), want) || doc.Type == "" {
			t.Errorf("%s: %v\n%s", format, err, doc.Body)
		}
		if format == "uci" {
			continue
		}
		text, err := service.ImportStudy("result.txt", doc.Body, export.Target{})
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		if format == "chess-tuning-tools" { // a study of the engines that its file names, which are not here
			for _, row := range []string{"game: chess\n", "  engine1: {command: [\"bot\"]", `{name: "aim", low: 0, high: 1}`, `{name: "depth", low: 1, high: 9}`} {
				if !strings.Contains(string(text), row) {
					t.Errorf("%s: no %s in\n%s", format, row, text)
				}
			}
			continue
		}
		setup, err := studyfile.Read("study.yaml", text, strategies.Catalogue(), sampler.Kinds{})
		if err != nil || len(setup.Tune.Params) != 2 || format == "openbench" && setup.Tune.Params[0].Default != best["aim"] {
			t.Errorf("%s: %v\n%s", format, err, text)
		}
	}
	for _, format := range []string{"fishtest", "weather-factory"} {
		if _, err := d.Studies().Files.Export(t.Context(), "far", format, true); err == nil || !strings.Contains(err.Error(), "expected whole numbers, got aim") {
			t.Errorf("%s: %v", format, err)
		}
	}
}
