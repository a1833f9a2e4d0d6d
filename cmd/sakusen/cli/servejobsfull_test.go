package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
)

// A full disk, here a limit on the file's pages, lets a tournament and a run that
// keeps pieces wait; both go on when there is space, to the same results.
func TestServeJobsFullDisk(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cup.yaml"), []byte(clitest.ServedCup), 0o644); err != nil {
		t.Fatal(err)
	}
	jobs := []struct {
		args, want string
		of         *client.Job
	}{
		{args: "tournament cup.yaml"},
		{args: "experiment run tubstap-figure4 --games 12 --simulations 40"},
	}
	for i := range jobs {
		jobs[i].want = clitest.PrintedAlone(t, dir, strings.Fields(jobs[i].args)...)
	}
	disk := serveNarrow(t, dir)
	ctx, c := disk.ctx, disk.api
	var err error
	if jobs[0].of, err = c.Tournament(ctx, service.TournamentRequest{File: clitest.ServedCup}); err != nil {
		t.Fatal(err)
	}
	if jobs[1].of, err = c.Experiment(ctx, service.ExperimentRequest{Name: "tubstap-figure4", Games: 12, Simulations: 40}); err != nil {
		t.Fatal(err)
	}
	disk.limit("1") // no more than there are
	for _, name := range []string{"tournament/1", "experiment/2"} {
		disk.eventually(name+" waits", func() bool {
			return disk.said.has("the study goes on when it can\" study="+name) || disk.said.has("study="+name+" error=")
		})
	}
	disk.limit(fmt.Sprint(1 << 30))
	for _, j := range jobs {
		var d *service.JobDetail
		disk.eventually(j.args+" is done", func() bool {
			d, err = j.of.Show(ctx)
			return err == nil && (d.State == "done" || d.State == "failed")
		})
		if d.State != "done" || clitest.Ordered(t, string(d.Result)) != j.want {
			t.Errorf("%s: %s %s\n%.500s\nwant\n%.500s", j.args, d.State, d.Message, d.Result, j.want)
		}
	}
	disk.end()
}
