package web

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sakusen/engines/lru"
	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/chart"
)

const (
	// logBytes bounds the memory of all logs together; the one that was read
	// last is kept however large it is.
	logBytes = 128 << 20
	// logChunk is the number of entries that are read at once.
	logChunk = 500
	// logWait is the longest that a page waits for a log to be read. Then the page is
	// shown with what has been read, and the reading goes on.
	logWait = 100 * time.Millisecond
	// logTime bounds the reading of a log.
	logTime = 5 * time.Minute
)

// sharedLog is the log of one study, shared by all requests.
type sharedLog struct {
	name string
	id   int

	mu   sync.Mutex // guards what follows
	log  *insight.Log
	busy chan struct{} // closed when the current reading ends; nil if there is none
	from time.Time     // when it began
	err  error         // of the last reading

	drawn *lru.Cache[string, *drawing]
}

// studyLogs are the logs kept in memory, by the study's id, with their drawings.
type studyLogs struct {
	failures
	pages  pageSet
	counts *counts

	mu  sync.Mutex
	all *lru.Cache[int, *sharedLog]
}

func newStudyLogs(f failures, p pageSet, c *counts) *studyLogs {
	return &studyLogs{failures: f, pages: p, counts: c, all: lru.New[int, *sharedLog](0)}
}

const (
	// drawingsMost bounds the drawings that are kept of one study: people choose
	// parameters and ranges.
	drawingsMost = 16
	// drawingRest is the least time between two drawings of a running study, and
	// drawingShare the share of the time that drawing may take.
	drawingRest  = time.Second
	drawingShare = 0.05
)

