package entry

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Digest is the lower-case hexadecimal sha256 of a log, one line "kind payload"
// an entry: the same for two runs of the same study, however often either was
// killed and resumed. Of each payload version 1 counts, which is the payload
// without the fields that later versions add: so a study that an older program
// began ends with the digest that it would have had there.
func Digest(log []Entry) string {
	h := sha256.New()
	for _, e := range log {
		fmt.Fprintf(h, "%s %s\n", e.Kind, e.Version1())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Version1 is the payload as version 1 has it. What this program does not
// understand stays as it is.
func (e Entry) Version1() json.RawMessage {
	switch e.Kind {
	case KindRung:
		return projected(e, func(v *Rung) *int { v.Played = nil; return &v.Version })
	case KindTell:
		return projected(e, func(v *Tell) *int { v.End = Playing; return &v.Version })
	case KindDuel:
		return projected(e, func(v *Duel) *int { v.Played = nil; return &v.Version })
	case KindPool:
		return projected(e, func(v *Pool) *int { v.Played = nil; return &v.Version })
	case KindAnswer:
		return projected(e, func(v *Answer) *int { v.Played = nil; return &v.Version })
	case KindFinal:
		return projected(e, func(v *Final) *int { v.Played = nil; return &v.Version })
	case KindValidation:
		return projected(e, func(v *Validation) *int { v.Played, v.Replayed, v.GameVariance = nil, nil, nil; return &v.Version })
	}
	return e.Payload // nothing was added
}

// versioned is the text by which a payload with a version is recognised.
var versioned = []byte(`"version":`)

// projected takes out of a payload what was added after version 1; strip does so
// to all but the version, which it points to.
func projected[T any](e Entry, strip func(*T) *int) json.RawMessage {
	if !bytes.Contains(e.Payload, versioned) {
		return e.Payload
	}
	var v T
	d := json.NewDecoder(bytes.NewReader(e.Payload))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return e.Payload
	}
	version := strip(&v)
	if *version == 0 {
		return e.Payload
	}
	*version = 0
	text, err := json.Marshal(&v)
	if err != nil {
		return e.Payload
	}
	return text
}
