package laboratory

import (
	"fmt"
	"testing"

	"sakusen/engines/suite"
)

// A second walk that is decided while a batch is out leaves the batch's pairs without it.
func TestFlightWithTwoWalks(t *testing.T) {
	suite.All(t)
	c := flightCells()[2]
	text, _ := flightMethods()[1].study(c, 3)
	spec, err := read("flight", text)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Study(t.Context(), spec)
	if err != nil || o.Truth < 50 {
		t.Errorf("%+v, %v", o, err)
	}
	if fmt.Sprint(c.Games, c.Dimensions) != "20000 4" {
		t.Errorf("another cell: %s", c.Label())
	}
}
