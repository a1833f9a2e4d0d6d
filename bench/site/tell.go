package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sakusen/bench"
)

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

func alarm(s Series, c Change) Alarm {
	at := s.Points[c.Index]
	return Alarm{
		"changepoint", s.Title, s.Unit, s.Machine, at.Run, at.Commit, c.Before, c.After, c.What, c.P,
		fmt.Sprintf("%s: %s since %.10s, %s", s.Title, c.What, at.Commit, bench.Moved(c.Before, c.After)),
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
