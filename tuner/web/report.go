package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"sakusen/bench/changepoint"
	"sakusen/bench/ledger"
	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/build"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/view"
	"sakusen/tuner/web/chart"
)

// report is one study, or some beside each other, for readers who have no Sakusen: it is written
// as one file that needs no other.
type report struct {
	Title    string
	Studies  []reported
	Compared []view.Section // of several
	Gains    []picture      // of several
	Speed    view.Section   // benchmarks of the same commits
	Version  string
}

// reported is a study of a report.
type reported struct {
	Name, Title, Meta string
	A                 *view.Answer
	Chapters          []view.Chapter
	Gain              []picture
	Charts            []picture
}

// reportFormat is a format of a report.
type reportFormat struct {
	Name, Type string
	write      func(*report, io.Writer) error
}

func reportFormats() []reportFormat {
	return []reportFormat{
		{"html", "text/html; charset=utf-8", (*report).html},
		{"md", "text/markdown; charset=utf-8", (*report).markdown},
		{"svg", "image/svg+xml", (*report).svg},
	}
}

// reportAs returns a format by its name, which is the extension of its files; the error lists all.
func reportAs(format string) (reportFormat, error) {
	var names []string
	for _, f := range reportFormats() {
		if names = append(names, f.Name); f.Name == format {
			return f, nil
		}
	}
	return reportFormat{}, service.New(service.Invalid, fmt.Sprintf("expected a file named .%s, got %.40q", strings.Join(names, ", ."), format))
}

// ReportOf writes a report of studies of a database in a format: one study, or up to
// [view.MostCompared] beside each other.
func ReportOf(ctx context.Context, s *service.Service, names []string, format string) (service.Document, error) {
	f, err := reportAs(format)
	if err != nil {
		return service.Document{}, err
	}
	if len(names) == 0 || len(names) > view.MostCompared {
		return service.Document{}, service.New(service.Invalid, fmt.Sprintf("expected one to %d studies, got %d", view.MostCompared, len(names)))
	}
	r, err := newReport(ctx, s, names)
	if err != nil {
		return service.Document{}, err
	}
	var b bytes.Buffer
	for err = f.write(r, &b); err == nil && b.Len() > mostReport && r.thin(); err = f.write(r, &b) {
		b.Reset()
	}
	if err != nil {
		return service.Document{}, err
	}
	return service.Document{Name: filepath.Base(names[0]) + "." + f.Name, Type: f.Type, Body: b.Bytes()}, nil
}

// mostReport is the size of a report, in bytes, above which pictures are left out: it is to be sent
// by mail.
const mostReport = 300_000

// thin leaves out the last picture of the study that has the most; pictures of gains stay.
func (r *report) thin() bool {
	most := &r.Studies[0]
	for i := range r.Studies {
		if len(r.Studies[i].Charts) >= len(most.Charts) {
			most = &r.Studies[i]
		}
	}
	if len(most.Charts) == 0 {
		return false
	}
	most.Charts = most.Charts[:len(most.Charts)-1]
	return true
}

// newReport reads studies and draws them.
func newReport(ctx context.Context, s *service.Service, names []string) (*report, error) {
	r := &report{Version: build.Version}
	all, err := s.Studies().Several(ctx, names)
	if err != nil {
		return nil, err
	}
	var commits []string
	for _, d := range all {
		if d.Result != nil {
			commits = append(commits, d.Result.Commit)
		}
		one, err := reportedOf(ctx, s, d, len(all))
		if err != nil {
			return nil, err
		}
		if len(all) > 2 { // the file stays small; a phone shows the wide ones
			for i := range one.Charts {
				one.Charts[i].Narrow = ""
			}
		}
		r.Studies = append(r.Studies, one)
	}
	if r.Title = r.Studies[0].Title; len(all) > 1 {
		r.Title = fmt.Sprintf("%d studies side by side", len(all))
		r.Compared = view.Compared(all)
		r.Gains = pictures("compared", "Gains, with intervals of 95 %", gainsOf(all))
	}
	return r, r.speed(ctx, s, commits)
}

