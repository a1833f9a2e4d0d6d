package api

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// The committed description is that of the declarations.
func TestDescription(t *testing.T) {
	got, err := V1.openAPI()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile("openapi.json"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("openapi.json is stale; go test ./tuner/web/api -run TestDescription -update (%v)", err)
	}
}
