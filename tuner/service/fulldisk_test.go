package service_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner/service"
)

// A full disk pauses a study that a command runs: the error names the file and says what
// to do, and with space again it ends as one that never met it.
func TestFullDiskPausesAStudy(t *testing.T) {
	text := small
	want := tuned(t, open(t), text)
	s := open(t)
	grow := func(pages int) {
		t.Helper()
		must(t, s.Store().DB().Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages))
			return err
		}))
	}
	_, err := s.Studies().Tune(t.Context(), fileOf(t, text), arena.NewPool(2), nil, func(bool) { grow(1) }) // what is there stays
	if err == nil || !strings.Contains(err.Error(), s.Store().DB().Path()+" could not be written") || !strings.Contains(err.Error(), "run the same command") {
		t.Fatalf("%v", err)
	}
	if e := service.ErrorOf(err); e.Code != service.Unavailable {
		t.Errorf("%s", e.Code)
	}
	grow(1 << 30)
	if d, err := s.Studies().Show(t.Context(), "small"); err != nil || d.State != "paused" {
		t.Errorf("%+v %v", d, err)
	}
	if got := tuned(t, s, text); got.Digest != want.Digest {
		t.Errorf("digest %s, expected %s", got.Digest, want.Digest)
	}
}
