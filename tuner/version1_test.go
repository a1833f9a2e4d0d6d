package tuner_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/chronicle"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store"
)

// version1.db.gz is a database that the program wrote when its log entries had
// version 1 (commit 6be0636): old-race, raced with the incumbent tested against;
// old-interrupted, the same on another landscape, killed after rung entry 37;
// old-duels; old-fresh, raced on blocks of each batch's own; old-limits, of
// Battleship with a pool of opponents and a limit; old-pool, a generation of
// Lifeboats that plays itself. version1.txt is what that program told of each.
// Where a game's play is changed on purpose, the studies of that game can only be
// looked at, no longer run.
var version1Studies = []string{"old-race", "old-interrupted", "old-duels", "old-fresh", "old-limits", "old-pool"}

// version1Digests are the digests at the end of each study, that of
// old-interrupted as of a study that nobody interrupted.
var version1Digests = map[string]string{
	"old-race":        "5301f4cfd92f9954ce48423eca80104a029e20454085eb9e34e909234236b3f4",
	"old-interrupted": "4c79a8c64e35cde1a33bc94160f71f20a1640bcba54e03d4619207f391cbf195",
	"old-duels":       "ce900e4c9702686c4455ac4695b8143bd1715dfdab021043469dee6e33b5b411",
	"old-fresh":       "f72a00a655b87dab980e514d15cfd772019d46c2d8e059c55ec90e20f73f4b1d",
	"old-limits":      "d9ad08cf9d737b3bee71d3f37abfd0559afe03740d1b82e6fadd51aabfe9f864",
	"old-pool":        "ff3f732a23d0fbf53fdabd3bccb6a69bfe66d2425b443b65e381c4d72e2e26b8",
}

