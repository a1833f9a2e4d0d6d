package service_test

import (
	"strings"
	"testing"

	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
)

// Attempts have the numbers of their submissions, whoever comes to his validation
// first; a study that is deleted before its validation leaves its number to others.
func TestAttemptsFollowSubmissions(t *testing.T) {
	digests := map[string]string{}
	for _, order := range [][]string{{"one", "two"}, {"two", "one"}} {
		games := draws(nil)
		s := openGames(t, games)
		for _, name := range []string{"gone", "one", "two"} {
			text := strings.NewReplacer("name: draws", "name: "+name, "%s", "").Replace(drawStudy)
			if _, err := s.Studies().Submit(t.Context(), service.Submission{Spec: text}); err != nil {
				t.Fatal(err)
			}
			if name == "gone" {
				must(t, s.Studies().Delete(t.Context(), name))
			}
		}
		for i, name := range order { // the other one rests until the first has ended
			if i == 0 {
				must(t, only(s.Studies().Pause(t.Context(), order[1])))
			} else {
				must(t, only(s.Studies().Resume(t.Context(), name)))
			}
			serve(t, s, daemon.StudyKey(name))
			d, err := s.Studies().Show(t.Context(), name)
			must(t, err)
			if want := map[string]int{"one": 1, "two": 2}[name]; d.Result == nil || d.Result.Validation.Attempt != want {
				t.Fatalf("%s, validated after %d others: %+v", name, i, d.Result)
			}
			if before := digests[name]; before != "" && before != d.Result.Digest {
				t.Errorf("%s ends with %s where it is faster, and with %s where it is not", name, before, d.Result.Digest)
			}
			digests[name] = d.Result.Digest
		}
		if found, err := s.Store().Check(t.Context()); err != nil || len(found) > 0 {
			t.Errorf("check: %v, %v", found, err)
		}
	}
}
