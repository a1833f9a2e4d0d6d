package fleet

import "time"

// looks and apart are how often a rate is looked at, over a minute.
const (
	looks = 12
	apart = 5 * time.Second
)

// Rate is how many games somebody plays a second, of how many he has played so far. The
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

// Second is the games a second since the oldest look that is kept, of the last minute.
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
