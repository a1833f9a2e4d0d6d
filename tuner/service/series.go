package service

import "strings"

// SeriesLine is a benchmark series in a list.
type SeriesLine struct {
	Title   string `json:"title"` // package.Name unit
	Name    string `json:"name"`
	Unit    string `json:"unit"`
	Runs    int    `json:"runs"`
	Changes int    `json:"changes"`
	Latest  string `json:"-"` // the last median for people
	// Last is the last change of level, nil where there is none.
	Last *SeriesChange `json:"-"`
}

// SeriesHistory is one series on the baseline branch.
type SeriesHistory struct {
	Title   string         `json:"title"`
	Unit    string         `json:"unit"`
	Points  []SeriesPoint  `json:"points"`
	Changes []SeriesChange `json:"changes"`
}

// SeriesPoint is one run of a series.
type SeriesPoint struct {
	Run      int64   `json:"run"`
	Commit   string  `json:"commit"`
	Recorded string  `json:"recorded"` // RFC 3339
	Center   float64 `json:"center"`   // median
	N        int     `json:"n"`
	Text     string  `json:"-"` // the median for people
}

// SeriesChange is where the level of a series changed.
type SeriesChange struct {
	Index  int     `json:"index"`
	Run    int64   `json:"run"`
	Commit string  `json:"commit"`
	P      float64 `json:"p"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Alarm  bool    `json:"alarm"` // enough runs followed
	Worse  bool    `json:"worse"`
	Text   string  `json:"text"` // the same for people
}

// Verdict is what a change is worth: worse, better or changed, and whether it is
// certain yet.
func (c *SeriesChange) Verdict() string {
	verdict, _, _ := strings.Cut(c.Text, ",")
	if !c.Alarm {
		verdict = "perhaps " + verdict
	}
	return verdict
}

// Rest is what the text says after the verdict.
func (c *SeriesChange) Rest() string {
	if _, rest, ok := strings.Cut(c.Text, ","); ok {
		return "," + rest
	}
	return ""
}

// Class is the verdict's as a style.
func (c *SeriesChange) Class() string {
	switch {
	case c.Worse && c.Alarm:
		return "verdict fail"
	case strings.HasPrefix(c.Text, "better"):
		return "verdict pass"
	}
	return "verdict inconclusive"
}
