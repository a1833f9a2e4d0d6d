package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sakusen/bench"
	"sakusen/bench/decide"
	"sakusen/bench/ledger"
	"sakusen/bench/runner"
)

// BenchRun is a benchmark run to be recorded: the text of go test -bench, and
// where it was measured.
type BenchRun struct {
	Name    string `json:"name,omitempty" line:"0-1000"`
	Text    string `json:"text" help:"Output of go test -bench."`
	Machine string `json:"machine,omitempty" help:"Class; taken from the text where absent." line:"0-200"`
	Commit  string `json:"commit,omitempty" line:"0-200"`
	Branch  string `json:"branch,omitempty" line:"0-500"`
	Dirty   bool   `json:"dirty,omitempty"`
	Go      string `json:"go,omitempty" line:"0-200"` // version of the go command
	// Dated, unless zero, is the time of the commit of a run that fills a history.
	Dated time.Time `json:"dated,omitzero" help:"Time of the commit, for a run that fills a history; it counts as recorded then."`
	// Causes say where it lost or gained against the run that it was measured beside,
	// which is one of the commit Against.
	Causes  []bench.Cause `json:"causes,omitempty" help:"Where the run lost or gained against the one that it was measured beside." most:"100"`
	Against string        `json:"against,omitempty" help:"Commit of that one." line:"0-200"`
}

// BenchRecorded is a recorded run.
type BenchRecorded struct {
	Run     int64  `json:"run"`
	New     bool   `json:"new"` // false: it was recorded before
	Name    string `json:"name"`
	Commit  string `json:"commit"`
	Branch  string `json:"branch"`
	Dirty   bool   `json:"dirty"`
	Machine string `json:"machine"`
	Go      string `json:"go"` // version of the go command in the folder
	Series  int    `json:"series"`
	Samples int    `json:"samples"`
	SHA256  string `json:"sha256"`
}

// Title names the run for people.
func (r *BenchRecorded) Title() string {
	return ledger.RecordedRun{ID: r.Run, Origin: ledger.Origin{Commit: r.Commit, Dirty: r.Dirty}}.Title()
}

// BenchNamed is a run that has a name.
type BenchNamed struct {
	Name  string `json:"name"`
	Run   int64  `json:"run"`
	Title string `json:"title"` // of the run, for people
}

// BenchBaseline is a name in the list of names.
type BenchBaseline struct {
	Name     string    `json:"name"`
	Run      int64     `json:"run"`
	Commit   string    `json:"commit"`
	Branch   string    `json:"branch"`
	Machine  string    `json:"machine"`
	Recorded time.Time `json:"recorded"`
	Updated  time.Time `json:"updated"`
	Title    string    `json:"-"` // of the run, for people
}

// BenchAccept is a change to stand by.
type BenchAccept struct {
	Series string `json:"series" help:"Title, or a part of it that only one series of the run has." line:"1-2000"`
	Source string `json:"source" help:"run:N, latest, baseline:NAME or commit:HASH." line:"1-400"`
	Reason string `json:"reason" line:"1-2000"`
}

// BenchAccepted is a change of level that was accepted.
type BenchAccepted struct {
	Series string `json:"series"` // whole title
	Run    int64  `json:"run"`
	Title  string `json:"title"` // of the run, for people
}

// BenchHistory is a series run by run.
type BenchHistory struct {
	Title   string            `json:"-"` // package.Name unit
	Name    string            `json:"name"`
	Unit    string            `json:"unit"`
	Config  map[string]string `json:"config"`
	Runs    []BenchPoint      `json:"runs"`
	Start   int               `json:"start"` // index of the run with which it begins anew, as accepted
	Changes []LevelChange     `json:"changes"`
}

// BenchPoint is one run of a series.
type BenchPoint struct {
	Run      int64     `json:"run"`
	Commit   string    `json:"commit"`
	Branch   string    `json:"branch"`
	Dirty    bool      `json:"dirty"`
	Recorded time.Time `json:"recorded"`
	Center   float64   `json:"center"` // median, in the unit of the series
	N        int       `json:"n"`      // samples
}

// ChangePoint is where the level of numbers changed.
type ChangePoint struct {
	Index     int     `json:"index"` // of the first number on the new level
	P         float64 `json:"p"`
	Before    float64 `json:"before"` // means
	After     float64 `json:"after"`
	Magnitude float64 `json:"magnitude"` // relative
}

