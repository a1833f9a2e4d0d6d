package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"sakusen/bench"
	"sakusen/bench/changepoint"
)

// Sample is one series in one run.
type Sample struct {
	Run      int64     `json:"run"`
	Commit   string    `json:"commit"`
	Branch   string    `json:"branch"`
	Dirty    bool      `json:"dirty"`
	Recorded time.Time `json:"recorded"`
	Center   float64   `json:"center"` // median, in the unit of the series

	// Of the commit, where they are known.
	Subject   string    `json:"subject,omitempty"`
	Author    string    `json:"author,omitempty"`
	Committed time.Time `json:"committed,omitzero"`

	N int `json:"n"` // values
	// Low and High are the ends of the middle half of the values.
	Low  float64 `json:"-"`
	High float64 `json:"-"`
}

// LevelChange is where the level of a series changed.
type LevelChange struct {
	bench.Change
	Run    int64  `json:"run"` // the first one on the new level
	Commit string `json:"commit"`
	Text   string `json:"text"` // the same for people
}

// Rest returns what the text says after how the level changed.
func (c *LevelChange) Rest() string { return strings.TrimPrefix(c.Text, c.What()) }

// At returns the place of a run in a history: when its commit was made or, where that is not
// known, when it was recorded.
func (s *Sample) At() time.Time {
	if s.Committed.IsZero() {
		return s.Recorded
	}
	return s.Committed
}

// History is one series run by run, the oldest first: in the order of the commits.
type History struct {
	Title   string            `json:"-"` // package.Name unit
	Name    string            `json:"name"`
	Unit    string            `json:"unit"`
	Config  map[string]string `json:"config"`
	Runs    []Sample          `json:"runs"`
	Start   int               `json:"start"` // index of the run with which it begins anew, as accepted
	Changes []LevelChange     `json:"changes"`
}

// medians returns the numbers of a history in which the level is looked for.
func (h *History) medians() []float64 {
	out := make([]float64, len(h.Runs))
	for i, r := range h.Runs {
		out[i] = r.Center
	}
	return out
}

// Tail returns the last n runs as a history, with the changes among them.
func (h *History) Tail(n int) *History {
	from := max(0, len(h.Runs)-n)
	t := *h
	t.Runs, t.Start, t.Changes = h.Runs[from:], max(0, h.Start-from), nil
	for _, c := range h.Changes {
		if c.Index > from {
			c.Index -= from
			t.Changes = append(t.Changes, c)
		}
	}
	return &t
}

// Newest returns the last n runs, the newest first.
func (h *History) Newest(n int) []Sample {
	out := slices.Clone(h.Tail(n).Runs)
	slices.Reverse(out)
	return out
}

// Changed returns the change of level that begins with a run, nil where none does.
func (h *History) Changed(run int64) *LevelChange {
	for i := range h.Changes {
		if h.Changes[i].Run == run {
			return &h.Changes[i]
		}
	}
	return nil
}

// Last returns the last change of level, nil where there is none.
func (h *History) Last() *LevelChange {
	if len(h.Changes) == 0 {
		return nil
	}
	return &h.Changes[len(h.Changes)-1]
}

// Latest returns the last median for people.
func (h *History) Latest() string {
	if len(h.Runs) == 0 {
		return ""
	}
	return bench.Amount(h.Runs[len(h.Runs)-1].Center, h.Unit)
}

// sparkRuns bounds the runs of a small drawing.
const sparkRuns = 80

// Spark draws the last runs of a history as one small line with a mark at each run with
// which a level begins. The chart covers at least a tenth of the level, so that noise stays
// flat. A label says the same in words.
func (h *History) Spark() template.HTML {
	const width, height, edge = 1200.0, 240.0, 30.0 // in tenths, and whole, which takes few bytes
	values := h.medians()
	from := max(0, len(values)-sparkRuns)
	if values = values[from:]; len(values) == 0 {
		return ""
	}
	low, high := slices.Min(values), slices.Max(values)
	middle := (low + high) / 2
	half := max((high-low)/2, 0.05*math.Abs(middle))
	if half == 0 {
		half = 1
	}
	step := width / float64(max(1, len(values)-1))
	x := func(i float64) int { return int(math.Round(i * step)) }
	y := func(v float64) int { return int(math.Round(height / 2 * (1 - (v-middle)/half))) }
	label := fmt.Sprintf("%s over %d runs, last %s", bench.Measure(h.Unit), len(h.Runs), h.Latest())
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="spark" viewBox="%g %g %g %g" role="img" aria-label="%s">`, -edge, -edge, width+2*edge, height+2*edge, template.HTMLEscapeString(label))
	for _, c := range h.Changes {
		if c.Index > from {
			fmt.Fprintf(&b, `<line x1="%d" x2="%[1]d" y1="-20" y2="%g"/>`, x(float64(c.Index-from)-0.5), height+20)
		}
	}
	atX, atY := 0, y(values[0])
	fmt.Fprintf(&b, `<path d="m0 %d`, atY)
	for i, v := range values[1:] {
		toX, toY := x(float64(i+1)), y(v)
		fmt.Fprintf(&b, " %d %d", toX-atX, toY-atY)
		atX, atY = toX, toY
	}
	fmt.Fprintf(&b, `"/><circle cx="%d" cy="%d" r="25"/></svg>`, atX, atY)
	return template.HTML(b.String()) // numbers, and a text escaped above
}

