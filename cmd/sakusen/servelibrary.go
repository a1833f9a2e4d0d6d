package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"sakusen/bench"
	"sakusen/studies"
	"sakusen/tuner"
	"sakusen/tuner/daemon"
	"sakusen/tuner/export"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
)

// library is what the daemon serves.
type library struct {
	*book
	log   *slog.Logger
	queue func() // tells the daemon that a study was submitted
	// daemon runs the studies.
	daemon *daemon.Daemon
	// sound says why the daemon cannot go on, nil where it can.
	sound func() error
}

// Studies implements web.Library.
func (l *library) Studies(ctx context.Context, after, limit int) ([]service.Study, error) {
	page, err := l.store.Studies(ctx, after, limit)
	out := []service.Study{}
	for _, s := range page {
		out = append(out, l.held(lineOf(s)))
	}
	return out, err
}

// Study implements web.Library.
func (l *library) Study(ctx context.Context, name string) (*service.StudyDetail, error) {
	d, err := l.details(ctx, name)
	if err != nil {
		return nil, err
	}
	out := &service.StudyDetail{
		Study: l.held(lineOf(d.Listing)), SpecSHA256: d.SpecHash, Signature: d.Signatures,
		Spec: json.RawMessage(d.Spec), Entries: d.Entries,
	}
	if d.Result != nil {
		if err := json.Unmarshal(d.Result, &out.Result); err != nil {
			return nil, fmt.Errorf("study %q: stored result: %w", name, err)
		}
	}
	return out, nil
}

// Trials implements web.Library.
func (l *library) Trials(ctx context.Context, name string, from, limit int) ([]service.Trial, error) {
	d, err := l.details(ctx, name)
	if err != nil {
		return nil, err
	}
	spec, err := storedSpec(d)
	if err != nil {
		return nil, err
	}
	page, err := l.store.TrialPage(ctx, d.ID, from, limit)
	if err != nil {
		return nil, err
	}
	return trialsOf(page, spec.Tune.Params)
}

// Log implements web.Library.
func (l *library) Log(ctx context.Context, name string, after, limit int) ([]service.Entry, error) {
	d, err := l.details(ctx, name)
	if err != nil {
		return nil, err
	}
	page, err := l.store.EntryPage(ctx, d.ID, after, limit)
	out := []service.Entry{}
	for i, e := range page {
		out = append(out, service.Entry{Seq: after + 1 + i, Kind: string(e.Kind), Payload: e.Payload})
	}
	return out, err
}

// Submit implements web.Library.
func (l *library) Submit(ctx context.Context, s service.Submission) (string, error) {
	name := s.Name
	if name == "" {
		name = "study.yaml"
	}
	file := studyFile{name: name, text: []byte(s.Spec)}
	spec, err := file.spec(l.app, nil)
	if err != nil {
		return "", service.Mistakes("the study file has mistakes", err)
	}
	if s.Check {
		return spec.Name, nil
	}
	limited, cancel := context.WithTimeout(ctx, signTime)
	defer cancel()
	err = l.enqueue(limited, file, spec, s.Priority)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return "", &service.Error{Code: service.Unavailable, RetryAfter: 5 * time.Second, Message: fmt.Sprintf(
			"games of %s under these rules take long: it is still worked out how its strategies play; submit the study again in some minutes", spec.Game)}
	}
	return spec.Name, err
}

// signTime is how long a submission waits for the signatures of a study: below the
// time that the server has for an answer.
const signTime = time.Minute

// enqueue puts a study into the queue.
func (l *library) enqueue(ctx context.Context, file studyFile, spec *tuner.Setup, priority int) error {
	if err := enqueue(ctx, l.store, file, spec, priority); err != nil {
		return err
	}
	l.queue()
	return nil
}

// enqueue writes a study into the queue of an open database. One that is there
// with the same spec stays in its state.
func enqueue(ctx context.Context, s *store.Store, file studyFile, spec *tuner.Setup, priority int) error {
	signatures, err := spec.Ruleset.Signatures(ctx, spec.Strategies()...)
	if err != nil {
		return err
	}
	h, err := header(spec.Spec, signatures)
	if err != nil {
		return err
	}
	_, _, err = s.ResumeFile(ctx, h, file.source(), priority)
	return err
}

// Export implements web.Library.
func (l *library) Export(ctx context.Context, name, format string, force bool) (service.Document, error) {
	d, err := l.details(ctx, name)
	if err != nil {
		return service.Document{}, err
	}
	if format != "optuna" && !strings.HasPrefix(format, frontOf) {
		if err := export.Write(&bytes.Buffer{}, format, &export.Document{Strategy: "x"}); err != nil {
			return service.Document{}, service.Wrap(service.Invalid, err)
		}
	}
	body, err := exported(l.book.app, ctx, l.store, d, format, force)
	if form, ok := strings.CutPrefix(format, frontOf); ok {
		name, format = name+".front", form
	}
	kinds := map[string][2]string{
		"yaml": {"yaml", "application/yaml"}, "json": {"json", "application/json"}, "optuna": {"optuna.json", "application/json"},
		"go": {"go", "text/plain; charset=utf-8"}, "env": {"env", "text/plain; charset=utf-8"}, "csv": {"csv", "text/csv; charset=utf-8"},
	}
	return service.Document{Name: name + "." + kinds[format][0], Type: kinds[format][1], Body: body}, err
}