// LevelChange is a change of level of a series.
type LevelChange struct {
	ChangePoint
	Alarm  bool   `json:"alarm"` // enough runs followed
	Worse  bool   `json:"worse"`
	Better bool   `json:"better"`
	Run    int64  `json:"run"`
	Commit string `json:"commit"`
}

// What says for people how the level changed: worse, better or changed.
func (c *LevelChange) What() string {
	switch {
	case c.Worse:
		return "worse"
	case c.Better:
		return "better"
	}
	return "changed"
}

// BenchOrigin fills in where a run was measured: commit, branch and Go version of
// a folder, "" for the current one, from its git repository where there is one. A
// commit or branch that is given is kept, the commit with its whole hash. env is
// the environment: on GitHub's runners no branch is checked out, and two variables
// name it.
func BenchOrigin(ctx context.Context, dir, commit, branch string, env func(name string) (string, bool)) (BenchRun, error) {
	o := BenchRun{Commit: commit, Branch: branch, Go: runner.GoVersion(ctx, dir)}
	repo := runner.Repo{Dir: dir}
	ref := commit
	if ref == "" {
		ref = "HEAD"
	}
	if whole, err := repo.Commit(ctx, ref); err == nil {
		o.Commit = whole
		if commit == "" {
			if o.Dirty, err = repo.Dirty(ctx); err != nil {
				return o, err
			}
		}
	} else if ctx.Err() != nil {
		return o, ctx.Err()
	}
	if o.Branch == "" {
		o.Branch = repo.Branch(ctx)
	}
	for _, name := range []string{"GITHUB_HEAD_REF", "GITHUB_REF_NAME"} {
		if value, ok := env(name); ok && o.Branch == "" {
			o.Branch = value
		}
	}
	return o, nil
}

// Measured is a run as it is recorded, with the origin that is given.
func Measured(run *bench.Run, origin BenchRun) BenchRun {
	origin.Name, origin.Text = run.Name, run.Raw
	if plain, err := bench.Read(strings.NewReader(run.Raw), run.Name, bench.ReadOptions{}); err != nil || plain.Machine() != run.Machine() {
		origin.Machine = run.Machine() // the text alone would have another
	}
	return origin
}

// BenchSides are the sides of a measurement as they are recorded, the head last; the
// noise is a second run of the base. baseline is the name of the baseline branch, env
// the environment.
func BenchSides(ctx context.Context, o runner.Options, d *decide.Decided, baseline string, env func(name string) (string, bool)) ([]BenchRun, error) {
	head, err := BenchOrigin(ctx, o.Dir, d.Result.HeadCommit, "", env)
	if err != nil {
		return nil, err
	}
	head.Causes, head.Against = d.Gate.Causes, d.Result.BaseCommit
	base := BenchRun{Commit: d.Result.BaseCommit, Go: head.Go}
	if o.Base == baseline {
		base.Branch = o.Base
	}
	var sides []BenchRun
	for i, name := range []string{"noise", "base", "head"} {
		if d.Sides[name] != nil {
			sides = append(sides, Measured(d.Sides[name], []BenchRun{base, base, head}[i]))
		}
	}
	return sides, nil
}

// BenchPast are measured commits of a range as they are recorded, on the baseline
// branch. read reads benchmark text by a name for messages. Commits without text, for
// which there was no time, are left out.
func BenchPast(ctx context.Context, dir string, past []runner.Past, baseline string, read func(text, name string) (*bench.Run, error)) ([]BenchRun, error) {
	var runs []BenchRun
	for _, p := range past {
		if p.Text == "" {
			continue
		}
		run, err := read(p.Text, p.Commit[:10])
		if err != nil {
			return nil, err
		}
		runs = append(runs, Measured(run, BenchRun{Commit: p.Commit, Branch: baseline, Go: runner.GoVersion(ctx, dir), Dated: p.Dated}))
	}
	return runs, nil
}

// KeepGate writes the gate's JSON, gate.json, into a folder; none where that is "".
func KeepGate(folder string, g bench.Gate, c *bench.Comparison) error {
	if folder == "" {
		return nil
	}
	text, err := json.Marshal(ReportGate(g, c, nil))
	return errors.Join(err, os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "gate.json"), append(text, '\n'), 0o644))
}

// NoForkPoint says why there is no recorded run to compare a change with: the last
// commits of a branch have none on a machine class.
func NoForkPoint(commits []string, branch, machine string) error {
	if len(commits) == 0 {
		return fmt.Errorf("nothing to compare with: HEAD has no ancestor on %s", branch)
	}
	return fmt.Errorf("nothing to compare with: none of the last %d commits of %s was recorded on machine class %q", len(commits), branch, machine)
}
