package report

import (
	"fmt"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
)

// fidelity says what the cheap games of a search were worth.
func fidelity(spec *tuner.Spec, r *tuner.Result) string {
	f, v := spec.Fidelity, r.Fidelity
	if f == nil || v == nil {
		return ""
	}
	text := fmt.Sprintf("%s games of the search were played with %s=%s in place of %s, each counted as %s of a game.",
		grouped(v.CheapGames), f.Name(), f.Cheap, f.Dear, numeral.Text(f.Cost))
	if v.Slope == nil || v.SlopeCI == nil || v.CheapLead == nil || v.DearLead == nil || v.DearLeadError == nil {
		text += " They showed nobody who is clearly ahead of the baseline."
	} else {
		text += fmt.Sprintf(" In %d meetings at both, those whom they believed best were ahead of the baseline by %.1f %% of the points, and at %s by %s %%: a lead is worth %.2f of itself there (95 %% confidence: %.2f to %.2f).",
			v.Pairs, 100**v.CheapLead, f.Dear, numeral.PlusMinus(100**v.DearLead, 196**v.DearLeadError), *v.Slope, v.SlopeCI[0], v.SlopeCI[1])
	}
	if v.Kept {
		return text + fmt.Sprintf(" They were kept, and count as much as %s games at %s.", grouped(v.Worth), f.Dear)
	}
	return text + " They mislead, or may: nothing that was found with them was used."
}
