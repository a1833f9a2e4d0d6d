package tournament

// Metric is a column of a printed table: what is measured, in which seat.
type Metric struct {
	Name string
	// Of is "score", or a metric of the game.
	Of    string
	Seat  int // from 0
	Scale float64
	// Average is over all pairings in which an entrant sits in the seat, itself
	// among the opponents where selfplay is asked for.
	Average bool
}

// score is the metric that every game has.
const score = "score"

func (f *File) metric(name string) (Metric, bool) {
	for _, m := range f.Metrics {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}
