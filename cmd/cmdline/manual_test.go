package cmdline

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// tree returns a program with everything that a page can have.
func tree() *cobra.Command {
	run := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "prog", Short: "Does things", Version: "1-2", Long: "First - line\n.dots and 'quotes'\n\nA table:\n\n  a   \\b   ~c\n\n  d   <e>  `f`\nThe end."}
	root.PersistentFlags().StringP("db", "d", "x.db", "the `FILE` of all")
	sub := &cobra.Command{Use: "sub FILE", Short: "Goes down", Run: run}
	sub.Flags().Int("count", 3, "how many *stars* a_b_c")
	sub.Flags().Bool("secret", false, "not told")
	if err := sub.Flags().MarkHidden("secret"); err != nil {
		panic(err)
	}
	deep := &cobra.Command{Use: "deep", Short: "Goes deeper", Run: run}
	sub.AddCommand(deep)
	root.AddCommand(sub, &cobra.Command{Use: "gone", Short: "Hidden", Hidden: true, Run: run})
	return root
}

// Every command that help lists has a page, and none other has.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "man1")
	if err := WriteManual(tree(), dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"prog-sub-deep.1", "prog-sub.1", "prog.1"}; !slices.Equal(names, want) {
		t.Errorf("pages %q, want %q", names, want)
	}
	if err := WriteManual(tree(), filepath.Join(dir, "prog.1")); err == nil {
		t.Error("a file is taken for a directory")
	}
}

// A page has the help as it stands, and no line of it is read as a request of troff.
func TestPage(t *testing.T) {
	root := tree()
	whole := page(root)
	for _, want := range []string{
		".TH PROG 1 \"\" \"prog 1\\-2\" \"User Commands\"\n", "prog \\- Does things\n",
		"First \\- line\n\\&.dots and \\(aqquotes\\(aq\n.PP\nA table:\n.PP\n.nf\n  a   \\eb   \\(tic\n\n  d   <e>  \\(gaf\\(ga\n.fi\n.PP\nThe end.\n",
		".TP\nprog\\-sub(1)\nGoes down\n", "\\-d, \\-\\-db FILE\nthe FILE of all (default x.db)\n",
	} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %q in\n%s", want, whole)
		}
	}
	sub := page(root.Commands()[1])
	for _, want := range []string{"prog sub FILE [flags]", "\\-\\-count int\nhow many *stars* a_b_c (default 3)\n", ".SH OPTIONS OF ALL COMMANDS\n", ".SH SEE ALSO\nprog(1)\n"} {
		if !strings.Contains(sub, want) {
			t.Errorf("no %q in\n%s", want, sub)
		}
	}
	if strings.Contains(sub, "secret") || strings.Contains(whole, "Hidden") {
		t.Errorf("hidden things are told:\n%s\n%s", whole, sub)
	}
}

// groff, where it is installed, has no warning about a page.
func TestGroff(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff")
	}
	c := exec.Command(groff, "-man", "-Tutf8", "-ww")
	c.Stdin = strings.NewReader(page(tree()))
	var warnings strings.Builder
	c.Stderr = &warnings
	out, err := c.Output()
	if err != nil || warnings.Len() > 0 {
		t.Fatalf("%v: %s", err, warnings.String())
	}
	if !strings.Contains(string(out), `a   \b   ~c`) || !strings.Contains(string(out), ".dots and 'quotes'") {
		t.Errorf("the page reads\n%s", out)
	}
}
