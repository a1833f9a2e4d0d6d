package web

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"sakusen/tuner/numeral"
	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/view"
	"sakusen/tuner/web/chart"
)

// nowView is the front page: what runs, what ended since the last visit, and what needs a
// decision.
type nowView struct {
	N       *service.Now
	Since   time.Time
	First   bool // there was no visit before
	Running []studyLine
	Ended   []studyLine
	Needs   []studyLine
	Scale   string // of the drawn intervals
	// Fleet is the workers on other machines.
	Fleet fleet.Fleet
	// JobFound is what came of the jobs that ended, by their pages.
	JobFound map[string]*view.Answer
}

// nowOf returns the front page.
func nowOf(n *service.Now, since time.Time, first bool) *nowView {
	v := &nowView{N: n, Since: since, First: first, JobFound: map[string]*view.Answer{}}
	low, high := -20.0, 20.0
	for _, s := range n.Running {
		if p := s.Progress; p != nil && p.EloCI != nil {
			low, high = min(low, p.EloCI[0]), max(high, p.EloCI[1])
		}
	}
	low, high = scaleOf(n.Ended, low, high)
	for _, s := range n.Running {
		c := studyLine{S: s, A: view.AnswerOf(s)}
		if p := s.Progress; p != nil && p.Elo != nil {
			c.Mini = chart.Mini(*p.Elo, p.EloCI[0], p.EloCI[1], low, high, "thought")
			if n := len(p.Looks); n > 0 {
				l := p.Looks[n-1]
				c.Mini = chart.Mini(l.Elo, l.EloCI[0], l.EloCI[1], low, high, "measured")
			}
			v.Scale = scaleText(low, high)
		}
		if v.Running = append(v.Running, c); s.Message == service.WaitsForDisk {
			v.Needs = append(v.Needs, studyLine{S: s, A: c.A, Why: c.A.Text + " " + c.A.Next})
		}
	}
	for _, s := range n.Ended {
		c := studyLine{S: s, A: view.AnswerOf(s)}
		c.Found = inWords(s, c.A)
		if x, lo, hi, ok := gainOf(s); ok {
			c.Mini = chart.Mini(x, lo, hi, low, high, c.A.Tone)
		}
		v.Ended = append(v.Ended, c)
	}
	for _, s := range n.Failed {
		a := view.AnswerOf(s)
		v.Needs = append(v.Needs, studyLine{S: s, A: a, Why: view.Typeset(a.Text)})
	}
	for _, s := range n.Undecided {
		a, why := view.AnswerOf(s), "Its validation was undecided."
		if r := s.About.Result; r == nil || r.Validation == nil { // nothing was validated
			why = a.Text
		} else if r.Validation.Verdict == "pass" {
			why = a.Word + "."
		}
		v.Needs = append(v.Needs, studyLine{S: s, A: a, Why: why + " " + a.Next})
	}
	for _, s := range n.Paused {
		v.Needs = append(v.Needs, studyLine{S: s, A: view.AnswerOf(s), Why: "It does not continue until it is resumed."})
	}
	return v
}

// Machine returns a line on what the machine does.
func (v *nowView) Machine() string {
	text, rate := numeral.Counted(int64(v.N.Workers), "worker"), ""
	if v.Fleet.Open {
		text += " here" + awayText(&v.Fleet)
	}
	running, waiting := v.N.Counts["running"]+len(v.N.RunningJobs), v.N.Counts["waiting"]+len(v.N.WaitingJobs)
	if v.N.PerSecond > 0 {
		rate = " · " + numeral.Count(int64(v.N.PerSecond)) + " games a second"
	}
	text += rate + fmt.Sprintf(" · %d running, %d waiting", running, waiting)
	return text
}

// Place returns a waiting study's place in the queue.
func (v *nowView) Place(i int) string {
	return fmt.Sprintf("%s in line; %d run at once", view.Ordinal(i+1), v.N.AtOnce)
}

// More returns the number of studies that need a decision and are not listed.
func (v *nowView) More() int {
	return max(0, v.N.Counts["failed"]+v.N.Counts["undecided"]+v.N.Counts["in doubt"]+v.N.Counts["not tested"]+v.N.Counts["no answer"]+v.N.Counts["paused"]-len(v.N.Failed)-len(v.N.Undecided)-len(v.N.Paused))
}

// Full reports whether a list may leave out others.
func (v *nowView) Full(listed int) bool { return listed >= service.NowListed }

// jobPath returns the page of a job.
func jobPath(j service.Job) string {
	return service.JobPath(daemon.Kind(j.Kind), j.ID)
}

// workersView is the page of the workers on other machines.
type workersView struct {
	F      fleet.Fleet
	Commit string
	PID    int // of the daemon
}

// Summary returns a line on which machines play and how fast.
func (v *workersView) Summary() string {
	text := numeral.Counted(int64(v.F.Count("working")), "worker") + " with " + numeral.Counted(coresOf(&v.F), "core") + " beside this machine"
	second := v.F.Here.Second
	for _, w := range v.F.Workers {
		second += w.Second
	}
	if second > 0 {
		text += " · " + fleet.PerSecond(second) + " games a second over the last minute"
	}
	return text
}

// coresOf returns the number of cores of the workers that play.
func coresOf(f *fleet.Fleet) (n int64) {
	for _, w := range f.Workers {
		if w.State == "working" {
			n += int64(w.Cores)
		}
	}
	return n
}

