package tuner

// Objective says what a trial's value is, or, of: pareto, its values.
type Objective struct {
	Of     string `json:"of"`               // score, metric or pareto
	Metric string `json:"metric,omitempty"` // of a metric objective
	Goal   string `json:"goal,omitempty"`   // minimize or maximize, of a metric objective
	// Relative makes the value the metric's ratio to the mean that the baseline reaches in
	// the candidate's place, on the same blocks and against the same opponents.
	Relative bool    `json:"relative,omitempty"`
	Over     string  `json:"over"` // mean, worst or lower_bound, of baseline and pool
	Limits   []Limit `json:"limits,omitempty"`
	// Objectives are those of a Pareto objective, at least two. Weights choose the point of
	// the front that is validated; without them it is the knee.
	Objectives []Objective `json:"objectives,omitempty"`
	Weights    []float64   `json:"weights,omitempty"`
	// Knee is KneeOfGains of a Pareto objective without weights, else empty.
	Knee string `json:"knee,omitempty"`
}

// KneeOfGains takes the knee of those points of the front only that a validation may
// pass: they lie above what it asks for by at least their standard error. The whole front
// counts where no point does, and where what the baseline reaches is not known.
const KneeOfGains = "gains"

// Goals are the objectives one by one: itself, where there is one.
func (o *Objective) Goals() []Objective {
	if o.Of == "pareto" && len(o.Objectives) > 0 {
		return o.Objectives
	}
	return []Objective{*o}
}

// Maximize tells whether larger values are better.
func (o *Objective) Maximize() bool { return o.Goal != "minimize" }

// Name is what a value is called: score, a metric, a metric's ratio.
func (o *Objective) Name() string {
	switch {
	case o.Of == "pareto":
		return "pareto"
	case o.Of == "score":
		return "score"
	case o.Relative:
		return o.Metric + " ratio"
	}
	return o.Metric
}
