package jsonl

import "sakusen/engines/param"

// Param is a parameter of a program, as a handshake or the registry declares it.
type Param = param.Declared

// Text is a value, written as a text, a number or a switch.
type Text = param.Text
