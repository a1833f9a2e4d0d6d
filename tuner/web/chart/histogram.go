package chart

import "math"

// histogram counts values along a dimension: quantiles of any number of trials
// without sorting them.
type histogram struct {
	columns, rows int
	low, top      float64 // of values
	counts        []int32
	sums          []int32 // by column
}

// histogramRows is the number of classes of values: half a per cent each.
const histogramRows = 200

func newHistogram(columns int, low, top float64) *histogram {
	return &histogram{columns, histogramRows, low, top, make([]int32, columns*histogramRows), make([]int32, columns)}
}

// add counts a value in a column.
func (h *histogram) add(column int, v float64) {
	row := 0
	if h.top > h.low {
		row = min(h.rows-1, max(0, int(float64(h.rows)*(v-h.low)/(h.top-h.low))))
	}
	h.counts[column*h.rows+row]++
	h.sums[column]++
}

// quantile is about that of a column's values, NaN where it has none.
func (h *histogram) quantile(column int, q float64) float64 {
	n := h.sums[column]
	if n == 0 {
		return math.NaN()
	}
	want, below := q*float64(n), 0.0
	for row := range h.rows {
		c := float64(h.counts[column*h.rows+row])
		if c > 0 && below+c >= want {
			return h.low + (float64(row)+max(0, want-below)/c)*(h.top-h.low)/float64(h.rows)
		}
		below += c
	}
	return h.top
}