// HistoryQuery says which history is wanted; empty fields ask for all.
type HistoryQuery struct {
	Series  string // part of "pkg.Name unit"
	Branch  string // of its commits alone: trees that had changes are left out
	Machine string // class
	// Changes are the options of the search for changes of level.
	Changes changepoint.Options
}

// Histories finds histories by part of their title, by package, name and unit, and where
// their level changed.
func (l *Ledger) Histories(ctx context.Context, q HistoryQuery) ([]History, error) {
	of := l.Standings(q)
	series, err := of.Listed(ctx)
	if err != nil {
		return nil, err
	}
	found, err := of.Measured(ctx, series)
	histories := make([]History, len(found))
	for i := range found {
		histories[i] = found[i].History
	}
	return histories, err
}

// findChanges finds where the level changed; the units say which direction is better.
func (h *History) findChanges(units benchfmt.UnitMetadataMap, o changepoint.Options) error {
	changes, err := bench.Changes(h.Unit, units, h.medians(), h.Start, o)
	if err != nil {
		return fmt.Errorf("%s: %w", h.Title, err)
	}
	for _, c := range changes {
		at := h.Runs[c.Index]
		h.Changes = append(h.Changes, LevelChange{c, at.Run, at.Commit,
			fmt.Sprintf("%s, %s from %s to %s, p = %.2g", c.What(), bench.Moved(c.Before, c.After), bench.Amount(c.Before, h.Unit), bench.Amount(c.After, h.Unit), c.P)})
	}
	return nil
}

// Listed finds series by part of their title, by package, name and unit, without how they
// stand; some may have no run on the branch.
func (l Standings) Listed(ctx context.Context) ([]Ranked, error) {
	rows, err := l.db.Reader().QueryContext(ctx, `SELECT series_id, pkg, name, unit, goos, goarch, machine FROM bench_series
		WHERE ?1 = '' OR machine = ?1 ORDER BY pkg, name, unit, goos, goarch, machine`, l.q.Machine)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	defer rows.Close()
	var list []Ranked
	for rows.Next() {
		var s Ranked
		if err := rows.Scan(&s.id, &s.Pkg, &s.Name, &s.Unit, &s.GOOS, &s.GOARCH, &s.Machine); err != nil {
			return nil, fmt.Errorf("history: %w", err)
		}
		if l.q.Series == "" || strings.Contains(s.Title(), l.q.Series) {
			list = append(list, s)
		}
	}
	return list, rows.Err()
}

// recorded are the runs of a branch, in which series are read.
type recorded struct {
	Standings
	runs    map[int64]*RecordedRun
	known   map[string]Origin                  // by commit
	accepts map[int64][]Accept                 // by the run that was accepted
	units   map[int64]benchfmt.UnitMetadataMap // what runs say of their units, where they were asked
}

// recorded reads the runs of the branch: of its commits alone, or all where it is empty.
func (l Standings) recorded(ctx context.Context) (*recorded, error) {
	in := &recorded{Standings: l, runs: map[int64]*RecordedRun{}, accepts: map[int64][]Accept{}, units: map[int64]benchfmt.UnitMetadataMap{}}
	accepts, err := l.Accepts(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range accepts {
		in.accepts[a.Run] = append(in.accepts[a.Run], a)
	}
	if in.known, err = in.commitsKnown(ctx); err != nil {
		return nil, err
	}
	rows, err := l.db.Reader().QueryContext(ctx, "SELECT "+entryColumns+" FROM bench_runs WHERE ?1 = '' OR branch = ?1 AND dirty = 0 ORDER BY run_id", l.q.Branch)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		e, err := scanEntry(rows)
		if err != nil {
			return nil, fmt.Errorf("history: %w", err)
		}
		in.runs[e.ID] = &e
	}
	return in, rows.Err()
}

