package web

// SeriesLine is a benchmark series in a list.
type SeriesLine struct {
	Title   string `json:"title"` // package.Name unit
	Name    string `json:"name"`
	Unit    string `json:"unit"`
	Runs    int    `json:"runs"`
	Changes int    `json:"changes"`
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