// speed adds the recorded benchmarks of commits.
func (r *report) speed(ctx context.Context, s *service.Service, commits []string) error {
	if len(commits) == 0 {
		return nil
	}
	b, err := s.Benchmarks(ctx)
	if none, ok := errors.AsType[*sqlitedb.SchemaError](err); ok && none.Have == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	histories, err := b.Histories(ctx, ledger.HistoryQuery{Changes: changepoint.Usual()})
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return err
	}
	r.Speed = view.Speed(commits, histories)
	return nil
}

// mostEffects is the most parameters whose effect is drawn in a report of one study.
const mostEffects = 3

// reportedOf reads a study, one of so many.
func reportedOf(ctx context.Context, s *service.Service, d *service.StudyDetail, of int) (reported, error) {
	out := reported{Name: d.Study.Study, Title: d.Study.Study, A: view.AnswerOf(d.Study)}
	spec := &tuner.Spec{}
	if d.Foreign {
		out.Meta = "kept by a program with Goptuna's API"
		out.Chapters = view.Chapters(d, spec, nil, nil)
		return out, nil
	}
	if stored, err := tuner.ParseSpec(d.Spec); err == nil {
		spec = stored
	}
	v := studyOf(d)
	if spec.Doc != "" {
		out.Title = spec.Doc
	}
	out.Meta = fmt.Sprintf("%s · %s against %s · %s", d.Game, d.Strategy, v.Against(), d.State)
	log, err := s.Studies().Logs.Read(ctx, d)
	if err != nil {
		return out, err
	}
	var best map[string]string
	if d.Result == nil && d.Best != nil {
		trials, err := s.Studies().Logs.TrialsAt(ctx, d.Study.Study, []int{d.Best.Trial})
		if err != nil {
			return out, err
		}
		if len(trials) == 1 {
			best = trials[0].Params
		}
	}
	out.Chapters = view.Chapters(d, spec, log, best)
	caption := "Search, final and validation on one axis"
	if r := d.Result; r != nil && len(r.Front) > 0 {
		names, _ := log.Goals()
		caption = "All trials by " + strings.Join(names, " and ") + "; the front is filled"
	}
	out.Gain = pictures("answer", caption, evidence(d.Result, spec, log))
	drawn := chart.Draw(log, chart.Subject{Name: d.Study.Study, Entries: d.Entries, Result: d.Result}, chart.Wanted{Columns: reportColumns / of})
	out.Charts = append(out.Charts, pictures("history", "What the search thought best, "+drawn.Above, drawn.Best)...)
	if drawn.History != nil {
		out.Charts = append(out.Charts, pictures("history", "Trials, "+drawn.Value, drawn.History.Plot)...)
	}
	out.Charts = append(out.Charts, pictures("history", "The final, with intervals of 95 %", drawn.Finals)...)
	for _, f := range drawn.Front[:min(1, len(drawn.Front))] {
		out.Charts = append(out.Charts, pictures("set", "The front: "+f.Name, f.Plot)...)
	}
	if drawn.Refuted != "" {
		drawn.Model = nil
	}
	for _, f := range drawn.Model[:min(mostEffects/of, len(drawn.Model))] {
		out.Charts = append(out.Charts, pictures("matters", f.Name+", Elo by the model of all games", f.Plot)...)
	}
	return out, nil
}

// reportColumns is the number of columns of a history in a report of one study: a file of a mail
// is to be small.
const reportColumns = 240

// Of returns the pictures of a chapter.
func (r reported) Of(key string) (out []picture) {
	for _, p := range r.Charts {
		if p.Key == key {
			out = append(out, p)
		}
	}
	return out
}

// inkOf returns the colour of a verdict in a report, or nothing if it has none.
func inkOf(tone string) string {
	return map[string]string{"good": "#116329", "bad": "#a4161a", "warn": "#7d5200"}[tone]
}

// html writes the report as one page: styles are attributes of each element, because mail
// programs drop style sheets, and pictures are embedded, each with a description.
func (r *report) html(w io.Writer) error {
	t, err := template.New("report.html").Funcs(view.Functions()).Funcs(template.FuncMap{
		"tone": inkOf,
		"next": func(i int) int { return i + 1 },
	}).ParseFS(templates, "html/report.html")
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}

