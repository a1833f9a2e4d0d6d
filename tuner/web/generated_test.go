package web_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"sakusen/tuner/web/api"
	"sakusen/tuner/web/testdata/client"
)

var generate = flag.Bool("generate", false, "write testdata/client anew with oapi-codegen, which the module proxy has")

const (
	generator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
	generated = "testdata/client"
)

// A client that a program generated from openapi.json lists, submits, reads, exports
// and deletes studies, with all fields as the description has them.
func TestGeneratedClient(t *testing.T) {
	sum := fmt.Sprintf("%x\n", sha256.Sum256(api.Description))
	if *generate {
		c := exec.CommandContext(t.Context(), "go", "run", generator, "-config", "config.yaml", "../../api/openapi.json")
		c.Dir = generated
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		must(t, os.WriteFile(generated+"/openapi.sha256", []byte(sum), 0o644))
	}
	if was, err := os.ReadFile(generated + "/openapi.sha256"); err != nil || string(was) != sum {
		t.Errorf("testdata/client was made of another openapi.json; go test ./tuner/web -run TestGeneratedClient -generate (%v)", err)
	}
	_, h := serve(t, newTestService(t), "")
	c, err := client.NewClientWithResponses(h.URL)
	must(t, err)
	ctx := t.Context()
	list, err := c.ListStudiesWithResponse(ctx, &client.ListStudiesParams{})
	if err != nil || list.JSON200 == nil || len(list.JSON200.Studies) != 1 || list.JSON200.Studies[0].Study != "first" || list.JSON200.Studies[0].Trials != 8 {
		t.Fatalf("%v, %s", err, list.Body)
	}
	one, err := c.GetStudyWithResponse(ctx, "first")
	if err != nil || one.JSON200 == nil || one.JSON200.Game != "dice" || !one.JSON200.State.Valid() {
		t.Errorf("%v, %+v", err, one)
	}
	trials, err := c.ListTrialsWithResponse(ctx, "first", &client.ListTrialsParams{})
	if err != nil || trials.JSON200 == nil || len(trials.JSON200.Trials) != 8 || trials.JSON200.Trials[1].Params["x"] == "" {
		t.Errorf("%v, %s", err, trials.Body)
	}
	spec := strings.Replace(firstFile, "name: first", "name: second", 1)
	posted, err := c.SubmitStudyWithResponse(ctx, client.Submission{Spec: spec})
	if err != nil || posted.StatusCode() != http.StatusCreated {
		t.Fatalf("%v, %s", err, posted.Body)
	}
	bad, err := c.SubmitStudyWithResponse(ctx, client.Submission{Spec: "version: 1\n"})
	if err != nil || bad.JSON4XX == nil || bad.JSON4XX.Error == "" {
		t.Errorf("%v, %s", err, bad.Body)
	}
	urgent, err := c.PrioritiseStudyWithResponse(ctx, "second", client.PrioritiseStudyJSONRequestBody{Priority: 3})
	if err != nil || urgent.StatusCode() != http.StatusOK {
		t.Errorf("%v, %s", err, urgent.Body)
	}
	yes := true
	format := client.ExportStudyParamsFormat("optuna")
	file, err := c.ExportStudyWithResponse(ctx, "first", &client.ExportStudyParams{Format: &format, Force: &yes})
	if err != nil || file.StatusCode() != http.StatusOK || !strings.HasPrefix(string(file.Body), `[{"number":0`) {
		t.Errorf("%v, %.300s", err, file.Body)
	}
	gone, err := c.DeleteStudyWithResponse(ctx, "second")
	if err != nil || gone.StatusCode() != http.StatusOK {
		t.Errorf("%v, %s", err, gone.Body)
	}
	missing, err := c.DeleteStudyWithResponse(ctx, "second")
	if err != nil || missing.StatusCode() != http.StatusNotFound || missing.JSON4XX == nil {
		t.Errorf("%v, %s", err, missing.Body)
	}
}
