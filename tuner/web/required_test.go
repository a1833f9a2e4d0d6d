package web_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sakusen/tuner/service"
)

// The description requires the fields that the server always writes, no others.
func TestRequiredFields(t *testing.T) {
	text, err := os.ReadFile("openapi.json")
	must(t, err)
	type object struct {
		Properties map[string]json.RawMessage
		Required   []string
	}
	var doc struct {
		Components struct {
			Schemas map[string]struct {
				object
				AllOf []object
			}
		}
	}
	must(t, json.Unmarshal(text, &doc))
	for name, example := range map[string]any{
		"Study": service.Study{}, "StudyDetail": service.StudyDetail{}, "Job": service.Job{}, "JobDetail": service.JobDetail{},
		"Trial": service.Trial{}, "Progress": service.Progress{}, "JobProgress": service.JobProgress{},
		"StudyBest": service.StudyBest{}, "BlockRun": service.BlockRun{}, "BlockDetail": service.BlockDetail{}, "BenchRecorded": service.BenchRecorded{},
	} {
		s := doc.Components.Schemas[name]
		said := s.object
		for _, part := range s.AllOf {
			if part.Properties != nil {
				said = part
			}
		}
		always := []string{}
		kind := reflect.TypeOf(example)
		for i := range kind.NumField() {
			f := kind.Field(i)
			tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if tag == "" || tag == "-" || strings.Contains(options, "omit") {
				continue
			}
			if _, ok := said.Properties[tag]; ok {
				always = append(always, tag)
			}
		}
		slices.Sort(always)
		required := slices.Sorted(slices.Values(said.Required))
		if !slices.Equal(always, required) {
			t.Errorf("%s: required is %q, want %q", name, required, always)
		}
	}
}
