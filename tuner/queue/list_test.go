package queue

import (
	"strings"
	"testing"
	"time"

	"sakusen/tuner/queue/fleet"
)

// The list of the workers names each once; with a daemon it says what each does.
func TestLines(t *testing.T) {
	now := time.Unix(1000, 0).UTC()
	roll := Roll{Known: []Known{{Name: "attic", Trusted: true}, {Name: "barn"}, {Name: "cellar"}, {Name: "dairy"}}, Quarantined: []Quarantine{{"cellar", now, "it lies"}}}
	f := &fleet.Fleet{Open: true, Workers: []Worker{
		{Name: "attic", State: "working", Cores: 8, Second: 12.4, Share: .25, Scale: 1.5, Speeds: map[string]float64{"dev": 1234567, "base": 900}}, {Name: "cellar", State: "quarantined", Reason: "it lies"},
		{Name: "dairy", State: "gone", Heard: now.Add(-time.Minute)}, {Name: "other", State: "refused", Reason: "another build"}}}
	for _, c := range []struct {
		f    *fleet.Fleet
		want string
	}{
		{nil, "attic  trusted\nbarn\ncellar  quarantined 1970-01-01T00:16:40Z: it lies\ndairy"},
		{&fleet.Fleet{}, "attic  trusted\nbarn\ncellar  quarantined 1970-01-01T00:16:40Z: it lies\ndairy"},
		{f, "attic  trusted  working: 8 cores, 12 games/s, 25 % of the games, clocks × 1.50, nodes/s: base 900, dev 1\u202f234\u202f567\nbarn  has not come since the daemon started\n" +
			"cellar  quarantined 1970-01-01T00:16:40Z: it lies\ndairy  gone: last heard 1 min ago\nother  refused: another build"},
	} {
		if got := strings.Join(roll.Lines(c.f, now), "\n"); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}
