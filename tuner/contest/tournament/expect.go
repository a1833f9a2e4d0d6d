package tournament

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/studyfile/yamlfile"
)

// decimal is a number as tables print it: its last digit tells its precision.
var decimal = regexp.MustCompile(`^-?[0-9]{1,15}(\.[0-9]{1,15})?$`)

func (f *File) readMetrics(root *yamlfile.Mapping) {
	of := []string{score}
	if f.Ruleset != nil {
		for _, m := range f.Ruleset.Game.Metrics {
			of = append(of, m.Name)
		}
	}
	for _, item := range root.List("metrics") {
		if root.Doc.TooManyMistakes() {
			break
		}
		m := item.Mapping()
		metric := Metric{Name: m.Text("name", ""), Of: m.Text("of", "")}
		switch _, taken := f.metric(metric.Name); {
		case !m.Require("name", "the name of a column"):
		case taken:
			m.Fail("name", "a name of its own", metric.Name+" a second time")
		}
		if m.Require("of", "score or a metric of the game") && f.Ruleset != nil && !slices.Contains(of, metric.Of) {
			m.Fail("of", "one of "+strings.Join(of, ", "), yamlfile.Nearest(metric.Of, of))
		}
		seats := int64(1 << 10)
		if f.Ruleset != nil {
			seats = int64(f.Ruleset.Seats)
		}
		m.Require("seat", "a seat, counted from 1")
		metric.Seat = int(m.Integer("seat", 1, 1, seats)) - 1
		metric.Scale = m.Float("scale", 1, -1e9, 1e9)
		metric.Average = m.Bool("average")
		m.Done()
		f.Metrics = append(f.Metrics, metric)
	}
}

func (f *File) readExpect(root *yamlfile.Mapping) {
	var names []string
	for _, m := range f.Metrics {
		names = append(names, m.Name)
	}
	type key struct{ label, metric string }
	seen := map[key]bool{}
	for _, item := range root.List("expect") {
		if root.Doc.TooManyMistakes() {
			break
		}
		m := item.Mapping()
		e := Expectation{Label: m.Text("label", ""), Printed: m.Text("printed", ""), Note: m.Text("note", "")}
		name := m.Text("metric", "")
		known := false
		if m.Require("metric", "the name of a column in metrics") {
			if e.Metric, known = f.metric(name); !known {
				m.Fail("metric", "the name of a column in metrics", yamlfile.Nearest(name, names))
			}
		}
		if m.Require("label", "entrants in the order of the seats, or one entrant for an average") && known {
			f.checkLabel(m, e)
			if seen[key{e.Label, name}] {
				m.Fail("label", "one value of "+name, e.Label+" a second time")
			}
			seen[key{e.Label, name}] = true
		}
		if m.Has("printed") && !decimal.MatchString(e.Printed) {
			m.Fail("printed", "a decimal number as printed", e.Printed)
		}
		e.HalfWidth = m.Float("half_width", 0, 0, 1e15)
		if m.Has("half_width") && !m.Has("printed") {
			m.Fail("half_width", "the key printed with it", strconv.FormatFloat(e.HalfWidth, 'g', -1, 64))
		}
		m.Done()
		f.Expect = append(f.Expect, e)
	}
}

// mostNear bounds the labels that are searched for one similar to a misspelled label.
const mostNear = 1000

// checkLabel refuses a label that does not belong to anything played.
func (f *File) checkLabel(m *yamlfile.Mapping, e Expectation) {
	if len(f.Pairings) == 0 {
		return // the mistake is elsewhere
	}
	if e.Metric.Average {
		if f.entrant(e.Label) < 0 {
			m.Fail("label", "the name of an entrant", yamlfile.Nearest(e.Label, f.names()))
		} else if len(f.sittings(e.Label, e.Metric.Seat)) == 0 {
			m.Fail("label", "an entrant that plays", e.Label)
		}
		return
	}
	if !f.plays(e.Label) {
		var near []string
		if len(f.orders) <= mostNear {
			near = f.labels()
		}
		m.Fail("label", "entrants that meet in this order", yamlfile.Nearest(e.Label, near))
	}
}
