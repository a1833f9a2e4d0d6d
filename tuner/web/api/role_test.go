package api_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/tuner/web/api"
)

const (
	looks = "looks-0123456789"
	adds  = "adds--0123456789"
	rules = "rules-0123456789"
)

func file(t testing.TB, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReadFile(t *testing.T) {
	name := file(t, fmt.Sprintf("# who may come in\n\nread %s\n submit\tsha256:%x \n%s\n", looks, sha256.Sum256([]byte(adds)), rules))
	tokens, err := api.ReadTokens(name)
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]api.Role{
		looks: api.Read, adds: api.Submit, rules: api.Administer,
		"": api.NoRole, looks[1:]: api.NoRole, looks + " ": api.NoRole, fmt.Sprintf("%x", sha256.Sum256([]byte(adds))): api.NoRole,
	} {
		got := api.NoRole
		if found := tokens.Find(given); found != nil {
			got = found.Role
		}
		if got != want {
			t.Errorf("%q is %v, expected %v", given, got, want)
		}
	}
	if text := fmt.Sprintf("%+v %q", tokens, tokens); strings.Contains(text, looks) || strings.Contains(text, rules) {
		t.Errorf("a token is kept: %s", text)
	}
	if sent, err := api.TokenToSend(name); err != nil || sent != rules {
		t.Errorf("a command sends %q, %v", sent, err)
	}
	hashes := file(t, fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(adds))))
	if _, err := api.TokenToSend(hashes); err == nil || !strings.Contains(err.Error(), "client_token_file") {
		t.Errorf("a command sends a hash: %v", err)
	}
}

// A signature is of one text, one token and one role.
func TestSign(t *testing.T) {
	tokens := api.OnlyToken(rules)
	s := tokens[0].Sign("text")
	if tokens.Signer("text", s) == nil || tokens.Signer("other", s) != nil || api.OnlyToken(looks).Signer("text", s) != nil || tokens.Signer("text", "") != nil {
		t.Error("a signature holds for what was not signed")
	}
	weaker, err := api.ReadTokens(file(t, "read "+rules))
	if err != nil || weaker.Signer("text", s) != nil || weaker.Same(tokens) || !tokens.Same(api.OnlyToken(rules)) || api.OnlyToken("") != nil {
		t.Errorf("a login outlives its role: %v", err)
	}
}

// Mistakes name file and line, and never the token.
func TestBadFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "got none",
		"# nothing\n":             "got none",
		"short":                   ":1: expected a token of at least 16 characters, got 5",
		"\nall " + rules:          ":2: expected a token, or a role",
		"read submit " + rules:    ":1: expected one word",
		"aaaaaaaaaaaaaaaaaaaa":    ":1: expected a token of at least 8 different characters, got 1",
		"sha256:0123":             ":1: expected sha256: and 64 hexadecimal digits",
		rules + "é":               ":1: expected printable ASCII",
		rules + "\nread " + rules: ":2: expected at most 100 tokens, each once",
		strings.Repeat("#\n", 1<<15) + " " + rules: "expected at most 65536 bytes",
	} {
		_, err := api.ReadTokens(file(t, text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), rules) {
			t.Errorf("%.40q: %v, expected %q", text, err, want)
		}
	}
	if _, err := api.ReadTokens(os.DevNull); err == nil || !strings.Contains(err.Error(), "regular file") {
		t.Errorf("a device: %v", err)
	}
}

func FuzzReadFile(f *testing.F) {
	f.Add("read " + looks)
	f.Add("sha256:" + strings.Repeat("0f", 32))
	f.Fuzz(func(t *testing.T, text string) {
		tokens, err := api.ReadTokens(file(t, text))
		if err == nil && (len(tokens) == 0 || tokens.Find("") != nil) {
			t.Errorf("%q: %v", text, tokens)
		}
	})
}
