package web

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/chronicle"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
	"sakusen/tuner/service"
	"sakusen/tuner/web/plot"
)

// listed is the number of trials in a page of the table.
const listed = 25

// orderOf reads order, show and after of a query.
func orderOf(r *http.Request) (plot.Ranking, error) {
	q := r.URL.Query()
	o := plot.Ranking{Order: q.Get("order"), Show: q.Get("show")}
	if o.Order == "" {
		o.Order = "latest"
	}
	if o.Show == "" {
		o.Show = "all"
	}
	if !slices.Contains([]string{"latest", "first", "best"}, o.Order) {
		return o, problem(http.StatusBadRequest, fmt.Sprintf("order: expected latest, first or best, got %.40q", o.Order))
	}
	if !slices.Contains([]string{"all", "complete", "stopped", "running"}, o.Show) {
		return o, problem(http.StatusBadRequest, fmt.Sprintf("show: expected all, complete, stopped or running, got %.40q", o.Show))
	}
	after, err := query(r, "after", -1, 0, mostKey)
	o.After = after
	return o, err
}

// trialRow is a trial in the table.
type trialRow struct {
	Number       int
	State, Value string
	Blocks       int32
	Rungs        string
	Params       string
	Why          string
}

// trialTable is a page of the table.
type trialTable struct {
	plot.Ranking
	Rows  []trialRow
	Next  int // key of the next page, -1 on the last
	Total int
}

// table reads a page of the table.
func (s *Server) table(ctx context.Context, c *sharedChronicle, o plot.Ranking) (*trialTable, error) {
	c.mu.Lock()
	log := c.log
	out := &trialTable{Ranking: o, Next: -1, Total: len(log.Trials)}
	numbers := o.Numbers(log, listed)
	rows := make([]trialRow, len(numbers))
	var seqs []int
	for i, n := range numbers {
		rows[i] = rowOf(log, n)
		if t := &log.Trials[n]; t.Told > 0 && t.End >= entry.Behind {
			seqs = append(seqs, int(t.Told))
		}
	}
	told := make([]int, len(numbers))
	for i, n := range numbers {
		told[i] = int(log.Trials[n].Told)
	}
	space := log.Spec.Tune.Params
	c.mu.Unlock()
	entries, err := s.o.Library.EntriesAt(ctx, c.id, seqs)
	if err != nil {
		return nil, err
	}
	trials, err := s.o.Library.TrialsAt(ctx, c.name, numbers)
	if err != nil {
		return nil, err
	}
	byNumber := map[int]*service.Trial{}
	for i := range trials {
		byNumber[trials[i].Number] = &trials[i]
	}
	for i := range rows {
		if e, ok := entries[told[i]]; ok {
			if reason := entry.Reason(e); reason != "" {
				rows[i].Why += ": " + reason
			}
		}
		if t := byNumber[rows[i].Number]; t != nil {
			var b strings.Builder
			for k := range space {
				if text, ok := t.Params[space[k].Name]; ok {
					fmt.Fprintf(&b, "%s=%s ", space[k].Name, brief(text))
				}
			}
			rows[i].Params = strings.TrimSpace(b.String())
		}
	}
	out.Rows = rows
	if len(numbers) == listed {
		out.Next = numbers[listed-1]
	}
	return out, nil
}

// brief is a value for people: a long fraction is cut to four digits.
func brief(text string) string {
	if x, err := strconv.ParseFloat(text, 64); err == nil && len(text) > 8 && strings.Contains(text, ".") {
		return numeral.Text(x)
	}
	return text
}

// rowOf is a trial without its parameters, and the reason it was stopped for as
// far as the chronicle knows it.
func rowOf(log *chronicle.Chronicle, n int) trialRow {
	t := &log.Trials[n]
	r := trialRow{Number: n, Value: "-", Blocks: t.Blocks}
	if !math.IsNaN(t.Value) {
		r.Value = numeral.Typeset(t.Value, rating.Deviate95*t.Error)
	}
	rungs := len(log.Spec.Race.Rungs)
	if t.Met > 0 {
		r.Rungs = fmt.Sprintf("%d of %d", log.Passed(n), rungs)
	}
	at := "no rung"
	if t.Met > 0 {
		at = fmt.Sprintf("rung %d of %d, %d blocks", t.Met, rungs, log.Spec.Race.Rungs[t.Met-1])
	}
	r.State = "stopped"
	switch t.End {
	case entry.Playing:
		r.State = "running"
	case entry.Whole:
		r.State = "complete"
		if !t.Feasible {
			r.Why = "outside the limits"
		}
	case entry.Valueless:
		r.State, r.Why = "complete", "without a value"
	case entry.Behind:
		r.Why = "the incumbent's challenge, " + at
	case entry.Beyond:
		r.Why = "a limit, " + at
	case entry.Worse:
		r.Why = "Friedman's test, " + at
	case entry.Halved:
		r.Why = "halving, " + at
		switch place, of, went := placeOf(log, n); {
		case place > 0:
			r.Why += fmt.Sprintf(": place %d of %d in its batch; the better %d went on", place, of, went)
		case log.Several() > 0:
			r.Why += fmt.Sprintf(": not among the better %g of its batch, by fronts", log.Spec.Race.Keep)
		}
	}
	return r
}

// placeOf is a trial's place in its batch at the rung that stopped it, how many
// played there, and how many went on by halving; 0 where it is not known.
func placeOf(log *chronicle.Chronicle, n int) (place, of, went int) {
	rung := int(log.Trials[n].Met) - 1
	_, up := log.Goals()
	if rung < 0 || log.Several() > 0 {
		return 0, 0, 0
	}
	own, _ := log.Level(n, rung)
	if math.IsNaN(own) {
		return 0, 0, 0
	}
	place = 1
	mates := log.Mates(n)
	for i := mates.First; i < mates.First+mates.Trials; i++ {
		t := &log.Trials[i]
		if int(t.Met) <= rung {
			continue
		}
		of++
		if int(t.Met) > rung+1 || t.End == entry.Whole || t.End == entry.Behind {
			went++
		}
		v, _ := log.Level(i, rung)
		if i != n && (v != own && (v > own) == up[0] || v == own && i < n) {
			place++
		}
	}
	return place, of, went
}

// orderedTrials is the API's list of trials in another order than their numbers'.
func (s *Server) orderedTrials(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	var d *service.StudyDetail
	if err == nil {
		d, err = s.o.Library.Study(r.Context(), n)
	}
	var o plot.Ranking
	if err == nil {
		o, err = orderOf(r)
	}
	limit := 0
	if err == nil {
		limit, err = query(r, "limit", pageDefault, 1, pageMost)
	}
	var c *sharedChronicle
	if err == nil {
		c, err = s.chronicle(r.Context(), d)
	}
	if err == nil {
		err = s.read(r.Context(), c, d.Entries, chronicleTime)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	numbers := o.Numbers(c.log, limit)
	c.mu.Unlock()
	trials, err := s.o.Library.TrialsAt(r.Context(), n, numbers)
	if err != nil {
		return err
	}
	slices.SortStableFunc(trials, func(a, b service.Trial) int { return slices.Index(numbers, a.Number) - slices.Index(numbers, b.Number) })
	var next *int
	if len(numbers) == limit {
		next = &numbers[limit-1]
	}
	write(w, http.StatusOK, map[string]any{"trials": trials, "next": next})
	return nil
}
