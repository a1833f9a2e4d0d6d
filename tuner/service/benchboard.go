package service

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"sakusen/bench"
	"sakusen/bench/ledger"
)

// BoardQuery says which benchmarks are wanted; empty fields ask for all.
type BoardQuery struct {
	Against string // name of the baseline; empty: the run with which each series begins
	Text    string // in package, name, unit or machine, in small letters or large
	Verdict string // that one of its series has; "none" for those without one
	Skip    int    // benchmarks before the page
}

// BenchBoard is a page of benchmarks at a glance: how their last runs stand.
type BenchBoard struct {
	Query     BoardQuery
	Lines     []benchLine    // what got worse first
	Verdicts  []ledger.Count // of all benchmarks with the text, whatever the verdict
	All       int            // benchmarks that are recorded
	Texts     int            // of them with the text
	Found     int            // of these with the verdict
	Next      int            // benchmarks before the next page, 0 on the last
	Baselines []ledger.Baseline
	Pending   bool // runs are being compared: the order and the verdicts are those before, or missing
}

// benchLine is a benchmark on one class of machines, with all that is measured of it.
type benchLine struct {
	Pkg, Name, Machine string
	Verdict            bench.Verdict // that matters most
	Measures           []ledger.Measure
}

// What a page of benchmarks shows at most: so many, and so many bytes as HTML, about.
const (
	boardLines = 50
	boardBytes = 72_000
)

// Board returns a page of the benchmarks of the baseline branch.
func (b *Benchmarks) Board(ctx context.Context, q BoardQuery) (*BenchBoard, error) {
	r, pending, err := b.ranked(ctx, q.Against, false)
	if err != nil {
		return nil, err
	}
	out := &BenchBoard{Query: q, All: len(r.places), Pending: pending}
	if out.Baselines, err = b.offered(ctx, q.Against); err != nil {
		return nil, err
	}
	counts := map[bench.Verdict]int{}
	var found []*place
	for i := range r.places {
		p := &r.places[i]
		if !strings.Contains(p.text, strings.ToLower(q.Text)) {
			continue
		}
		out.Texts++
		counts[p.verdict]++
		if q.Verdict == "" || q.Verdict == cmp.Or(string(p.verdict), "none") {
			found = append(found, p)
		}
	}
	out.Found, out.Verdicts = len(found), ledger.Counts(counts)
	var series []ledger.Ranked
	size, shown := 0, 0
	for _, p := range found[min(q.Skip, len(found)):] {
		for _, i := range p.series {
			size += weight(&r.series[i])
		}
		if shown > 0 && (shown == boardLines || size > boardBytes) {
			out.Next = q.Skip + shown
			break
		}
		for _, i := range p.series {
			series = append(series, r.series[i])
		}
		shown++
	}
	measures, err := b.Standings(b.usual("", "")).Measured(ctx, series)
	if err != nil {
		return nil, err
	}
	for _, m := range measures {
		n := len(out.Lines)
		if n == 0 || out.Lines[n-1].Name != m.Name || out.Lines[n-1].Pkg != m.Config["pkg"] || out.Lines[n-1].Machine != m.Config["machine"] {
			out.Lines = append(out.Lines, benchLine{Pkg: m.Config["pkg"], Name: m.Name, Machine: m.Config["machine"], Verdict: m.Standing.Decided()})
			n++
		}
		line := &out.Lines[n-1]
		line.Measures = append(line.Measures, m)
		if w := m.Standing; w.Urgency() < (&ledger.Standing{Row: bench.Row{Verdict: line.Verdict}}).Urgency() {
			line.Verdict = w.Decided()
		}
	}
	return out, nil
}

// mostBaselines is how many baselines a page offers.
const mostBaselines = 50

// offered returns the first baselines, by their names, and the one that is chosen.
func (b *Benchmarks) offered(ctx context.Context, chosen string) ([]ledger.Baseline, error) {
	all, err := b.Baselines(ctx)
	var out []ledger.Baseline
	for i, l := range all {
		if i < mostBaselines || l.Name == chosen {
			out = append(out, l)
		}
	}
	return out, err
}

// weight returns about how many bytes a series takes on a page.
func weight(r *ledger.Ranked) int {
	title := r.Title()
	return 800 + len(url.PathEscape(title)) + len(html.EscapeString(title))
}

// rankings keeps how the series of the baseline branch stand, against each baseline, until
// what is recorded changes.
type rankings struct {
	mu    sync.Mutex
	kept  map[string]*ranking // by the baseline's name
	busy  map[string]*comparing
	names *ranking // without verdicts
	many  int64    // samples from which on pages do not wait; 0 is the usual
	// begun is the daemon's life, in which a long comparison goes on while pages show what was
	// known before; nil where there is no daemon, and all wait.
	begun context.Context
	tasks sync.WaitGroup
}

// ranking is how series stand in one state of the records.
type ranking struct {
	state  ledger.State
	series []ledger.Ranked // by package, name and unit
	places []place         // what got worse first
}

// comparing is a ranking under way.
type comparing struct {
	named, done chan struct{} // closed when the names are known, and when it ends
	err         error         // to be read when it has ended
}

// place is a benchmark in a list.
type place struct {
	verdict bench.Verdict
	urgency int
	text    string // to be searched, in small letters
	series  []int
}

// mostRankings bounds the baselines against which it is kept how series stand.
const mostRankings = 4

// Of many samples the comparison takes seconds: a page waits so long and then shows what was
// known before.
const (
	manySamples = 1_000_000
	boardWait   = 300 * time.Millisecond
)