// sample returns the values of a series in a run as a sample of its history.
func (in *recorded) sample(e *RecordedRun, values []float64) Sample {
	c, sorted := in.known[e.Commit], slices.Sorted(slices.Values(values))
	rank := len(sorted) / 4 // values below and above the middle half
	return Sample{
		Low: sorted[rank], High: sorted[len(sorted)-1-rank],
		Run: e.ID, Commit: e.Commit, Branch: e.Branch, Dirty: e.Dirty, Recorded: e.Recorded, Center: bench.Median(values), N: len(values),
		Subject: c.Subject, Author: c.Author, Committed: c.Committed,
	}
}

// commitsKnown reads what is known of commits.
func (in *recorded) commitsKnown(ctx context.Context) (map[string]Origin, error) {
	known := map[string]Origin{}
	if !in.commits {
		return known, nil
	}
	if err := commitRows.Refuse(ctx, in.db, "TRUE"); err != nil {
		return nil, fmt.Errorf("commits: %w", err)
	}
	rows, err := in.db.Reader().QueryContext(ctx, "SELECT commit_id, subject, author, committed FROM bench_commits")
	if err != nil {
		return nil, fmt.Errorf("commits: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var o Origin
		var committed int64
		if err := rows.Scan(&o.Commit, &o.Subject, &o.Author, &committed); err != nil {
			return nil, fmt.Errorf("commits: %w", err)
		}
		o.Committed = time.Unix(0, committed).UTC()
		known[o.Commit] = o
	}
	return known, rows.Err()
}

// Accept records that a change of level was accepted with `bench accept`: the series of
// this package, name and unit begins anew with the run.
type Accept struct {
	ID              int64
	Pkg, Name, Unit string
	Run             int64
	Reason          string
	Accepted        time.Time
}

// Covers reports whether a series is the one that was accepted.
func (a Accept) Covers(s bench.Series) bool {
	return a.Pkg == s.Pkg && a.Name == s.Name && a.Unit == s.Unit
}

// Accept writes down that the values of a series in a run are the new normal.
func (l *Ledger) Accept(ctx context.Context, s bench.Series, run int64, reason string) error {
	return l.db.Write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "INSERT INTO bench_accepts (pkg, name, unit, run_id, reason, accepted) VALUES (?, ?, ?, ?, ?, ?)",
			s.Pkg, s.Name, s.Unit, run, reason, time.Now().UnixNano())
		if err != nil {
			return err
		}
		id, err := result.LastInsertId()
		if err != nil {
			return err
		}
		return acceptRows.Seal(tx, "accept_id = ?", id)
	})
}

// Accepts lists what was accepted, oldest first.
func (l *Ledger) Accepts(ctx context.Context) ([]Accept, error) {
	if err := acceptRows.Refuse(ctx, l.db, "TRUE"); err != nil {
		return nil, fmt.Errorf("accepted changes: %w", err)
	}
	rows, err := l.db.Reader().QueryContext(ctx, "SELECT accept_id, pkg, name, unit, run_id, reason, accepted FROM bench_accepts ORDER BY accept_id")
	if err != nil {
		return nil, fmt.Errorf("accepted changes: %w", err)
	}
	defer rows.Close()
	var list []Accept
	for rows.Next() {
		var a Accept
		var accepted int64
		if err := rows.Scan(&a.ID, &a.Pkg, &a.Name, &a.Unit, &a.Run, &a.Reason, &accepted); err != nil {
			return nil, fmt.Errorf("accepted changes: %w", err)
		}
		a.Accepted = time.Unix(0, accepted).UTC()
		list = append(list, a)
	}
	return list, rows.Err()
}

// Renew gives an old run, in place of the values of every series that was
// accepted after it, those of the accepted run. It returns how many.
func (l *Ledger) Renew(ctx context.Context, old *bench.Run, id int64) (int, error) {
	accepts, err := l.Accepts(ctx)
	if err != nil {
		return 0, err
	}
	renewed := map[bench.Series]bool{}
	runs := map[int64]*bench.Run{}
	for _, a := range accepts {
		if a.Run <= id {
			continue
		}
		if runs[a.Run] == nil {
			if runs[a.Run], err = l.Run(ctx, a.Run); err != nil {
				return 0, err
			}
		}
		for s, values := range runs[a.Run].Values {
			if _, ok := old.Values[s]; ok && a.Covers(s) {
				old.Values[s], renewed[s] = values, true
			}
		}
	}
	return len(renewed), nil
}
