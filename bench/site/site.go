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
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sakusen/bench"
	"sakusen/bench/ledger"
)

// Site is what is shown.
type Site struct {
	Title  string
	Made   time.Time
	Series []ledger.Measure // with their causes
}

// Verdicts counts the series by verdict, what matters most first.
func (s Site) Verdicts() []ledger.Count { return ledger.Counted(s.Series) }

//go:embed site.tmpl
var text string

// Write writes the pages into a folder, and returns the alarms on them.
func Write(dir string, s Site) ([]Alarm, error) {
	t, err := template.New("site").Funcs(template.FuncMap{
		"show": bench.Amount, "short": func(c string) string { return c[:min(10, len(c))] },
		"day":  func(d time.Time) string { return d.UTC().Format(time.DateOnly) },
		"file": file, "plot": plot,
		"moved": func(c ledger.LevelChange) string { return bench.Moved(c.Before, c.After) },
	}).Parse(text)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	page := func(name, define string, data any) error {
		var b bytes.Buffer
		if err := t.ExecuteTemplate(&b, define, data); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644)
	}
	if err := page("index.html", "index", s); err != nil {
		return nil, err
	}
	var alarms []Alarm
	for i := range s.Series {
		series := &s.Series[i]
		if err := page(file(series), "series", series); err != nil {
			return nil, err
		}
		for _, c := range series.Changes {
			if c.Alarm {
				alarms = append(alarms, alarm(series, &c))
			}
		}
	}
	return alarms, nil
}

// file is the name of a series' page. It is a hash, so that no title can lead out of the
// folder.
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

// plot draws a history from zero, with lines where the level changed.
func plot(s *ledger.Measure) template.HTML {
	const width, height, left = 860.0, 240.0, 8.0
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-label="history">`, width+2*left, height+16)
	y, step := scale(s.Runs, height), width/float64(max(1, len(s.Runs)-1))
	for _, c := range s.Changes {
		x := left + (float64(c.Index)-0.5)*step
		fmt.Fprintf(&b, `<line class="%s" x1="%.1f" x2="%.1f" y1="8" y2="%g"/>`, c.What(), x, x, height+8)
	}
	b.WriteString(`<polyline points="`)
	for i, p := range s.Runs {
		fmt.Fprintf(&b, "%.1f,%.1f ", left+float64(i)*step, 8+y(p.Center))
	}
	b.WriteString(`"/>`)
	for i, p := range s.Runs {
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3"><title>run:%d %s %s</title></circle>`, left+float64(i)*step, 8+y(p.Center), p.Run,
			template.HTMLEscapeString(p.Commit[:min(10, len(p.Commit))]), template.HTMLEscapeString(bench.Amount(p.Center, s.Unit)))
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