// of returns a study's log, and makes an empty one if there is none.
func (all *studyLogs) of(ctx context.Context, d *service.StudyDetail) (*sharedLog, error) {
	all.mu.Lock()
	c, ok := all.all.Get(d.ID)
	all.mu.Unlock()
	if !ok {
		log, err := all.service.Studies().Logs.Begin(ctx, d.Study.Study)
		if err != nil {
			return nil, err
		}
		c = &sharedLog{name: d.Study.Study, id: d.ID, log: log, drawn: lru.New[string, *drawing](drawingsMost)}
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if other, ok := all.all.Get(d.ID); ok {
		c = other // begun in the meantime
	} else {
		all.all.Put(d.ID, c)
	}
	all.shrink(logBytes)
	return c, nil
}

// read reads a log up to at least the given entry, and waits for that no longer than
// wait.
func (all *studyLogs) read(ctx context.Context, c *sharedLog, entries int, wait time.Duration) error {
	c.mu.Lock()
	if c.log.Entries >= entries {
		c.mu.Unlock()
		return nil
	}
	if c.busy == nil {
		c.busy, c.from = make(chan struct{}), time.Now()
		go all.readOn(context.WithoutCancel(ctx), c, entries)
	} else if wait == logWait {
		wait = max(wait/10, wait-time.Since(c.from)) // others have waited already
	}
	busy := c.busy
	c.mu.Unlock()
	patience := time.NewTimer(wait)
	defer patience.Stop()
	select {
	case <-busy:
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.err
	case <-patience.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// readOn reads a log in pieces, so that a request that draws waits for at most one piece.
func (all *studyLogs) readOn(ctx context.Context, c *sharedLog, entries int) {
	ctx, cancel := context.WithTimeout(ctx, logTime)
	defer cancel()
	for {
		c.mu.Lock()
		at := c.log.Entries
		c.mu.Unlock()
		var chunk []entry.Entry
		err := all.service.Studies().Logs.EachEntry(ctx, c.id, at, logChunk, func(e entry.Entry) error {
			chunk = append(chunk, e)
			return nil
		})
		all.counts.entries.Add(int64(len(chunk)))
		c.mu.Lock()
		for _, e := range chunk {
			if wrong := c.log.Add(e); wrong != nil {
				all.log.Debug("the log of a study cannot be read", "study", c.name, "error", wrong)
			}
		}
		if err != nil || len(chunk) == 0 || c.log.Entries >= entries {
			c.err = err
			close(c.busy)
			c.busy = nil
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
	}
}

// whole returns a study with its log, read to the end of its log.
func (s *Server) whole(ctx context.Context, study string) (d *service.StudyDetail, c *sharedLog, err error) {
	if d, err = s.o.Service.Studies().Show(ctx, study); err != nil {
		return nil, nil, err
	}
	if c, err = s.studyLogs.of(ctx, d); err == nil {
		err = s.studyLogs.read(ctx, c, d.Entries, logTime)
	}
	return d, c, err
}

// shrink drops the least recently used logs until the others take at most room bytes.
// The last one used is always kept. The caller holds mu.
func (all *studyLogs) shrink(room int) {
	total, latest := 0, true
	for id, c := range all.all.All() {
		total += c.bytes()
		if total > room && !latest {
			all.all.Delete(id)
		}
		latest = false
	}
}

// bytes returns the size of a log; one that is being drawn now counts as nothing, to avoid
// waiting for it.
func (c *sharedLog) bytes() int {
	if !c.mu.TryLock() {
		return 0
	}
	defer c.mu.Unlock()
	n := c.log.Bytes()
	for _, d := range c.drawn.All() {
		n += len(d.html)
	}
	return n
}

// drawing is the plots of a study, drawn once for all requests.
type drawing struct {
	html    template.HTML
	sofar   *insight.Thought
	version string // of what is shown
	entries int
	partial bool // the log had not been read to its end
	at      time.Time
	cost    time.Duration
}

// draw returns a study's plots: the last ones, if nothing has been added since or they are
// recent, or else new ones.
func (all *studyLogs) draw(c *sharedLog, d *service.StudyDetail, want chart.Wanted) (*drawing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := fmt.Sprintf("%v %t", want, d.Result != nil) // maps are printed in order
	now := time.Now()
	if old, ok := c.drawn.Get(key); ok {
		rest := max(drawingRest, time.Duration(float64(old.cost)/drawingShare))
		young := now.Sub(old.at) < rest && (d.Result == nil && !old.partial || old.partial && c.busy != nil)
		if old.entries == c.log.Entries || young {
			return old, nil
		}
	}
	v := chart.Draw(c.log, chart.Subject{Name: d.Study.Study, Entries: d.Entries, Result: d.Result}, want)
	worth(v, c.log.Spec.Spec, d.Result)
	version := fmt.Sprintf("%d-%t", c.log.Entries, d.Result != nil)
	html, err := all.pages.part(api.Read, "study", "drawings", v)
	if err != nil {
		return nil, err
	}
	out := &drawing{html: template.HTML(html), sofar: v.SoFar, version: version, entries: c.log.Entries, partial: v.Reading < 100, at: now, cost: time.Since(now)}
	c.drawn.Put(key, out)
	return out, nil
}

// listed is the number of trials in a page of the table.
const listed = 25

// orderOf returns the order of trials that a query asks for. For an unknown order it
// returns the usual one and an error.
func orderOf(in *api.TrialsPage) (ranking, error) {
	o := ranking{Order: cmp.Or(in.Order, "latest"), Show: cmp.Or(in.Show, "all"), After: -1, min: in.Min, max: in.Max}
	if in.After != nil {
		o.After = *in.After
	}
	for end, bounds := range []map[string]string{in.Min, in.Max} {
		for _, parameter := range slices.Sorted(maps.Keys(bounds)) {
			x, err := strconv.ParseFloat(strings.TrimSpace(bounds[parameter]), 64)
			if err != nil || math.IsNaN(x) {
				return o, service.New(service.Invalid, fmt.Sprintf("%s.%.60s: expected a number, got %.40q", [...]string{"min", "max"}[end], parameter, bounds[parameter]))
			}
			w := within{parameter, x, math.Inf(1)}
			if end == 1 {
				w.low, w.high = math.Inf(-1), x
			}
			o.within = append(o.within, w)
		}
	}
	return o, nil
}

// table reads a page of the table.
func (all *studyLogs) table(ctx context.Context, c *sharedLog, o ranking) (*trialTable, error) {
	c.mu.Lock()
	log, space := c.log, c.log.Spec.Tune.Params
	if err := o.resolve(space); err != nil {
		c.mu.Unlock()
		return nil, service.Wrap(service.Invalid, err)
	}
	out := &trialTable{ranking: o, Next: -1, Total: len(log.Trials), Unit: log.Scale().AxisOf(unitOf(log)),
		Raced: len(log.Spec.Race.Rungs) > 1 && log.Spec.Evaluate == nil && !log.Spec.Duels}
	numbers := o.numbers(log, listed)
	c.mu.Unlock()
	for k := range space {
		out.Columns = append(out.Columns, space[k].Name)
		if space[k].Kind == param.Int || space[k].Kind == param.Float {
			out.Numeric = append(out.Numeric, space[k].Name)
		}
	}
	if len(numbers) == listed {
		out.Next = numbers[listed-1]
	}
	var params []map[string]string
	var err error
	out.Rows, params, err = all.rows(ctx, c, numbers)
	for i := range out.Rows {
		for k := range space {
			text, exact := "", ""
			if params[i] != nil {
				exact = cmp.Or(params[i][space[k].Name], "-")
				text = view.Brief(&space[k], exact)
			}
			out.Rows[i].Params, out.Rows[i].Exact = append(out.Rows[i].Params, text), append(out.Rows[i].Exact, exact)
		}
	}
	return out, err
}

// rows returns some trials of a study as the table has them, with why they were stopped, and the
// values of their parameters; those of a trial that is not recorded yet are nil.
func (all *studyLogs) rows(ctx context.Context, c *sharedLog, numbers []int) (rows []trialRow, params []map[string]string, err error) {
	var seqs []int
	told := make([]int, len(numbers))
	c.mu.Lock()
	for i, n := range numbers {
		rows = append(rows, rowOf(c.log, n))
		t := &c.log.Trials[n]
		if told[i] = int(t.Told); t.Told > 0 && t.End >= entry.Behind && t.End != entry.Beyond { // the row says which limit
			seqs = append(seqs, told[i])
		}
	}
	c.mu.Unlock()
	logs := all.service.Studies().Logs
	entries, err := logs.EntriesAt(ctx, c.id, seqs)
	if err != nil {
		return nil, nil, err
	}
	for i := range rows {
		if e, ok := entries[told[i]]; ok && entry.Reason(e) != "" {
			rows[i].Why += ": " + entry.Reason(e)
		}
	}
	trials, err := logs.TrialsAt(ctx, c.name, numbers)
	params = make([]map[string]string, len(numbers))
	for i := range trials {
		params[slices.Index(numbers, trials[i].Number)] = trials[i].Params
	}
	return rows, params, err
}
