package site

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"html/template"
	"io/fs"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sakusen/bench"
	"sakusen/bench/ledger"
)

// Site holds the data of the pages.
type Site struct {
	Title    string
	Made     time.Time
	Verdicts []ledger.Count // of all series
	Total    int            // series
	// Series are those with their causes, in the order in which they are listed, some at a time.
	Series iter.Seq2[[]ledger.Measure, error]
}

//go:embed site.tmpl
var text string

//go:embed site.css
var style []byte

//go:embed search.js
var script []byte

// mostBytes bounds the rows of a page of the list, and the names of a file of the index.
const mostBytes = 80_000

// own is in every page.
const own = `href="site.css`

// Write writes the pages into a folder, and returns the alarms on them. It takes no place of an
// index.html that it did not write.
func Write(dir string, s Site) ([]Alarm, error) {
	t, err := template.New("site").Funcs(template.FuncMap{
		"show": bench.Amount, "short": func(c string) string { return c[:min(10, len(c))] },
		"day":  func(d time.Time) string { return d.UTC().Format(time.DateOnly) },
		"file": file, "plot": plot, "newest": newest,
		"moved": func(c ledger.LevelChange) string { return bench.Moved(c.Before, c.After) },
	}).Parse(text)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if there, err := os.ReadFile(filepath.Join(dir, listPage(1))); err == nil && len(there) > 0 && !bytes.Contains(there, []byte(own)) {
		return nil, fmt.Errorf("%s: expected a folder without pages of others, got their %s: %w", dir, listPage(1), fs.ErrExist)
	}
	w := &writer{dir: dir, t: t, site: &s}
	for name, text := range map[string][]byte{"site.css": style, "search.js": script} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return nil, err
		}
	}
	for list, err := range s.Series {
		if err != nil {
			return nil, err
		}
		for i := range list {
			if err := w.add(&list[i]); err != nil {
				return nil, err
			}
		}
	}
	return w.alarms, w.end()
}

// writer writes the pages, one behind the other.
type writer struct {
	dir    string
	t      *template.Template
	site   *Site
	alarms []Alarm

	rows  bytes.Buffer // of the page of the list that is being filled
	pages int          // of the list that are written
	names bytes.Buffer // of the file of the index that is being filled
	files int          // of the index that are written
}

// add writes the page of a series, and puts it into the list and the index.
func (w *writer) add(m *ledger.Measure) error {
	if err := w.page(file(m), "series", m); err != nil {
		return err
	}
	for _, c := range m.Changes {
		if c.Alarm {
			w.alarms = append(w.alarms, alarm(m, &c))
		}
	}
	var row bytes.Buffer
	if err := w.t.ExecuteTemplate(&row, "row", m); err != nil {
		return err
	}
	if w.rows.Len() > 0 && w.rows.Len()+row.Len() > mostBytes {
		if err := w.turn(true); err != nil {
			return err
		}
	}
	w.rows.Write(row.Bytes())
	name, err := json.Marshal([]string{m.Title, file(m), m.Config["machine"], m.Standing.Decided().Word(), m.Standing.Change()})
	if err != nil {
		return err
	}
	if w.names.Len() > 0 && w.names.Len()+len(name) > mostBytes {
		if err := w.index(false); err != nil {
			return err
		}
	}
	w.names.Write(append(name, ",\n"...))
	return nil
}

