package calc

import "sakusen/tuner/stats"

// mean of a metric from sums over n blocks of per games.
type mean struct {
	n            integer
	sum, squares real
	per          real
}

func (m *mean) fields() []field {
	return []field{{"n", &m.n, true}, {"sum", &m.sum, true}, {"squares", &m.squares, true}, {"per", &m.per, false}}
}

func (m *mean) answer() (any, error) {
	s := stats.Sums{N: int64(m.n), X: float64(m.sum), XX: float64(m.squares), Per: float64(m.per)}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return interval(s.Mean()), nil
}

// ratio of two metrics from sums over n blocks.
type ratio struct {
	n                integer
	x, y, xx, yy, xy real
	scale            real
}

func (r *ratio) fields() []field {
	return []field{
		{"n", &r.n, true}, {"x", &r.x, true}, {"y", &r.y, true},
		{"xx", &r.xx, true}, {"yy", &r.yy, true}, {"xy", &r.xy, true}, {"scale", &r.scale, false},
	}
}

func (r *ratio) answer() (any, error) {
	s := stats.Sums{
		N: int64(r.n), X: float64(r.x), Y: float64(r.y),
		XX: float64(r.xx), YY: float64(r.yy), XY: float64(r.xy),
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return interval(s.Ratio(float64(r.scale))), nil
}

func interval(m stats.MeanInterval) any {
	return struct {
		Mean stats.Number    `json:"mean"`
		SE   stats.Number    `json:"se"`
		CI95 [2]stats.Number `json:"ci95"`
	}{m.Mean, m.SE, pair(m.CI95)}
}
