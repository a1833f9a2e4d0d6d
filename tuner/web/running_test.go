package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
)

// What runs stands before what was queued since, once, and on the first page
// alone.
func TestListBeginsWithWhatRuns(t *testing.T) {
	s := newTestService(t)
	for i := range 50 {
		_, err := s.Store().Studies.Create(t.Context(), store.Header{Name: fmt.Sprintf("queued%d", i), Game: "dice", Spec: "{}"})
		must(t, err)
	}
	s.study(t, "young", tuner.Running)
	_, h := serve(t, s, "")
	_, page, _ := ask(t, "GET", h.URL+"/studies", "")
	old, young, queued := strings.Index(page, `href="/studies/first"`), strings.Index(page, `href="/studies/young"`), strings.Index(page, `href="/studies/queued49"`)
	if old < 0 || young < old || queued < young {
		t.Errorf("the oldest study, which runs, stands at %d, the youngest, which runs, at %d, and one that is queued at %d", old, young, queued)
	}
	if n := strings.Count(page, `href="/studies/young"`); n != 1 {
		t.Errorf("a running study of the page is listed %d times", n)
	}
	if _, page, _ = ask(t, "GET", h.URL+"/studies?skip=50", ""); strings.Contains(page, `href="/studies/young"`) {
		t.Error("later pages list what runs")
	}
}

// How far a study is that runs is told by the API, by its page and in the list.
func TestProgressIsServed(t *testing.T) {
	s := emptyTestService(t)
	must(t, only(s.Queue().Stop(t.Context(), daemon.StudyKey("first"))))
	must(t, only(s.Queue().Stop(t.Context(), daemon.JobKey(daemon.Tournament, 7))))
	must(t, only(s.Queue().Stop(t.Context(), daemon.JobKey(daemon.Experiment, 8))))
	_, err := s.Studies().Files.Submit(t.Context(), service.Submission{Spec: strings.NewReplacer("name: first", "name: long", "[2, 8]", "[10000000, 20000000]", "games: 100000", "games: 900000000").Replace(firstFile)})
	must(t, err)
	_, h := serve(t, s, "")
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	for _, c := range []struct{ path, want string }{
		{"/api/v1/studies/long", `"phase":"tune"`}, {"/api/v1/studies", `"phase":"tune"`}, {"/studies/long", "games per second"}, {"/metrics", "sakusen_studies_running 1"},
	} {
		for {
			status, text, _ := ask(t, "GET", h.URL+c.path, "")
			if status != 200 || strings.Contains(text, `"state":"failed"`) {
				t.Fatalf("%s: %d %s", c.path, status, text)
			}
			if strings.Contains(text, c.want) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	end()
	must(t, <-served)
}
