package entry

import (
	"encoding/json"
	"slices"
	"testing"
)

// The digest is over kinds and payloads as they are, but for what was played again.
func TestDigest(t *testing.T) {
	log := []Entry{{KindAttempt, json.RawMessage(`{"attempt":1}`)}, {KindValidation, json.RawMessage(`{"verdict":"pass"}`)}}
	const want = "b5424f1c0273c341a1d8ca4332fab81e6f04139300a48cfb2a5f5a1d2fc65fd0"
	if got := Digest(log); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	if got := Digest(slices.Insert(slices.Clone(log), 1, Entry{KindReplayed, json.RawMessage(`{"blocks":7}`)})); got != want {
		t.Errorf("digest %s with an entry of what was played again, want %s", got, want)
	}
	for i, e := range []Entry{{KindAttempt, json.RawMessage(`{"attempt": 1}`)}, {KindFinal, log[0].Payload}} {
		if Digest([]Entry{e, log[1]}) == want {
			t.Errorf("%d: another log has the same digest", i)
		}
	}
}

// The names of the ends are what the log has.
func TestEndNames(t *testing.T) {
	for e := Playing; e <= Valueless; e++ {
		text, _ := e.MarshalText()
		var back End
		if err := back.UnmarshalText(text); err != nil || back != e {
			t.Errorf("%s is read as %v (%v)", text, back, err)
		}
	}
	var e End
	if err := e.UnmarshalText([]byte("lost")); err == nil {
		t.Error("an unknown end is read")
	}
}
