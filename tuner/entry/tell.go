package entry

import (
	"fmt"
	"strings"
)

// Tell is the payload of a tell entry: a trial's estimate and state.
type Tell struct {
	Trial    int        `json:"trial"`
	State    TrialState `json:"state"`            // complete or pruned
	Reason   string     `json:"reason,omitempty"` // why it was stopped, for people
	Value    *float64   `json:"value"`            // in units of the objective, null where undefined
	Error    *float64   `json:"error"`            // standard error
	Feasible bool       `json:"feasible"`
	// Goals are the values of several objectives, in their order.
	Goals []*float64 `json:"goals,omitempty"`

	End End `json:"end,omitempty"`
}

// GoalNote is the key of the note of a trial that holds its value of one of several
// objectives, by the objective's name.
func GoalNote(name string) string { return "objective " + name }

// End is how a trial ended.
type End uint8

// The ends of a trial. The log has their names.
const (
	Playing   End = iota // it has not ended
	Whole                // passed every rung
	Halved               // not among the better share of its batch
	Behind               // behind the incumbent on shared blocks
	Beyond               // outside a limit
	Valueless            // ended without a value
)

var ends = [...]string{"playing", "whole", "halved", "behind", "beyond", "valueless"}

// String is the end's name.
func (e End) String() string {
	if int(e) < len(ends) {
		return ends[e]
	}
	return fmt.Sprintf("end %d", uint8(e))
}

// MarshalText writes the end's name.
func (e End) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (e *End) UnmarshalText(text []byte) error {
	for i, name := range ends {
		if name == string(text) {
			*e = End(i)
			return nil
		}
	}
	return fmt.Errorf("end of a trial: expected one of %s, got %q", strings.Join(ends[:], ", "), text)
}

// Reason is why a trial was stopped, as the entry that closed it says; empty of
// other entries.
func Reason(e Entry) string {
	if e.Kind != KindTell {
		return ""
	}
	t, err := decode[Tell](e)
	if err != nil {
		return ""
	}
	return t.Reason
}