// markdown writes the report as Markdown that reads well as plain text.
func (r *report) markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", view.Escaped(r.Title))
	if r.Compared != nil {
		if err := view.Markdown(&b, r.Compared...); err != nil {
			return err
		}
	}
	for i := range r.Studies {
		s, heading := &r.Studies[i], "##"
		if len(r.Studies) > 1 {
			fmt.Fprintf(&b, "\n## %d. %s\n", i+1, view.Escaped(s.Title))
			heading = "###"
		}
		fmt.Fprintf(&b, "\n%s\n\n**%s", view.Escaped(s.Meta), view.Escaped(s.A.Word))
		if s.A.Gain.Value != "" {
			fmt.Fprintf(&b, ": %s** (%s)", view.Escaped(s.A.Gain.Value), view.Escaped(s.A.Small()))
		} else {
			b.WriteString("**")
		}
		fmt.Fprintf(&b, "\n\n%s\n", view.Escaped(s.A.Text))
		for _, c := range s.Chapters {
			fmt.Fprintf(&b, "\n%s %s\n", heading, c.Title)
			if err := view.Markdown(&b, c.Sections...); err != nil {
				return err
			}
		}
	}
	if len(r.Speed.Lines) > 0 {
		b.WriteString("\n## Speed at the same commits\n")
		if err := view.Markdown(&b, r.Speed); err != nil {
			return err
		}
	}
	fmt.Fprintf(&b, "\nWritten by Sakusen %s.\n", r.Version)
	_, err := io.WriteString(w, b.String())
	return err
}

// The picture's width, and the room at its sides.
const (
	pictureWidth = 860.0
	pictureEdge  = 20.0
)

// svg writes the report as one picture: verdict, gain, interval and how the search went.
func (r *report) svg(w io.Writer) error {
	var b strings.Builder
	y := pictureEdge
	text := func(size float64, weight int, colour, what string, lines int) {
		letters := int((140 - .068*float64(weight)) * 14 / size) // of 14 px a line has 112 thin or 92 bold ones
		all := strings.Split(plain.Wrap(what, "", letters), "\n")
		if len(all) > lines {
			all[lines-1] += " …"
		}
		for _, line := range all[:min(len(all), lines)] {
			y += 1.35 * size
			fmt.Fprintf(&b, `<text x="%g" y="%.1f" style="font:%d %gpx system-ui,sans-serif;fill:%s">%s</text>`, pictureEdge, y, weight, size, colour, template.HTMLEscapeString(line))
		}
	}
	place := func(all []picture) {
		for _, p := range all {
			width, height := sizeOf(p.Wide)
			scale := min(1, (pictureWidth-2*pictureEdge)/width)
			y += 10
			text(13, 600, "#565f6b", p.Title, 1)
			fmt.Fprintf(&b, `<svg x="%g" y="%.1f" width="%.1f" height="%.1f"%s`, pictureEdge, y+6, width*scale, height*scale, strings.TrimPrefix(p.Wide, "<svg"))
			y += height*scale + 6
		}
	}
	const ink, muted = "#16191d", "#565f6b"
	if len(r.Studies) > 1 {
		text(22, 700, ink, r.Title, 1)
		place(r.Gains)
	}
	for i := range r.Studies {
		s := &r.Studies[i]
		colour := cmp.Or(inkOf(s.A.Tone), ink)
		name := s.Title
		if len(r.Studies) > 1 {
			y += 14
			name = fmt.Sprintf("%d. %s", i+1, s.Title)
		}
		text(20, 700, ink, name, 3)
		text(13, 400, muted, s.Meta, 1)
		y += 4
		text(15, 700, colour, s.A.Sign+" "+s.A.Word, 1)
		if s.A.Gain.Value != "" {
			text(30, 700, ink, s.A.Big(), 1)
			text(14, 400, muted, s.A.Small(), 2)
		}
		for _, c := range s.Chapters {
			if c.Key == "answer" {
				for _, l := range c.Sections[0].Lines {
					if l.Label == "Found" {
						text(14, 400, ink, view.Typeset(l.Text()), 3)
					}
				}
			}
		}
		if len(r.Studies) == 1 {
			place(slices.Concat(s.Gain, s.Of("history"), s.Of("set")))
		}
	}
	y += pictureEdge
	drawing := b.String()
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%.0f" viewBox="0 0 %g %.0f" role="img" aria-label="%s"><style>%s</style><rect width="100%%" height="100%%" fill="#fff"/>%s</svg>`+"\n",
		pictureWidth, y, pictureWidth, y, template.HTMLEscapeString(r.Title), styleOf(drawing, false), drawing)
	return err
}
