package web

import "time"

// Elsewhere is what workers on other machines do, as the queue tells it.
type Elsewhere struct {
	Open    bool     `json:"open"` // the daemon takes workers
	Workers []Worker `json:"workers"`
	// Waiting are the jobs that are handed out and not answered yet, Replayed those that
	// were played again here, of which Different came out otherwise.
	Waiting   int   `json:"jobs_waiting"`
	Replayed  int64 `json:"jobs_replayed"`
	Different int64 `json:"jobs_different"`
	// Refused counts by reason what was refused: hello, malformed, unable, connection.
	Refused map[string]int64 `json:"-"`
}

// Waiting64 is Waiting, as numbers on pages are.
func (e Elsewhere) Waiting64() int64 { return int64(e.Waiting) }

// Worker is one on another machine.
type Worker struct {
	Name      string    `json:"name"`
	State     string    `json:"state"` // working, gone, refused, paused or quarantined
	Cores     int       `json:"cores"`
	Games     int64     `json:"games"` // counted since the daemon started
	Playing   int       `json:"jobs_playing"`
	Heard     time.Time `json:"heard"`
	Commit    string    `json:"commit"`
	Different int       `json:"jobs_different"`
	Reason    string    `json:"reason,omitempty"`
}

// HeardText is when it was last heard of.
func (w Worker) HeardText() string { return w.Heard.UTC().Format(time.RFC3339) }
