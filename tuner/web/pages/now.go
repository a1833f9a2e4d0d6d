package pages

import (
	"fmt"
	"math"
	"time"

	"sakusen/tuner/numeral"
	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/web/chart"
)

// Now is the front page: what runs, what ended since the last visit, and what needs
// somebody.
type Now struct {
	Frame
	N       *service.Now
	Since   time.Time
	First   bool // there was no visit before
	Running []studyLine
	Ended   []studyLine
	Needs   []studyLine
	Scale   string // of the drawn intervals
	// Elsewhere is what workers on other machines do.
	Elsewhere fleet.Fleet
	// JobFound is what came of the tournaments and runs that ended, by their pages.
	JobFound map[string]string
}

// NowOf is the front page.
func NowOf(frame Frame, n *service.Now, since time.Time, first bool) *Now {
	v := &Now{Frame: frame, N: n, Since: since, First: first, JobFound: map[string]string{}}
	low, high := -20.0, 20.0
	for _, s := range n.Running {
		if p := s.Progress; p != nil && p.EloCI != nil {
			low, high = min(low, p.EloCI[0]), max(high, p.EloCI[1])
		}
	}
	for _, s := range n.Ended {
		if _, lo, hi, ok := gainOf(s); ok {
			low, high = min(low, lo), max(high, hi)
		}
	}
	low, high = scaleOf(low, high)
	for _, s := range n.Running {
		c := studyLine{S: s, A: answerOf(s)}
		if p := s.Progress; p != nil && p.Elo != nil {
			c.Mini = chart.Mini(*p.Elo, p.EloCI[0], p.EloCI[1], low, high, "thought")
			if n := len(p.Looks); n > 0 {
				l := p.Looks[n-1]
				c.Mini = chart.Mini(l.Elo, l.EloCI[0], l.EloCI[1], low, high, "measured")
			}
			v.Scale = numeral.Signed(low, math.NaN()) + " to " + numeral.Signed(high, math.NaN()) + " Elo"
		}
		v.Running = append(v.Running, c)
	}
	for _, s := range n.Ended {
		c := studyLine{S: s, A: answerOf(s)}
		c.Found = inWords(s, c.A)
		if x, lo, hi, ok := gainOf(s); ok {
			c.Mini = chart.Mini(x, lo, hi, low, high, c.A.Tone)
		}
		v.Ended = append(v.Ended, c)
	}
	for _, s := range n.Failed {
		v.Needs = append(v.Needs, studyLine{S: s, A: answerOf(s), Why: sentence(s.Message, "It ended with an error.")})
	}
	for _, s := range n.Undecided {
		a := answerOf(s)
		v.Needs = append(v.Needs, studyLine{S: s, A: a, Why: "Its validation could not tell. " + a.Next})
	}
	for _, s := range n.Paused {
		v.Needs = append(v.Needs, studyLine{S: s, A: answerOf(s), Why: "It rests until somebody resumes it."})
	}
	return v
}

// Machine says what the machine does, in a line.
func (v *Now) Machine() string {
	text, rate := fmt.Sprintf("%d %s", v.N.Workers, plural(v.N.Workers, "worker", "workers")), ""
	if v.Elsewhere.Open {
		text += " here" + awayText(&v.Elsewhere)
	}
	running, waiting := v.N.Counts["running"]+len(v.N.RunningJobs), v.N.Counts["waiting"]+len(v.N.WaitingJobs)
	if v.N.PerSecond > 0 {
		rate = " · " + numeral.Count(int64(v.N.PerSecond)) + " games a second"
	}
	text += rate + fmt.Sprintf(" · %d %s, %d %s", running, plural(running, "runs", "run"), waiting, plural(waiting, "waits", "wait"))
	return text
}

// Place says where a waiting study stands.
func (v *Now) Place(i int) string {
	return fmt.Sprintf("%s in line; %d run at once", ordinal(i+1), v.N.AtOnce)
}

// More are the studies that need somebody and are not listed.
func (v *Now) More() int {
	return max(0, v.N.Counts["failed"]+v.N.Counts["undecided"]+v.N.Counts["paused"]-len(v.Needs))
}

// JobPath returns the page of a job.
func JobPath(j service.NowJob) string {
	if j.Kind == "tournament" {
		return fmt.Sprintf("/tournaments/%d", j.ID)
	}
	return fmt.Sprintf("/experiments/runs/%d", j.ID)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
