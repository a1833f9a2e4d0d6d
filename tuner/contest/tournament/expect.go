package tournament

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/studyfile/yamlfile"
)

// decimal is a number as tables print it: its last digit tells its precision.
var decimal = regexp.MustCompile(`^-?[0-9]{1,15}(\.[0-9]{1,15})?$`)

func (f reader) readMetrics() {
	of, seats := []string{score}, int64(1<<10)
	if f.Ruleset != nil {
		for _, m := range f.Ruleset.Game.Metrics {
			of = append(of, m.Name)
		}
		seats = int64(f.Ruleset.Seats)
	}
	for i := range f.Len("metrics") {
		if f.TooManyMistakes() {
			break
		}
		path, metric := fmt.Sprintf("metrics[%d]", i), Metric{}
		f.Fill(path, &metric)
		if _, taken := f.metric(metric.Name); taken && metric.Name != "" {
			f.Fail(path+".name", "a name of its own", metric.Name+" a second time")
		}
		if f.Has(path+".of") && f.Ruleset != nil && !slices.Contains(of, metric.Of) {
			f.Fail(path+".of", "one of "+strings.Join(of, ", "), yamlfile.Nearest(metric.Of, of))
		}
		if seat, ok := f.Integer(path+".seat", 1, seats); ok {
			metric.Seat = int(seat) - 1
		}
		f.Metrics = append(f.Metrics, metric)
	}
}

func (f reader) readExpect() {
	var names []string
	for _, m := range f.Metrics {
		names = append(names, m.Name)
	}
	type key struct{ label, metric string }
	seen := map[key]bool{}
	for i := range f.Len("expect") {
		if f.TooManyMistakes() {
			break
		}
		path, known := fmt.Sprintf("expect[%d]", i), false
		in := struct {
			Metric string // hides that of the expectation
			Expectation
		}{}
		f.Fill(path, &in)
		e := in.Expectation
		if f.Has(path + ".metric") {
			if e.Metric, known = f.metric(in.Metric); !known {
				f.Fail(path+".metric", "the name of a column in metrics", yamlfile.Nearest(in.Metric, names))
			}
		}
		if f.Require(path+".label", "entrants in the order of the seats, or one entrant for an average") && known {
			f.checkLabel(path+".label", e)
			if seen[key{e.Label, in.Metric}] {
				f.Fail(path+".label", "one value of "+in.Metric, e.Label+" a second time")
			}
			seen[key{e.Label, in.Metric}] = true
		}
		if f.Has(path+".printed") && !decimal.MatchString(e.Printed) {
			f.Fail(path+".printed", "a decimal number as printed", e.Printed)
		}
		if f.Has(path+".half_width") && !f.Has(path+".printed") {
			f.Fail(path+".half_width", "the key printed with it", strconv.FormatFloat(e.HalfWidth, 'g', -1, 64))
		}
		f.Expect = append(f.Expect, e)
	}
}

// mostNear bounds the labels that are searched for one similar to a misspelled label.
const mostNear = 1000

// checkLabel refuses a label that does not belong to anything played.
func (f reader) checkLabel(path string, e Expectation) {
	if len(f.Pairings) == 0 {
		return // the mistake is elsewhere
	}
	if e.Metric.Average {
		if f.entrant(e.Label) < 0 {
			f.Fail(path, "the name of an entrant", yamlfile.Nearest(e.Label, f.names()))
		} else if len(f.sittings(e.Label, e.Metric.Seat)) == 0 {
			f.Fail(path, "an entrant that plays", e.Label)
		}
		return
	}
	if !f.plays(e.Label) {
		var near []string
		if len(f.orders) <= mostNear {
			near = f.labels()
		}
		f.Fail(path, "entrants that meet in this order", yamlfile.Nearest(e.Label, near))
	}
}
