package web

import (
	"math"
	"strings"
	"testing"
	"time"
)

// Metrics stand by their names, and labels may hold anything.
func TestMetricText(t *testing.T) {
	d := durations{by: map[string]*[len(tookBounds) + 1]float64{}}
	for _, seconds := range []float64{0, .001, .0011, 3, 11, 1e6} {
		d.add(labelled("route", "/{x}"), time.Duration(seconds*float64(time.Second)))
	}
	all := append(d.metrics("took_seconds", "Seconds\nof \\ all."),
		metric{"b", "B.", "gauge", labelled("worker", "a \"b\" \\ c\nd\xff,e}"), 1e21, ""},
		metric{"a", "A.", "counter", "", 12345678, ""},
		metric{"b", "B.", "gauge", labelled("worker", "2"), math.Inf(1), ""})
	var b strings.Builder
	if err := writeMetrics(&b, all); err != nil {
		t.Fatal(err)
	}
	const want = `# HELP a A.
# TYPE a counter
a 1.2345678e+07
# HELP b B.
# TYPE b gauge
b{worker="a \"b\" \\ c\nd` + "\uFFFD" + `,e}"} 1e+21
b{worker="2"} +Inf
# HELP took_seconds Seconds\nof \\ all.
# TYPE took_seconds histogram
took_seconds_bucket{route="/{x}",le="0.001"} 2
took_seconds_bucket{route="/{x}",le="0.005"} 3
took_seconds_bucket{route="/{x}",le="0.02"} 3
took_seconds_bucket{route="/{x}",le="0.1"} 3
took_seconds_bucket{route="/{x}",le="0.5"} 3
took_seconds_bucket{route="/{x}",le="2"} 3
took_seconds_bucket{route="/{x}",le="10"} 4
took_seconds_bucket{route="/{x}",le="+Inf"} 6
took_seconds_sum{route="/{x}"} 1.0000140021e+06
took_seconds_count{route="/{x}"} 6
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
