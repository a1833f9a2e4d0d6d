package queue

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/nats-io/nkeys"
)

// Credentials are what a worker shows: its name and its secret key.
type Credentials struct {
	Name string
	Seed string // an nkey of a user, "SU..."
}

const credentialsHead = "sakusen-worker"

// String is the text of credentials: one line.
func (c Credentials) String() string { return credentialsHead + " " + c.Name + " " + c.Seed }

// CredentialsOf reads the file with the text of credentials.
func CredentialsOf(file string) (Credentials, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Credentials{}, fmt.Errorf("--credentials: %w", err)
	}
	c, err := ReadCredentials(string(text))
	if err != nil {
		return c, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// ReadCredentials reads the text of credentials.
func ReadCredentials(text string) (Credentials, error) {
	f := strings.Fields(text)
	if len(f) != 3 || f[0] != credentialsHead || !workerName.MatchString(f[1]) {
		return Credentials{}, fmt.Errorf("expected one line %q, as sakusen worker add prints it", credentialsHead+" NAME KEY")
	}
	if _, err := publicKey(f[2]); err != nil {
		return Credentials{}, errors.New("the key of the credentials is damaged: copy the line again, as sakusen worker add printed it")
	}
	return Credentials{f[1], f[2]}, nil
}

func publicKey(seed string) (string, error) {
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return "", err
	}
	key, err := pair.PublicKey()
	if err == nil && !nkeys.IsValidPublicUserKey(key) {
		err = errors.New("not a key of a user")
	}
	return key, err
}

var workerName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_-]{0,39}$`)
