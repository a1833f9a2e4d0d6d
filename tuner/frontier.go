package tuner

// GoalValue is one of several objectives with a candidate's value.
type GoalValue struct {
	Name  string   `json:"name"`
	Value *float64 `json:"value"`
	Error *float64 `json:"standard_error"`
}

// FrontPoint is a candidate that no other is better than, or as good as and
// better in one, by what the final measured of those that were in it, and by what the
// search saw of the others.
type FrontPoint struct {
	Trial  int               `json:"trial"`
	Params map[string]string `json:"params"`
	Values []GoalValue       `json:"values"`
	// Final are the values on the final's seeds, if the point was in the final.
	Final []GoalValue `json:"final,omitempty"`
	// Chosen marks the one that was validated.
	Chosen bool `json:"chosen,omitempty"`
}

// Measured are the values by which the point is on the front: the final's where it was in
// the final.
func (p *FrontPoint) Measured() []GoalValue {
	if p.Final != nil {
		return p.Final
	}
	return p.Values
}
