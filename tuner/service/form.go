package service

import "sakusen/engines/param"

// Game is a game with its strategies, as forms show it.
type Game struct {
	Name       string
	Doc        string
	Rules      []Param  // its options
	Metrics    []string // what a study can improve in place of the score
	Unscored   bool     // only metrics count
	Samplers   []string // names of searches
	Strategies []Strategy
}

// Strategy is a strategy with its parameters.
type Strategy struct {
	Name, Doc string
	Params    []Param
}

// Param is a parameter as forms show it.
type Param struct {
	Name, Doc       string
	Values          string // for people
	Default         string
	Low, High, Step string // of numbers; Step may be empty
	When            []param.Condition
	Tuned           bool // by a study that names none
	Chosen          bool // in this form
}
