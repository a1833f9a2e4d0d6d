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
	"sakusen/tuner/web/api"
)

// A full disk, here a limit on the file's pages, keeps a study from going on; the
// daemon says so and goes on when there is space, to the same end.
func TestServeFullDisk(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	clitest.ServedStudies(t, dir)
	whole := t.TempDir()
	clitest.ServedStudies(t, whole)
	out, errs, err := clitest.Program(t, whole, nil, "tune", "served-0.yaml", "--json")
	want := clitest.DigestIn(out)
	if want == "" {
		t.Fatalf("%v %s%s", err, out, errs)
	}
	disk := serveNarrow(t, dir)
	ctx, c := disk.ctx, disk.api
	text, err := os.ReadFile(filepath.Join(dir, "served-0.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Call(ctx, c, api.V1.SubmitStudy, &api.Body[service.Submission]{Body: service.Submission{Spec: string(text)}}); err != nil {
		t.Fatal(err)
	}
	disk.limit("1") // no more than there are
	disk.eventually("the log tells of the full disk", func() bool { return disk.said.has("cannot be written") && disk.said.has("disk is full") })
	disk.eventually("the API says that the study waits", func() bool {
		d, err := client.Call(ctx, c, api.V1.GetStudy, &api.OfStudy{Study: "served-0"})
		return err == nil && strings.Contains(d.Message, "disk is full")
	})
	disk.limit(fmt.Sprint(1 << 30))
	var d *service.StudyDetail
	disk.eventually("the study is done", func() bool {
		d, err = client.Call(ctx, c, api.V1.GetStudy, &api.OfStudy{Study: "served-0"})
		return err == nil && d.State == "done"
	})
	if d.Result == nil || d.Result.Digest != want {
		t.Errorf("%+v, want the digest %s", d.Result, want)
	}
	disk.end()
}
