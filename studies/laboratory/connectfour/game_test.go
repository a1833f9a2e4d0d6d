package connectfour

import (
	"testing"

	"sakusen/engines/arena/arenatest"
)

func TestConformance(t *testing.T) {
	game, err := Catalogue().Game("connect-four")
	if err != nil {
		t.Fatal(err)
	}
	arenatest.Run(t, game, arenatest.Options{Entrants: []string{
		"weights", "weights(centre=1,inner=-1,open=1.4,twos=3,other=4,stacked=12,mobility=4,enemy=1.1)", "weights(open=-1,enemy=2)",
	}})
}
