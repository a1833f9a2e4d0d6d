package pages

import (
	"fmt"
	"strings"

	"sakusen/tuner/numeral"
	"sakusen/tuner/queue/fleet"
)

// Workers is the page of the workers on other machines.
type Workers struct {
	Frame
	F   fleet.Fleet
	PID int // of the daemon
}

// NewWorkers makes the page.
func NewWorkers(f Frame, all fleet.Fleet, pid int) *Workers { return &Workers{f, all, pid} }

// Summary says in a line who plays and how fast.
func (v *Workers) Summary() string {
	cores, second := int64(0), v.F.Here.Second
	for _, w := range v.F.Workers {
		if second += w.Second; w.State == "working" {
			cores += int64(w.Cores)
		}
	}
	n := int64(v.F.Count("working"))
	text := numeral.Count(n) + " " + plural(int(n), "worker", "workers") + " with " + numeral.Count(cores) + " " + plural(int(cores), "core", "cores") + " beside this machine"
	if second > 0 {
		text += " · " + fleet.PerSecond(second) + " games a second over the last minute"
	}
	return text
}

// awayText is how many cores play on other machines, and who gets no work.
func awayText(f *fleet.Fleet) string {
	text := ""
	if n := f.Count("working"); n > 0 {
		cores := 0
		for _, w := range f.Workers {
			if w.State == "working" {
				cores += w.Cores
			}
		}
		text = fmt.Sprintf(", %d on %d other %s", cores, n, plural(n, "machine", "machines"))
	}
	for _, state := range []string{"refused", "paused", "quarantined"} {
		if n := f.Count(state); n > 0 {
			text += fmt.Sprintf(", %d %s", n, state)
		}
	}
	return text
}

// Tunnel is the command that brings an address of this machine's own to another; empty where
// the address is on a network.
func (v *Workers) Tunnel() string {
	_, port, ok := strings.Cut(v.Server(), "//127.0.0.1:")
	if !ok {
		return ""
	}
	return "ssh -f -N -L " + port + ":127.0.0.1:" + port + " THIS_MACHINE"
}

// Stopped are those that get no work until somebody does something.
func (v *Workers) Stopped() (all []fleet.Worker) {
	for _, w := range v.F.Workers {
		if w.Stands() {
			all = append(all, w)
		}
	}
	return all
}

// Server is the address to type on another machine: this one's where it is for this machine
// only, or for all of its networks.
func (v *Workers) Server() string {
	switch a := v.F.Address; {
	case a == "":
		return "nats://SERVER:4222"
	case strings.Contains(a, "//0.0.0.0:"), strings.Contains(a, "//[::]:"):
		return a[:strings.Index(a, "//")+2] + "THIS_MACHINE" + a[strings.LastIndex(a, ":"):]
	default:
		return a
	}
}

// Cure is what to do about one that gets no work.
func (v *Workers) Cure(w fleet.Worker) string {
	switch w.State {
	case "quarantined":
		return "When the cause is found: sakusen worker readmit " + w.Name + ", then a SIGHUP to this daemon."
	case "refused":
		return "Build the same commit with the same Go on both machines, then start the worker again."
	}
	return "When the cause is mended, start the worker again."
}