// end writes what is not written yet.
func (w *writer) end() error {
	if err := w.index(true); err != nil {
		return err
	}
	if err := w.turn(false); err != nil {
		return err
	}
	// Of a longer list that was there before.
	for _, rest := range []func(i int) string{func(i int) string { return listPage(w.pages + i) }, func(i int) string { return names(w.files + i) }} {
		for i := 1; ; i++ {
			if err := os.Remove(filepath.Join(w.dir, rest(i))); errors.Is(err, fs.ErrNotExist) {
				break
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// names returns a file of the index.
func names(n int) string { return fmt.Sprintf("names-%d.js", n) }

// index writes a file of the index, which the script of the search reads, and tells it whether
// it is the last one.
func (w *writer) index(last bool) error {
	w.files++
	text := fmt.Sprintf("found(%d, [\n%s], %t);\n", w.files, w.names.String(), last)
	w.names.Reset()
	return os.WriteFile(filepath.Join(w.dir, names(w.files)), []byte(text), 0o644)
}

// turn writes a page of the list.
func (w *writer) turn(more bool) error {
	w.pages++
	data := struct {
		*Site
		Rows           template.HTML
		Page           int
		Before, Behind string
		Few            bool
	}{w.site, template.HTML(w.rows.String()), w.pages, "", "", w.pages == 1 && !more} // a template wrote the rows
	if w.pages > 1 {
		data.Before = listPage(w.pages - 1)
	}
	if more {
		data.Behind = listPage(w.pages + 1)
	}
	w.rows.Reset()
	return w.page(listPage(w.pages), "index", data)
}

// listPage returns the name of a page of the list.
func listPage(n int) string {
	if n == 1 {
		return "index.html"
	}
	return fmt.Sprintf("index-%d.html", n)
}

func (w *writer) page(name, define string, data any) error {
	var b bytes.Buffer
	if err := w.t.ExecuteTemplate(&b, define, data); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.dir, name), b.Bytes(), 0o644)
}

// mostRuns is how many runs the page of a series lists and marks.
const mostRuns = 200

// newest returns the last runs, the newest first.
func newest(m *ledger.Measure) []ledger.Sample { return m.Newest(mostRuns) }

// file returns the name of a series' page. It is a hash, so that no title can lead out of
// the folder.
func file(s *ledger.Measure) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q", s.Title, s.Config["machine"])
	return fmt.Sprintf("%016x.html", h.Sum64())
}

// scale maps values into a height, the largest to the top.
func scale(points []ledger.Sample, height float64) func(v float64) float64 {
	values := make([]float64, len(points))
	for i, p := range points {
		values[i] = p.Center
	}
	lo, hi := min(0, slices.Min(values)), slices.Max(values)
	if hi <= lo {
		hi = lo + 1
	}
	return func(v float64) float64 { return height * (1 - (v-lo)/(hi-lo)) }
}

// mostDrawn is how many runs a plot has.
const mostDrawn = 1000

// plot draws the last runs of a history from zero, with lines where the level changed.
func plot(s *ledger.Measure) template.HTML {
	const width, height, left = 860.0, 240.0, 8.0
	h := s.Tail(mostDrawn)
	runs := h.Runs
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-label="history, the last %d runs">`, width+2*left, height+16, len(runs))
	y, step := scale(runs, height), width/float64(max(1, len(runs)-1))
	for _, c := range h.Changes {
		x := left + (float64(c.Index)-0.5)*step
		fmt.Fprintf(&b, `<line class="%s" x1="%.1f" x2="%.1f" y1="8" y2="%g"/>`, c.What(), x, x, height+8)
	}
	b.WriteString(`<polyline points="`)
	for i, p := range runs {
		fmt.Fprintf(&b, "%.1f,%.1f ", left+float64(i)*step, 8+y(p.Center))
	}
	b.WriteString(`"/>`)
	for i, p := range runs {
		if i < len(runs)-mostRuns {
			continue // of many runs the line alone is drawn
		}
		fmt.Fprintf(&b, `<circle cx="%.0f" cy="%.0f"><title>run:%d %s</title></circle>`, left+float64(i)*step, 8+y(p.Center), p.Run, template.HTMLEscapeString(bench.Amount(p.Center, s.Unit)))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()) // numbers, and texts escaped above
}

// Alarm is a change of level that enough runs bear out, as a webhook gets it.
type Alarm struct {
	Event   string  `json:"event"` // changepoint
	Series  string  `json:"series"`
	Unit    string  `json:"unit"`
	Machine string  `json:"machine"`
	Run     int64   `json:"run"` // the first on the new level
	Commit  string  `json:"commit"`
	Before  float64 `json:"before"` // means, in the base unit
	After   float64 `json:"after"`
	What    string  `json:"what"` // worse, better, changed
	P       float64 `json:"p"`
	Text    string  `json:"text"` // for people; chat services show this field
}

func alarm(s *ledger.Measure, c *ledger.LevelChange) Alarm {
	at := s.Runs[c.Index]
	return Alarm{
		"changepoint", s.Title, s.Unit, s.Config["machine"], at.Run, at.Commit, c.Before, c.After, c.What(), c.P,
		fmt.Sprintf("%s: %s since %.10s, %s", s.Title, c.What(), at.Commit, bench.Moved(c.Before, c.After)),
	}
}

// key identifies an alarm: a series has at most one at each run.
func (a Alarm) key() string { return fmt.Sprintf("%s|%s|%d", a.Series, a.Machine, a.Run) }

// patience is how long a webhook may take to answer.
const patience = 20 * time.Second

// Tell sends each alarm that was not told before to a webhook, as a POST of JSON,
// and writes down in the folder's alarms.json what was told. It returns how many.
func Tell(ctx context.Context, dir, url string, alarms []Alarm) (told int, err error) {
	file := filepath.Join(dir, "alarms.json")
	known := []string{}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &known)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	for _, a := range alarms {
		if slices.Contains(known, a.key()) {
			continue
		}
		if err := send(ctx, url, a); err != nil {
			return told, err
		}
		told++
		known = append(known, a.key())
		// It is written after each one, so that none is sent twice if the next one fails.
		text, err := json.Marshal(known)
		if err == nil {
			err = os.WriteFile(file, append(text, '\n'), 0o644)
		}
		if err != nil {
			return told, err
		}
	}
	return told, nil
}

func send(ctx context.Context, url string, a Alarm) (err error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("webhook: expected success, got %s", resp.Status)
	}
	return nil
}
