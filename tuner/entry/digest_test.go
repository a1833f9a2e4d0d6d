package entry

import (
	"encoding/json"
	"testing"
)

// The digest is over version 1 of each payload: what later versions add changes
// nothing, and anything else does.
func TestDigestVersions(t *testing.T) {
	log := func(payloads ...string) []Entry {
		kinds := []Kind{KindRung, KindTell, KindDuel}
		var out []Entry
		for i, p := range payloads {
			out = append(out, Entry{Kind: kinds[i], Payload: json.RawMessage(p)})
		}
		return out
	}
	const evidence = `{"blocks":8,"games":16,"scores":[0,1,2,3,2],"sums":[4],"cross":[["9"]],"digest":"18446744073709551615"}`
	first := log(
		`{"trial":3,"rung":0,"blocks":8,"evidence":[`+evidence+`]}`,
		`{"trial":3,"state":"pruned","reason":"behind the incumbent \u0026 \"version\":","value":0.1,"error":null,"feasible":true}`,
		`{"duel":0,"a":1,"b":2,"from":8,"evidence":`+evidence+`}`,
	)
	second := log(
		`{"trial":3,"rung":0,"blocks":8,"evidence":[`+evidence+`],"version":2,"played":{"phase":"tune","seed":"7","from":0,"to":8}}`,
		`{"trial":3,"state":"pruned","reason":"behind the incumbent \u0026 \"version\":","value":0.1,"error":null,"feasible":true,"version":2,"end":"behind"}`,
		`{"duel":0,"a":1,"b":2,"from":8,"evidence":`+evidence+`,"version":2,"played":{"phase":"tune","seed":"7","from":8,"to":16}}`,
	)
	want := Digest(first)
	if got := Digest(second); got != want {
		t.Errorf("digest %s of version 2, %s of version 1", got, want)
	}
	for i := range second {
		if got := string(second[i].Version1()); got != string(first[i].Payload) {
			t.Errorf("version 1 of %s is %s", second[i].Payload, got)
		}
		if got := string(first[i].Version1()); got != string(first[i].Payload) {
			t.Errorf("version 1 is changed to %s", got)
		}
	}
	changed := log(string(second[0].Payload), `{"trial":3,"state":"complete","value":0.1,"error":null,"feasible":true,"version":2,"end":"whole"}`, string(second[2].Payload))
	if Digest(changed) == want {
		t.Error("another state has the same digest")
	}
	unknown := log(`{"trial":3,"version":3,"more":1}`)
	if got := string(unknown[0].Version1()); got != string(unknown[0].Payload) {
		t.Errorf("a payload of a later version is changed to %s", got)
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
