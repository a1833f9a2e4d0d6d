// Package fleet is what a daemon tells of the workers on other machines that play for it.
package fleet

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/tuner/numeral"
)

// Fleet is all of them, with the daemon's own machine.
type Fleet struct {
	Open    bool   `json:"open"`              // the daemon takes workers
	Address string `json:"address,omitempty"` // where they connect, empty with a NATS server of its owner's
	Here    Here   `json:"here"`
	// Workers are those that have said hello since the daemon started, and those in
	// quarantine, by name.
	Workers []Worker `json:"workers"`
	// Waiting are the jobs that are handed out and not answered yet; Queued those of them
	// that no worker has begun with. Redelivered were given to another, since their worker
	// was lost, ended or took too long.
	Waiting     int   `json:"jobs_waiting"`
	Queued      int   `json:"jobs_queued"`
	Redelivered int64 `json:"jobs_redelivered"`
	// Replayed are the jobs that were played again here, of which Different came out
	// otherwise.
	Replayed  int64 `json:"jobs_replayed"`
	Different int64 `json:"jobs_different"`
	// Refused counts by reason what was refused: hello, malformed, unable, connection.
	Refused map[string]int64 `json:"-"`
}

// Here is the machine of the daemon.
type Here struct {
	Cores  int     `json:"cores"`            // games that it plays at a time
	Games  int64   `json:"games"`            // since the daemon started
	Second float64 `json:"games_per_second"` // over the last minute
	Share  float64 `json:"share"`            // of the games of the last minute, 0 to 1
}

// Worker is one on another machine.
type Worker struct {
	Name        string             `json:"name"`
	State       string             `json:"state" enum:"working,gone,refused,paused,quarantined"`
	Cores       int                `json:"cores"`
	Games       int64              `json:"games" help:"Games counted since the daemon started."`
	Second      float64            `json:"games_per_second" help:"Games per second over the last minute."`
	Share       float64            `json:"share" help:"The worker's share of all games of the last minute, including the daemon's own; 0 to 1."`
	Playing     int                `json:"jobs_playing"`
	Heard       time.Time          `json:"heard" help:"The time of the worker's last message."`
	Commit      string             `json:"commit"`
	Different   int                `json:"jobs_different" help:"Jobs whose results differed when the daemon played them again."`
	Redelivered int64              `json:"jobs_redelivered" help:"Jobs that were sent to another worker because this one was lost, ended or took too long."`
	Slots       int                `json:"slots,omitempty" help:"Games with a clock that the worker plays at the same time."`
	Speeds      map[string]float64 `json:"speeds,omitempty" help:"Nodes per second of each engine with all slots busy, as last measured."`
	Scale       float64            `json:"scale,omitempty" help:"The factor by which the clocks of its last games were multiplied; absent before its first such game."`
	Trusted     bool               `json:"trusted,omitempty" help:"The worker may play games with a clock whose rules the daemon does not know."`
	Engines     []string           `json:"engines" help:"External engines that the worker plays: their files are identical to the daemon's."`
	Reason      string             `json:"reason,omitempty" help:"Why the daemon refuses the worker."`
}

// States are those of a worker.
var States = []string{"working", "gone", "refused", "paused", "quarantined"}

// Count returns how many workers there are of a state.
func (f *Fleet) Count(state string) int {
	n := 0
	for _, w := range f.Workers {
		if w.State == state {
			n++
		}
	}
	return n
}

// Stands reports whether a worker gets no work until a person does something.
func (w Worker) Stands() bool {
	return w.State == "refused" || w.State == "paused" || w.State == "quarantined"
}

// PerSecond returns games a second for people.
func PerSecond(games float64) string {
	if games > 0 && games < 9.95 {
		return strconv.FormatFloat(games, 'f', 1, 64)
	}
	return numeral.Count(int64(games + .5))
}

// Percent returns a share for people.
func Percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 0, 64) + " %" }

// SpeedText returns the speeds of its engines for people, empty where none was measured.
func (w Worker) SpeedText() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(w.Speeds)) {
		all = append(all, name+" "+numeral.Count(int64(w.Speeds[name])))
	}
	return strings.Join(all, ", ")
}

// ScaleText returns the factor of its clocks for people, empty before it has played by one.
func (w Worker) ScaleText() string {
	if w.Scale == 0 {
		return ""
	}
	return "× " + strconv.FormatFloat(w.Scale, 'f', 2, 64)
}

// HeardText returns the time of its last hello.
func (w Worker) HeardText() string { return w.Heard.UTC().Format(time.RFC3339) }

// Shares fills in who played which share of the games of the last minute.
func (f *Fleet) Shares() {
	all := f.Here.Second
	for _, w := range f.Workers {
		all += w.Second
	}
	if all == 0 {
		return
	}
	f.Here.Share = f.Here.Second / all
	for i := range f.Workers {
		f.Workers[i].Share = f.Workers[i].Second / all
	}
}

// looks and apart are how often a rate is looked at, over a minute.
const (
	looks = 12
	apart = 5 * time.Second
)

// Rate is how many games a machine plays a second, of how many it has played so far. The
// zero value has seen nothing.
type Rate struct {
	seen [looks]look
	n    int // looks so far
}

type look struct {
	at    time.Time
	games int64
}

// Look notes the games so far, where the last look is long enough ago.
func (r *Rate) Look(now time.Time, games int64) {
	if r.n == 0 || now.Sub(r.seen[(r.n-1)%looks].at) >= apart {
		r.seen[r.n%looks] = look{now, games}
		r.n++
	}
}

// Second returns the games a second since the oldest look that is kept, of the last minute.
func (r *Rate) Second(now time.Time, games int64) float64 {
	if r.n == 0 {
		return 0
	}
	oldest := r.seen[max(r.n-looks, 0)%looks]
	if d := now.Sub(oldest.at).Seconds(); d >= 1 {
		return float64(games-oldest.games) / d
	}
	return 0
}
