package export_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/export"
)

func TestWriteFront(t *testing.T) {
	score, cost, se := .6, 123.5, .01
	space := tuner.Space{{Param: param.Param{Name: "a"}}, {Param: param.Param{Name: "b.c"}}}
	front := []tuner.FrontPoint{
		{Trial: 3, Params: map[string]string{"a": "1", "b.c": "x,y"}, Chosen: true,
			Values: []tuner.GoalValue{{Name: "score", Value: &score, Error: &se}, {Name: "work", Value: &cost}}},
		{Trial: 5, Params: map[string]string{"a": "2"}, Values: []tuner.GoalValue{{Name: "score"}, {Name: "work", Value: &cost, Error: &se}}},
		{Trial: 7, Params: map[string]string{"a": "3"}, Values: []tuner.GoalValue{{Name: "score"}, {Name: "work"}},
			Final: []tuner.GoalValue{{Name: "score", Value: &score, Error: &se}, {Name: "work", Value: &cost}}},
	}
	var b bytes.Buffer
	if err := export.WriteFront(&b, "csv", space, front); err != nil {
		t.Fatal(err)
	}
	want := "trial,chosen,score,score standard_error,work,work standard_error,a,b.c,measured_by\n" +
		"3,true,0.6,0.01,123.5,,1,\"x,y\",search\n5,false,,,123.5,0.01,2,,search\n7,false,0.6,0.01,123.5,,3,,final\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	if err := export.WriteFront(&b, "json", space, front); err != nil {
		t.Fatal(err)
	}
	var back []tuner.FrontPoint
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || !reflect.DeepEqual(back, front) {
		t.Errorf("%+v %v", back, err)
	}
	if err := export.WriteFront(&b, "yaml", space, front); err == nil {
		t.Error("yaml is accepted")
	}
}
