package documents

import (
	"os"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// sampleMark heads a sample output in the README: the command line it shows.
const sampleMark = "<!-- sample: "

// The README's sample is what the program prints today, of which it may leave out lines.
func TestReadmeSample(t *testing.T) {
	suite.All(t)
	const readme = "../../../../README.md"
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), sampleMark)
	if !ok {
		t.Fatal("the README shows no sample")
	}
	command, rest, _ := strings.Cut(rest, " -->\n```\n")
	sample, after, _ := strings.Cut(rest, "```\n")
	out, errs, err := clitest.Program(t, t.TempDir(), nil, strings.Fields(command)...)
	if err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	if alike(sample, out) {
		return
	}
	if *clitest.Update {
		text := before + sampleMark + command + " -->\n```\n" + out + "```\n" + after
		if err := os.WriteFile(readme, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("sakusen %s prints\n%sthe README says\n%srewrite it with -update", command, out, sample)
}