// Games implements web.Library.
func (l *library) Games(context.Context) (any, error) {
	reports := []service.GameInfo{}
	for _, g := range l.catalogue {
		r, err := service.DescribeGame(g)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// Strategies implements web.Library.
func (l *library) Strategies(_ context.Context, game string) (any, error) {
	g, err := l.catalogue.Game(game)
	if err != nil {
		return nil, service.Wrap(service.NotFound, err)
	}
	rules, err := openRules(g, nil)
	if err != nil {
		return nil, err
	}
	r, err := service.DescribeStrategies(rules)
	return r.Strategies, err
}

// histories reads the benchmarks' histories on the baseline branch.
func (l *library) histories(ctx context.Context, series string) ([]service.BenchHistory, error) {
	b, err := l.bench(ctx)
	if err != nil {
		return nil, err
	}
	return b.Histories(ctx, service.BenchQuery{
		Series: series, Branch: l.settings.Text("bench.baseline_branch"), Changes: service.UsualChanges(),
	})
}

// Forms implements web.Library.
func (l *library) Forms(context.Context) ([]service.Game, error) {
	var out []service.Game
	for _, g := range l.catalogue {
		rules, err := openRules(g, nil)
		if err != nil {
			return nil, err
		}
		r, err := service.DescribeStrategies(rules)
		if err != nil {
			return nil, err
		}
		about, err := service.DescribeGame(g)
		if err != nil {
			return nil, err
		}
		game := service.Game{Name: g.Name, Doc: g.Doc, Rules: formParams(about.Rules), Unscored: g.Unscored, Samplers: sampler.Kinds{}.Names()}
		for _, m := range about.Metrics {
			game.Metrics = append(game.Metrics, m.Name)
		}
		for _, s := range r.Strategies {
			game.Strategies = append(game.Strategies, service.Strategy{Name: s.Name, Doc: s.Doc, Params: formParams(s.Params)})
		}
		out = append(out, game)
	}
	return out, nil
}

// StudyFiles implements web.Library.
func (l *library) StudyFiles(context.Context) ([]service.Example, error) {
	var out []service.Example
	for _, name := range studies.Names() {
		text, err := studies.Read(name)
		if err != nil {
			return nil, err
		}
		out = append(out, service.Example{Name: name, File: string(text)})
	}
	return out, nil
}

// formParams are parameters as forms show them.
func formParams(params []service.ParamInfo) []service.Param {
	text := func(x *float64) string {
		if x == nil {
			return ""
		}
		return strconv.FormatFloat(*x, 'g', -1, 64)
	}
	var out []service.Param
	for _, p := range params {
		f := service.Param{Name: p.Name, Doc: p.Doc, Values: p.Values(), Default: p.Default, Low: text(p.Low), High: text(p.High), Step: text(p.Step), Tuned: p.Tuned}
		f.When = p.When
		out = append(out, f)
	}
	return out
}

// Series implements web.Library.
func (l *library) Series(ctx context.Context) ([]service.SeriesLine, error) {
	all, err := l.histories(ctx, "")
	out := []service.SeriesLine{}
	for _, r := range all {
		line := service.SeriesLine{Title: r.Title, Name: r.Name, Unit: r.Unit, Runs: len(r.Runs), Changes: len(r.Changes)}
		h := historyOf(&r)
		if n := len(h.Points); n > 0 {
			line.Latest = h.Points[n-1].Text
		}
		if n := len(h.Changes); n > 0 {
			line.Last = &h.Changes[n-1]
		}
		out = append(out, line)
	}
	return out, err
}

// History implements web.Library.
func (l *library) History(ctx context.Context, series string) (*service.SeriesHistory, error) {
	all, err := l.histories(ctx, series)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if r := &all[i]; r.Title == series {
			return historyOf(r), nil
		}
	}
	return nil, service.New(service.NotFound, fmt.Sprintf("no series %.200q is recorded", series))
}

// historyOf is a history as it is served.
func historyOf(r *service.BenchHistory) *service.SeriesHistory {
	out := &service.SeriesHistory{Title: r.Title, Unit: r.Unit, Points: []service.SeriesPoint{}, Changes: []service.SeriesChange{}}
	for _, p := range r.Runs {
		out.Points = append(out.Points, service.SeriesPoint{
			Run: p.Run, Commit: p.Commit, Recorded: p.Recorded.UTC().Format(time.RFC3339), Center: p.Center, N: p.N,
			Text: bench.Show(p.Center, r.Unit),
		})
	}
	for _, c := range r.Changes {
		out.Changes = append(out.Changes, service.SeriesChange{
			Index: c.Index, Run: c.Run, Commit: c.Commit, P: c.P, Before: c.Before, After: c.After, Alarm: c.Alarm, Worse: c.Worse,
			Text: fmt.Sprintf("%s, %s to %s, p = %.2g", c.What(), bench.Show(c.Before, r.Unit), bench.Show(c.After, r.Unit), c.P),
		})
	}
	return out
}

// Prune implements web.Library.
func (l *library) Prune(ctx context.Context, days int, dry bool) (any, error) {
	p, err := l.store.Blocks().Prune(ctx, daysAgo(days), dry)
	if err == nil && !dry {
		l.log.Info("pruned", "days", days, "series", p.Series, "blocks", p.Blocks)
	}
	return p, err
}

// retain prunes once a day for as long as the daemon runs; 0 days keep all.
func (l *library) retain(ctx context.Context, days int) {
	for days > 0 {
		if l.sound() != nil {
			return
		}
		if _, err := l.Prune(ctx, days, false); err != nil && ctx.Err() == nil {
			l.log.Error("blocks cannot be pruned", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(24 * time.Hour):
		}
	}
}

// daysAgo is that many days before now.
func daysAgo(days int) time.Time { return time.Now().AddDate(0, 0, -days) }

// Ready implements web.Library.
func (l *library) Ready(ctx context.Context) error {
	if err := l.sound(); err != nil {
		return err
	}
	_, err := l.store.Studies(ctx, 0, 1)
	return err
}
