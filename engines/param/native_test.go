package param_test

import (
	"encoding/json"
	"testing"

	"sakusen/engines/param"
)

func TestNative(t *testing.T) {
	space := []param.Param{{Name: "i", Kind: param.Int}, {Name: "f", Kind: param.Float}, {Name: "b", Kind: param.Bool}, {Name: "c", Kind: param.Choice}}
	for _, c := range []struct{ name, text, want string }{
		{"i", "70", "70"}, {"i", "9007199254740993", `"9007199254740993"`}, {"f", "0.25", "0.25"}, {"f", "1e-09", "1e-9"},
		{"f", "+Inf", `"+Inf"`}, {"b", "false", "false"}, {"c", "false", `"false"`}, {"other", "1", `"1"`},
	} {
		got := param.Natives(param.Values{{Name: c.name, Text: c.text}}, space)
		text, err := json.Marshal(got[c.name])
		if err != nil || string(text) != c.want {
			t.Errorf("%s=%s is %s (%v), expected %s", c.name, c.text, text, err, c.want)
		}
	}
}