// version1Store opens a copy of the database.
func version1Store(t *testing.T) *store.Store {
	t.Helper()
	packed, err := os.ReadFile("entry/testdata/version1.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "old.db")
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s, err := store.New(t.Context(), db, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What people see of a study is what they saw before log entries had version 2.
func TestVersion1LooksTheSame(t *testing.T) {
	want, err := os.ReadFile("entry/testdata/version1.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := version1Store(t)
	var got strings.Builder
	for _, name := range version1Studies {
		d, err := s.Details(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		setup, err := reopen([]byte(d.Spec), strategies.Catalogue())
		if err != nil {
			t.Fatal(err)
		}
		var log []entry.Entry
		c, m := chronicle.New(setup.Spec, setup.Ruleset), chronicle.NewMeetings(setup)
		if err := s.EachEntry(t.Context(), d.ID, 0, math.MaxInt32, func(e entry.Entry) error {
			log = append(log, e)
			if err := c.Add(e); err != nil {
				return err
			}
			return m.Add(e)
		}); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "study %s: %d entries, digest %s\n", name, len(log), entry.Digest(log))
		got.WriteString(described(t, c, m))
	}
	if got.String() == string(want) {
		return
	}
	lines := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i >= len(lines) || line != lines[i] {
			t.Fatalf("line %d: got %q, want %q", i+1, line, lines[min(i, len(lines)-1)])
		}
	}
	t.Fatal("lines are missing at the end")
}

// described is everything that a chronicle and the meetings say of a study.
func described(t *testing.T, c *chronicle.Chronicle, m *chronicle.Meetings) string {
	var b strings.Builder
	number := func(x float64) string {
		if math.IsNaN(x) {
			return "-"
		}
		return fmt.Sprintf("%.6g", x)
	}
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("batches %v incumbents %v duels %d pools %v finals %v answer %v compared %d", c.Batches, c.Incumbents, len(c.Duels), c.Pools, c.Finals, c.Answer, c.Compared)
	for i, d := range c.Duels {
		line("duel %d: %d %d batch %d score %s %s blocks %d", i, d.A, d.B, d.Batch, number(d.Score), number(d.Noise), d.Blocks)
	}
	for i, trial := range c.Trials {
		text := fmt.Sprintf("trial %d: %s +- %s blocks %d batch %d told %d met %d end %d feasible %v delegate %v passed %d:", i, number(trial.Value), number(trial.Error),
			trial.Blocks, trial.Batch, trial.Told, trial.Met, trial.End, trial.Feasible, trial.Delegate, c.Passed(i))
		for k := range c.Spec.Race.Rungs {
			value, standardError := c.Level(i, k)
			text += " " + number(value) + "+-" + number(standardError)
		}
		for k := range c.Spec.Tune.Params {
			text += " " + number(c.Place(i, k))
		}
		line("%s", text)
		list, err := m.Of(i)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range list {
			var entrants []string
			for _, e := range one.Series.Entrants {
				entrants = append(entrants, e.Hash()[:8])
			}
			line("  met %v %d %d..%d %s at %d opponent %d", one.Series.Phase, one.Series.Seed, one.Series.From, one.Series.To, strings.Join(entrants, " "), one.Trial, one.Nth)
		}
	}
	return b.String()
}

// A study of such a database goes on to the end that it would have come to then,
// and a finished one replays to the same digest.
func TestVersion1Resumes(t *testing.T) {
	s := version1Store(t)
	for _, name := range version1Studies {
		d, err := s.Details(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		setup, err := reopen([]byte(d.Spec), strategies.Catalogue())
		if err != nil {
			t.Fatal(err)
		}
		signatures, err := setup.Ruleset.Signatures(t.Context(), setup.Strategies()...)
		if err != nil {
			t.Fatal(err)
		}
		if setup.Hash() != d.SpecHash || signatures != d.Signatures {
			t.Fatalf("%s: spec %s, signatures %s; the database has %s, %s", name, setup.Hash(), signatures, d.SpecHash, d.Signatures)
		}
		log, err := s.OpenStudy(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		proposer, err := sampler.Kinds{}.New(setup.Sampler, setup.Tune.Params, setup.Tune.Fix)
		if err != nil {
			t.Fatal(err)
		}
		study, err := tuner.Open(t.Context(), setup, tuner.Options{
			Host: arena.NewPool(2), Blocks: s.Blocks(), Proposer: proposer, Record: log,
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := study.Run(context.Background())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.Digest != version1Digests[name] {
			t.Errorf("%s: digest %s, want %s", name, r.Digest, version1Digests[name])
		}
	}
}

// A log of version 1 is read as one of version 2: what the older left out follows
// from the order of its entries.
func TestVersion1ReadsTheSame(t *testing.T) {
	limited := strings.Replace(fmt.Sprintf(hillStudy, "uniform"), "sampler:", "objective: {of: metric, metric: ease, goal: maximize, limits: [{metric: effort, max: 900}]}\nsampler:", 1)
	type study struct {
		setup *tuner.Setup
		log   []entry.Entry
	}
	studies := map[string]study{}
	for name, text := range map[string]string{
		"race": fmt.Sprintf(hillStudy, "uniform"), "incumbent": fmt.Sprintf(flat, .3, 5, ", incumbent: true"),
		"fresh": fmt.Sprintf(flat, .3, 5, ", incumbent: true, blocks: fresh"), "limits": limited, "duels": duelStudy, "surface": surfaceStudy,
	} {
		setup, m := read(t, text), newMemory()
		if _, err := run(t, setup, m, 2); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		studies[name] = study{setup, m.entries}
	}
	setup, err := readBoats(t, boatStudy)
	if err != nil {
		t.Fatal(err)
	}
	m := newMemory()
	if _, err := run(t, setup, m, 2); err != nil {
		t.Fatal(err)
	}
	studies["pool"] = study{setup, m.entries}

	ends := map[entry.End]int{}
	for name, s := range studies {
		old, now := entry.NewReader(s.setup.Schedule()), entry.NewReader(s.setup.Schedule())
		var older []entry.Entry
		for i, e := range s.log {
			first := entry.Entry{Kind: e.Kind, Payload: e.Version1()}
			if bytes.Contains(first.Payload, []byte(`"played"`)) || bytes.Contains(first.Payload, []byte(`"version"`)) {
				t.Errorf("%s, entry %d: version 1 is %s", name, i, first.Payload)
			}
			older = append(older, first)
			was, err := old.Read(first)
			if err != nil {
				t.Fatal(err)
			}
			is, err := now.Read(e)
			if err != nil {
				t.Fatal(err)
			}
			if v, ok := is.(*entry.Validation); ok { // version 1 cannot know it
				if v.GameVariance == nil && v.Metric == nil && v.Evidence.Blocks > 0 {
					t.Errorf("%s, entry %d: the variance of a game is not told", name, i)
				}
				v.GameVariance = nil
			}
			if got, want := plain(t, was), plain(t, is); got != want {
				t.Fatalf("%s, entry %d (%s): from version 1 %s, from version 2 %s", name, i, e.Kind, got, want)
			}
			if told, ok := is.(*entry.Tell); ok {
				ends[told.End]++
			}
		}
		if got, want := entry.Digest(older), entry.Digest(s.log); got != want {
			t.Errorf("%s: digest %s as version 1, %s as version 2", name, got, want)
		}
	}
	for _, end := range []entry.End{entry.Whole, entry.Halved, entry.Behind, entry.Beyond} {
		if ends[end] == 0 {
			t.Errorf("no trial ended %v: %v", end, ends)
		}
	}
}

// plain is a payload as JSON, whatever its version.
func plain(t *testing.T, payload any) string {
	t.Helper()
	text, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(text), `,"version":2`, "", 1)
}
