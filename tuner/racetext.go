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
		text = fmt.Sprintf("halving at %s, keeping %g: a rule for spending games, which claims no error rate", at, r.Keep)
	case "friedman":
		text = fmt.Sprintf("Friedman's test at %s, level %g a look, which is no rate over all looks", at, raceLevel)
	default:
		return fmt.Sprintf("none: every trial plays %s", at)
	}
	if r.Incumbent {
		text += fmt.Sprintf("; behind the incumbent on the same blocks, alpha %g over all looks", r.Alpha)
	}
	return text
}
