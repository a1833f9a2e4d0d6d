package tuner

import (
	"fmt"
	"strings"
)

// String tells people how a batch is judged, and what error rate each rule
// claims.
func (r *Race) String() string {
	var rungs []string
	for _, n := range r.Rungs {
		rungs = append(rungs, fmt.Sprint(n))
	}
	at := strings.Join(rungs, ", ") + " blocks"
	var text string
	switch r.Method {
	case "halving":
		text = fmt.Sprintf("after %s the best %g %% go on and the others stop (no error rate is claimed)", at, 100*r.Keep)
	default:
		return fmt.Sprintf("none, a parameter set plays %s each time it is proposed", at)
	}
	if r.Incumbent {
		text += fmt.Sprintf("; those significantly behind the best so far stop too (%g %% error over all looks)", 100*r.Alpha)
	}
	return text
}