// awayText returns a text on the cores of other machines, and on workers that get no work.
func awayText(f *fleet.Fleet) string {
	text := ""
	if n := f.Count("working"); n > 0 {
		text = fmt.Sprintf(", %d on %s", coresOf(f), numeral.Counted(int64(n), "other machine"))
	}
	for _, state := range []string{"refused", "paused", "quarantined"} {
		if n := f.Count(state); n > 0 {
			text += fmt.Sprintf(", %d %s", n, state)
		}
	}
	return text
}

// Tunnel returns the command that brings an address of this machine's own to another; empty where
// the address is on a network.
func (v *workersView) Tunnel() string {
	_, port, ok := strings.Cut(v.Server(), "//127.0.0.1:")
	if !ok {
		return ""
	}
	return "ssh -f -N -L " + port + ":127.0.0.1:" + port + " THIS_MACHINE"
}

// Stopped returns the workers that get no work until a person acts.
func (v *workersView) Stopped() (all []fleet.Worker) {
	for _, w := range v.F.Workers {
		if w.Stands() {
			all = append(all, w)
		}
	}
	return all
}

// Server returns the address to type on another machine: this one's where it is for this machine
// only, or for all of its networks.
func (v *workersView) Server() string {
	switch a := v.F.Address; {
	case a == "":
		return "nats://SERVER:4222"
	case strings.Contains(a, "//0.0.0.0:"), strings.Contains(a, "//[::]:"):
		return a[:strings.Index(a, "//")+2] + "THIS_MACHINE" + a[strings.LastIndex(a, ":"):]
	default:
		return a
	}
}

// Cure returns a sentence on what to do about a worker that gets no work.
func (v *workersView) Cure(w fleet.Worker) string {
	switch w.State {
	case "quarantined":
		return "When the cause is found: sakusen worker readmit " + w.Name + ", then a SIGHUP to this daemon."
	case "refused":
		return "Build the same commit with the same Go on both machines, then start the worker again."
	}
	return "When the cause is mended, start the worker again."
}

// visitCookie notes when a browser last loaded the front page: two times in Unix seconds,
// the end of the visit before this one (0 where there was none) and the last look.
const visitCookie = "sakusen_visit"

const (
	// visitGap is the shortest pause between two visits.
	visitGap = 15 * time.Minute
	// firstVisit is how far back the page goes at the first visit.
	firstVisit = 24 * time.Hour
)

// front returns the page of what goes on.
func (s studyPages) front(w http.ResponseWriter, r *http.Request) error {
	now := time.Now()
	since, first := visit(r, now)
	n, err := s.o.Service.Studies().Now(r.Context(), since)
	if err != nil {
		return err
	}
	before := since.Unix()
	if first {
		before = 0
	}
	http.SetCookie(w, &http.Cookie{
		Name: visitCookie, Value: fmt.Sprintf("%d.%d", before, now.Unix()), Path: base(s.o.Base).cookiePath(), MaxAge: 365 * 24 * 3600,
		HttpOnly: true, Secure: s.o.Secure, SameSite: http.SameSiteStrictMode,
	})
	v := nowOf(n, since, first)
	v.Fleet = s.others()
	for _, j := range n.EndedJobs {
		v.JobFound[jobPath(j)] = s.jobFound(r.Context(), daemon.Kind(j.Kind), j)
	}
	s.render(w, r, http.StatusOK, "now", v)
	return nil
}

// jobFound returns what came of a tournament, a run or a test, of this with its verdict; without a
// text where its own page has to say why there is nothing.
func (s *Server) jobFound(ctx context.Context, kind daemon.Kind, j service.Job) *view.Answer {
	found := &view.Answer{}
	if j.State != "done" {
		return found
	}
	switch kind {
	case s.o.Service.Tournaments().Kind:
		if t, err := s.o.Service.Tournaments().Played(ctx, j.ID); err == nil && t != nil {
			found.Text = view.Podium(t.Report, t.Whole)
		}
	case s.o.Service.Patches().Kind:
		if r, err := s.o.Service.Patches().Report(ctx, j.ID); err == nil && r != nil {
			found = view.PatchAnswer(r)
		}
	default:
		if report, whole, err := s.o.Service.Experiments().Report(ctx, j.ID); err == nil && report != nil {
			if c := view.Compare(report, whole); c.Compared() > 0 {
				found.Text = c.Found()
			}
		}
	}
	return found
}

// visit returns when the visit before this one ended; first tells that there was none.
func visit(r *http.Request, now time.Time) (since time.Time, first bool) {
	if c, err := r.Cookie(visitCookie); err == nil {
		before, last, _ := strings.Cut(c.Value, ".")
		b, err1 := strconv.ParseInt(before, 10, 64)
		l, err2 := strconv.ParseInt(last, 10, 64)
		end := time.Unix(l, 0)
		switch {
		case err1 != nil || err2 != nil || b < 0 || b > l || end.After(now.Add(time.Minute)):
		case now.Sub(end) > visitGap:
			return end, false
		case b > 0:
			return time.Unix(b, 0), false
		}
	}
	return now.Add(-firstVisit), true
}

// SetFleet sets the source of what is known of workers on other machines.
func (s *Server) SetFleet(from func() fleet.Fleet) { s.fleet.Store(&from) }

// others returns the workers on other machines, or none if the daemon takes none.
func (s *Server) others() fleet.Fleet {
	if from := s.fleet.Load(); from != nil {
		return (*from)()
	}
	return fleet.Fleet{Here: fleet.Here{Cores: s.o.Service.Places()}, Workers: []fleet.Worker{}}
}

// workersPage shows the workers.
func (s studyPages) workersPage(r *http.Request) (any, error) {
	return &workersView{s.others(), s.o.Commit, os.Getpid()}, nil
}
