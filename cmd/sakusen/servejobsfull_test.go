package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/tuner/service"
)

// A full disk, here a limit on the file's pages, lets a tournament and a run that
// keeps pieces wait; both go on when there is space, to the same results.
func TestServeJobsFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: CI runs it, without -short")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cup.yaml"), []byte(servedCup), 0o644); err != nil {
		t.Fatal(err)
	}
	jobs := []struct {
		path, args string
		body       any
		want       string
	}{
		{"/api/v1/tournaments", "tournament cup.yaml", service.TournamentRequest{File: servedCup}, ""},
		{"/api/v1/experiments/runs", "experiment run tubstap-figure4 --games 12 --simulations 40", service.ExperimentRequest{Name: "tubstap-figure4", Games: 12, Simulations: 40}, ""},
	}
	for i := range jobs {
		jobs[i].want = printedAlone(t, dir, strings.Fields(jobs[i].args)...)
	}
	disk := serveNarrow(t, dir)
	ctx, c := disk.ctx, disk.api
	for i := range jobs {
		var answer struct{ ID int }
		if err := c.call(ctx, http.MethodPost, jobs[i].path, jobs[i].body, &answer); err != nil {
			t.Fatal(err)
		}
		jobs[i].path = fmt.Sprintf("%s/%d", jobs[i].path, answer.ID)
	}
	disk.limit("1") // no more than there are
	for _, name := range []string{"tournament/1", "experiment/2"} {
		disk.eventually(name+" waits", func() bool {
			return disk.said.has("the study goes on when it can\" study="+name) || disk.said.has("study="+name+" error=")
		})
	}
	disk.limit(fmt.Sprint(1 << 30))
	for _, j := range jobs {
		var d service.JobDetail
		disk.eventually(j.path+" is done", func() bool {
			return c.call(ctx, http.MethodGet, j.path, nil, &d) == nil && (d.State == "done" || d.State == "failed")
		})
		if d.State != "done" || ordered(t, string(d.Result)) != j.want {
			t.Errorf("%s: %s %s\n%.500s\nwant\n%.500s", j.path, d.State, d.Message, d.Result, j.want)
		}
	}
	disk.end()
}
