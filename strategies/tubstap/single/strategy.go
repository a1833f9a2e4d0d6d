package single

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

type config struct{}

func (config) Declare(*param.Fields, *tubstap.Options) {}

func (config) Player(*tubstap.Options) (tubstap.Player, error) { return new(Player), nil }

// Strategy is the catalogue's entry.
func Strategy() tubstap.Strategy {
	return tubstap.Strategy{
		Name: "single", Doc: "The best single action, one ply deep (Sample_MaxActionEvalFunc).",
		Source: "Murayama, Fujiki and Ikeda, TUBSTAP 0.108; Sagehashi, Muto and Nishino 2017, section 3.1",
		New:    func() arena.Config[tubstap.Options, tubstap.Player] { return config{} },
	}
}