// ranked returns how the series of the baseline branch stand. Pending tells that they are
// being compared, and that the answer is of the records before or has no verdicts; it is never
// so where there are few. One that wants the names alone gets no older ones.
func (b *Benchmarks) ranked(ctx context.Context, baseline string, names bool) (r *ranking, pending bool, err error) {
	state, err := b.Standings(b.usual("", "")).State(ctx)
	if err != nil {
		return nil, false, err
	}
	k := b.kept
	var late <-chan time.Time // never where all wait
	for {
		k.mu.Lock()
		r = k.kept[baseline]
		if r != nil && (r.state == state || r.state.Last > state.Last) {
			k.mu.Unlock()
			return r, false, nil
		}
		if late == nil && k.long(state) {
			late = time.After(boardWait)
		}
		c, begun := k.busy[baseline], false
		if c == nil {
			c, begun = k.begin(ctx, b, baseline, state), true
		}
		k.mu.Unlock()
		select {
		case <-c.done:
			if begun && c.err != nil {
				return nil, false, c.err
			}
		case <-late:
			if r != nil && !names {
				return r, true, nil
			}
			select {
			case <-c.named:
			case <-c.done:
			case <-ctx.Done():
				return nil, false, ctx.Err()
			}
			k.mu.Lock()
			r = k.names
			k.mu.Unlock()
			if r != nil {
				return r, true, nil
			}
			late = nil
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

// long reports whether pages do not wait until so much is compared.
func (k *rankings) long(s ledger.State) bool {
	return k.begun != nil && s.Samples >= cmp.Or(k.many, manySamples)
}

// begin begins to compare what is recorded in that state, and keeps what it finds.
func (k *rankings) begin(ctx context.Context, b *Benchmarks, baseline string, state ledger.State) *comparing {
	if ctx = context.WithoutCancel(ctx); k.begun != nil {
		ctx = k.begun
	}
	c := &comparing{named: make(chan struct{}), done: make(chan struct{}), err: ctx.Err()}
	if c.err != nil { // the daemon ends
		close(c.done)
		return c
	}
	if k.busy == nil {
		k.busy, k.kept = map[string]*comparing{}, map[string]*ranking{}
	}
	k.busy[baseline] = c
	long := k.long(state)
	k.tasks.Go(func() {
		r := &ranking{state: state}
		if long {
			if r.series, c.err = b.Standings(b.usual("", "")).Listed(ctx); c.err == nil {
				r.order()
				k.mu.Lock()
				k.names = r
				k.mu.Unlock()
				close(c.named)
			}
		}
		r = &ranking{state: state}
		if c.err == nil {
			r.series, c.err = b.Standings(b.usual("", "")).Rank(ctx, baseline)
			r.order()
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		defer close(c.done)
		delete(k.busy, baseline)
		if c.err != nil {
			return
		}
		for name := range k.kept {
			if len(k.kept) >= mostRankings && name != baseline {
				delete(k.kept, name)
			}
		}
		k.kept[baseline], k.names = r, nil
	})
	return c
}

// order makes the list of benchmarks.
func (r *ranking) order() {
	at := map[[3]string]int{}
	for i := range r.series {
		s := &r.series[i]
		key := [3]string{s.Pkg, s.Name, s.Machine}
		if _, ok := at[key]; !ok {
			at[key] = len(r.places)
			r.places = append(r.places, place{verdict: s.Standing.Decided(), urgency: 99, text: strings.ToLower(s.Pkg + "." + s.Name + " " + s.Machine)})
		}
		p := &r.places[at[key]]
		p.series = append(p.series, i)
		p.text += " " + strings.ToLower(s.Unit)
		if u := 2 * s.Standing.Urgency(); u < p.urgency {
			p.verdict, p.urgency = s.Standing.Decided(), u
		}
		if s.Alarm { // before all verdicts but worse
			p.urgency = min(p.urgency, 1)
		}
	}
	order := func(i int) int { // time before memory and allocations, and these before others
		units := []string{"sec/op", "B/op", "allocs/op"}
		return (slices.Index(units, r.series[i].Unit) + len(units) + 1) % (len(units) + 1)
	}
	for i := range r.places {
		slices.SortStableFunc(r.places[i].series, func(x, y int) int { return cmp.Compare(order(x), order(y)) })
	}
	slices.SortStableFunc(r.places, func(x, y place) int { return cmp.Compare(x.urgency, y.urgency) })
}

// with returns the series that have a text in their title.
func (r *ranking) with(text string) []ledger.Ranked {
	if text == "" {
		return r.series
	}
	var out []ledger.Ranked
	for i := range r.series {
		if strings.Contains(strings.ToLower(r.series[i].Title()), strings.ToLower(text)) {
			out = append(out, r.series[i])
		}
	}
	return out
}

// rankBenchmarks compares benchmarks before a page asks for them, and ends when no
// comparison uses the database any more.
func (s *Service) rankBenchmarks(ctx context.Context) {
	s.rankings.mu.Lock()
	s.rankings.begun = ctx
	s.rankings.mu.Unlock()
	if b, err := s.Benchmarks(ctx); err == nil {
		if _, _, err := b.ranked(ctx, "", false); err != nil && ctx.Err() == nil {
			s.o.Log.Warn("benchmarks cannot be compared", "error", fmt.Sprint(err))
		}
	}
	<-ctx.Done()
	s.rankings.tasks.Wait()
}
