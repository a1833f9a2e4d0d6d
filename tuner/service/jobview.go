package service

// Crosstable is a tournament's result for people.
type Crosstable struct {
	Name, Doc, Game, Format string
	Whole                   bool // not only what is played so far
	Blocks                  int64
	Games                   int64
	Seed                    string
	Pairings                int // played
	Entrants                []Standing
	Metrics                 []string
	Orders                  []OrderLine
	More                    int // lines that Orders leaves out
	Notes                   []string
}

// Standing is an entrant's place in a tournament, the first the best.
type Standing struct {
	Place               int
	Name, Entrant       string // the strategy with its parameters
	Elo, EloCI95, Score string
	Games               int64
	Wins, Draws, Losses int64
	// Against are the shares of wins against all, in the order of the places.
	Against []string
}

// OrderLine is an entrant's games in one seat of one ordering of a pairing.
type OrderLine struct {
	Label       string
	Seat        int // from 1
	Entrant     string
	Games       int64
	Score, CI95 string
	Metrics     []string // in the order of the crosstable's
}

// Comparison is what a run of an experiment measured beside what is printed.
type Comparison struct {
	Whole                                  bool // not only what is measured so far
	Rows                                   []ComparisonRow
	Agree, Differ, TooFewGames, NotPrinted int
}

// ComparisonRow is a printed value beside ours.
type ComparisonRow struct {
	Label, Metric, Printed, Measured, Verdict, Note string
	// What can be drawn: nil where it is no number.
	PrintedValue, MeasuredValue *float64
	PrintedCI, MeasuredCI       *[2]float64 // 95 %
}
