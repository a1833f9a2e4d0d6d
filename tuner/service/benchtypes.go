package service

import (
	"time"

	"sakusen/bench"
	"sakusen/bench/ledger"
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

// BenchAccepted is a change that somebody stood by.
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
