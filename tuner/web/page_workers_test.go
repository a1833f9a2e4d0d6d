package web_test

import (
	"html"
	"strings"
	"testing"
	"time"

	"sakusen/tuner/queue/fleet"
)

// Workers on other machines are shown as a page, by the API and in the metrics, with why
// one is refused; where none are taken, the page says how they are.
func TestWorkers(t *testing.T) {
	s, h := serve(t, newTestService(t), "")
	if status, text, _ := ask(t, "GET", h.URL+"/workers", ""); status != 200 || !strings.Contains(text, "--workers-listen") {
		t.Errorf("%d\n%s", status, text)
	}
	if status, text, _ := ask(t, "GET", h.URL+"/api/v1/workers", ""); status != 200 || !strings.Contains(text, `{"open":false,"here":{"cores":1,`) {
		t.Errorf("%d %s", status, text)
	}
	s.SetFleet(func() fleet.Fleet {
		return fleet.Fleet{Open: true, Address: "tls://0.0.0.0:7172", Waiting: 3, Queued: 1, Redelivered: 4, Here: fleet.Here{Cores: 2, Games: 99, Second: 6, Share: .25}, Replayed: 20, Different: 1, Workers: []fleet.Worker{
			{Name: "attic", State: "working", Cores: 8, Games: 123456, Second: 18, Share: .75, Redelivered: 4, Playing: 2, Slots: 4, Scale: .75, Speeds: map[string]float64{"dev": 1200000}, Heard: time.Now(), Commit: "0123456789abcdef"},
			{Name: "cellar", State: "quarantined", Cores: 2, Heard: time.Now(), Different: 2, Reason: "its games came out <differently>"}}}
	})
	for path, wants := range map[string][]string{
		"/workers":        {"attic", "123\u202f456", "quarantined", "its games came out <differently>", "3, of which 1 waits in the queue", "20 so far, of which 1 gave another result", "75 %", "25 %", "1 worker with 8 cores beside this machine · 24 games a second", "sakusen worker readmit cellar", "--server tls://THIS_MACHINE:7172", "kill -HUP", "dev 1\u202f200\u202f000", "× 0.75"},
		"/api/v1/workers": {`"open":true`, `"name":"attic"`, `"jobs_waiting":3`, `"cores":8`, `"jobs_queued":1`, `"jobs_redelivered":4`, `"share":0.75`, `"slots":4,"speeds":{"dev":1200000},"scale":0.75`},
		"/metrics":        {`sakusen_workers{state="working"} 1`, `sakusen_workers{state="gone"} 0`, "sakusen_worker_games_total 123456", "sakusen_worker_jobs_different_total 1", `sakusen_worker_games_per_second{worker="attic"} 18`, `sakusen_worker_cores{worker="cellar"} 2`, "sakusen_worker_jobs_queued 1", "sakusen_worker_jobs_redelivered_total 4"},
		"/":               {`href="/workers"`, "1 worker here, 8 on 1 other machine, 1 quarantined"},
	} {
		_, text, _ := ask(t, "GET", h.URL+path, "")
		text = html.UnescapeString(text)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in\n%s", path, want, text)
			}
		}
	}
}
