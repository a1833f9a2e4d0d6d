package rows

import (
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/sqlitedb"
)

// AddParam gives a parameter of a trial, which has none of the name, its internal
// value and its distribution, one of goptuna's by value.
func AddParam(c *sqlitedb.Change, id int, name string, internal float64, distribution any) error {
	if _, err := Finite(internal, "parameter %q of trial %d", name, id); err != nil {
		return err
	}
	row, err := Distribution(c, distribution)
	if err != nil {
		return err
	}
	if _, err := External(distribution, internal); err != nil {
		return fmt.Errorf("trial %d: parameter %q: %w", id, name, err)
	}
	return SetParam(c, id, name, internal, row)
}

// Fill gives a running trial, which has nothing yet, the content of base, except
// its ids and external values. Every parameter must have a distribution, and all
// numbers must be finite.
func Fill(c *sqlitedb.Change, id int, base *goptuna.FrozenTrial) error {
	if len(base.InternalParams) != len(base.Distributions) {
		return fmt.Errorf("trial to clone: expected as many parameters as distributions, got %d and %d", len(base.InternalParams), len(base.Distributions))
	}
	for name, internal := range base.InternalParams {
		distribution, ok := base.Distributions[name]
		if !ok {
			return fmt.Errorf("trial to clone: parameter %q has no distribution", name)
		}
		if err := AddParam(c, id, name, internal, distribution); err != nil {
			return err
		}
	}
	for step, value := range base.IntermediateValues {
		if err := SetStep(c, id, step, value); err != nil {
			return err
		}
	}
	for _, owner := range []Owner{User, System} {
		for key, value := range Attrs(base, owner) {
			if err := SetAttr(c, id, owner, key, value); err != nil {
				return err
			}
		}
	}
	if base.State.IsFinished() || base.Value != 0 {
		if err := SetValue(c, id, base.Value); err != nil {
			return err
		}
	}
	if err := SetState(c, id, base.State); err != nil {
		return err
	}
	return SetTimes(c, id, base.DatetimeStart, base.DatetimeComplete)
}
