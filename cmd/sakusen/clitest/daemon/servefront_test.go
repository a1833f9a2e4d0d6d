package daemon

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// putCertificate writes a certificate of its own for a name, and its key.
func putCertificate(t *testing.T, dir, name string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	cert, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	clitest.WritePrivate(t, dir, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})))
	clitest.WritePrivate(t, dir, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
}

// What is open to others without a token and TLS does not start, however the
// address is written.
func TestServeRefuses(t *testing.T) {
	dir := t.TempDir()
	clitest.WritePrivate(t, dir, "token", "a token of no words"[:16]+"\n")
	clitest.WritePrivate(t, dir, "good", "0123456789abcdef\n")
	clitest.WritePrivate(t, dir, "short", "0123\n")
	clitest.WritePrivate(t, dir, "not.pem", "nothing\n")
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	name, err := os.Hostname()
	if err != nil {
		name = "example.com"
	}
	for _, c := range []struct{ listen, settings, want string }{
		{"0.0.0.0:0", "", "expected a token"}, {"[::]:0", "", "expected a token"}, {":0", "", "expected a token"},
		{"[::ffff:0.0.0.0]:0", "", "expected a token"}, {"[::ffff:192.0.2.1]:0", "", "expected a token"}, {"192.0.2.1:0", "", "expected a token"},
		{name + ":0", "", "expected a token"}, {"localhost.example.com:0", "", "expected a token"}, {"127.0.0.1.nip.io:0", "", "expected a token"},
		{"0.0.0.0:0", "token_file=good", "expected TLS"}, {"[::]:0", "token_file=good", "expected TLS"},
		{"0.0.0.0:0", "tls_cert=cert.pem tls_key=key.pem", "expected a token"},
		{"0.0.0.0:0", "behind_proxy=true", "expected a token"}, {"127.0.0.1:0", "behind_proxy=true", "expected a token"},
		{"127.0.0.1:0", "token_file=short", "at least 16"}, {"127.0.0.1:0", "token_file=token", "token:1: expected one word"}, {"127.0.0.1:0", "token_file=absent", "token_file"},
		{"127.0.0.1:0", "tls_cert=cert.pem", "both or neither"}, {"127.0.0.1:0", "tls_cert=not.pem tls_key=not.pem", "tls_cert, tls_key"},
		{"127.0.0.1:0", "pprof_listen=0.0.0.0:0", "pprof_listen"}, {"127.0.0.1:0", "pprof_listen=[::]:0", "pprof_listen"}, {"127.0.0.1:0", "pprof_listen=:6060", "pprof_listen"},
		{"127.0.0.1:0", "pprof_listen=" + busy.Addr().String(), "pprof_listen"},
		{busy.Addr().String(), "", "address already in use"}, {"127.0.0.1:99999", "", "listen"}, {"127.0.0.1", "", "expected an address"}, {"", "", "expected an address"},
	} {
		var env []string
		for setting := range strings.FieldsSeq(c.settings) {
			env = append(env, "SAKUSEN_"+strings.ToUpper(setting[:strings.Index(setting, "=")])+setting[strings.Index(setting, "="):])
		}
		_, errs, err := clitest.Program(t, dir, env, "serve", "--listen", c.listen)
		if err == nil || err.Error() != "exit status 2" || !strings.Contains(errs, c.want) {
			t.Errorf("serve --listen %q %s: %v, %s; want exit status 2 and %q", c.listen, c.settings, err, errs, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "sakusen.db.lock")); err == nil {
		t.Error("a lock file was left")
	}
}

// The lock file names the daemon; another one on the same database ends with its
// address; what a killed one left hinders no other.
func TestServeLock(t *testing.T) {
	dir := t.TempDir()
	first := clitest.Serve(t, dir)
	text, err := os.ReadFile(filepath.Join(dir, "sakusen.db.lock"))
	if want := fmt.Sprintf("pid %d\naddress %s\n", first.Cmd.Process.Pid, first.URL); err != nil || string(text) != want {
		t.Errorf("lock file: %v %q, want %q", err, text, want)
	}
	for _, listen := range []string{"127.0.0.1:0", strings.TrimPrefix(first.URL, "http://")} {
		if _, errs, code := first.Run("serve", "--listen", listen); code != clitest.ExitUsage || !strings.Contains(errs, first.URL) {
			t.Errorf("a second daemon at %s: exit code %d, %s", listen, code, errs)
		}
	}
	first.Cmd.Process.Kill()
	first.End()
	if _, err := os.Stat(filepath.Join(dir, "sakusen.db.lock")); err != nil {
		t.Error(err)
	}
	second := clitest.Serve(t, dir)
	if status, text := second.Answer("GET", "/readyz", ""); status != 200 {
		t.Errorf("after a kill: %d %s", status, text)
	}
	second.Cmd.Process.Signal(syscall.SIGTERM)
	if said, err := second.End(); err != nil {
		t.Errorf("%v %s", err, said)
	}
	if _, err := os.Stat(filepath.Join(dir, "sakusen.db.lock")); err == nil {
		t.Error("a lock file is left after a proper end")
	}
}

// A second signal ends the daemon at once, here while an asker holds it up.
func TestServeSecondSignal(t *testing.T) {
	s := clitest.Serve(t, t.TempDir())
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "POST /api/v1/studies HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n")
	if said, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(said, "100 Continue") { // the body is waited for
		t.Fatalf("%q, %v", said, err)
	}
	ended := make(chan struct{})
	go func() {
		for {
			s.Cmd.Process.Signal(syscall.SIGTERM) // the first, and then seconds until one is met
			select {
			case <-ended:
				return
			case <-time.After(300 * time.Millisecond):
			}
		}
	}()
	said, err := s.End()
	close(ended)
	if state := s.Cmd.ProcessState.Sys().(syscall.WaitStatus); !state.Signaled() || state.Signal() != syscall.SIGTERM || !strings.Contains(said, "shutting down") {
		t.Errorf("%v: %s", err, said)
	}
}

// reloadingSince is what a service manager hears that sent the signal itself: it
// waits for a READY=1 later than that (sd_notify(3)).
var reloadingSince = regexp.MustCompile(`^RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]*\n$`)

// Settings, token and certificate are read again at SIGHUP; mistakes change
// nothing. The service manager hears of all, and the log is JSON.
func TestServeReload(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "notify")
	heard := make(chan string, 1000)
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		b := make([]byte, 1000)
		for {
			n, _, err := l.ReadFrom(b)
			if err != nil {
				return
			}
			heard <- string(b[:n])
		}
	}()
	hears := func(want string) {
		t.Helper()
		for end := suite.Late(t); ; {
			select {
			case got := <-heard:
				if got == want && want != "RELOADING=1" || want == "RELOADING=1" && reloadingSince.MatchString(got) {
					return
				}
				if got != "WATCHDOG=1" {
					t.Errorf("heard %q before %q", got, want)
				}
			case <-end:
				t.Fatalf("%q is not heard", want)
			}
		}
	}
	t.Setenv("NOTIFY_SOCKET", socket)
	t.Setenv("WATCHDOG_USEC", "200000")
	clitest.WritePrivate(t, dir, "token", "0123456789abcdef")
	putCertificate(t, dir, "first.example")
	good := "log: {format: json}\ntoken_file: token\ntls_cert: cert.pem\ntls_key: key.pem\n"
	clitest.WritePrivate(t, dir, "config.yaml", good)
	if err := os.Chmod(filepath.Join(dir, "token"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := clitest.Serve(t, dir)
	address := strings.TrimPrefix(s.URL, "http://")
	hears("READY=1")
	hears("WATCHDOG=1")
	certificate := func() string {
		t.Helper()
		c, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	// The commands trust the certificate of the settings alone.
	listed := func(token string) (int, string) {
		clitest.WritePrivate(t, dir, "cli-token", token)
		_, errs, err := clitest.Program(t, dir, []string{"SAKUSEN_TOKEN_FILE=cli-token"}, "study", "pause", "nobody")
		if err == nil {
			t.Fatal("a study that is not there was paused")
		}
		return len(errs), errs
	}
	if _, errs := listed("0123456789abcdef"); !strings.Contains(errs, "no study named") || certificate() != "first.example" {
		t.Errorf("at first: %s, %s", errs, certificate())
	}
	reload := func(settings string) {
		t.Helper()
		clitest.WritePrivate(t, dir, "config.yaml", settings)
		s.Cmd.Process.Signal(syscall.SIGHUP)
		hears("RELOADING=1")
		hears("READY=1")
	}
	clitest.WritePrivate(t, dir, "token", "another token of words")
	reload(good) // the token has mistakes
	reload("listen: [what\n")
	reload(good + "no_such_setting: 1\n")
	clitest.WritePrivate(t, dir, "token", "fedcba9876543210")
	reload(strings.Replace(good, "key.pem", "config.yaml", 1))
	if _, errs := listed("0123456789abcdef"); !strings.Contains(errs, "no study named") {
		t.Errorf("after settings with mistakes: %s", errs)
	}
	putCertificate(t, dir, "second.example")
	reload(good)
	if _, errs := listed("0123456789abcdef"); !strings.Contains(errs, "expected a bearer token") {
		t.Errorf("with the old token: %s", errs)
	}
	if _, errs := listed("fedcba9876543210"); !strings.Contains(errs, "no study named") || certificate() != "second.example" {
		t.Errorf("after the reload: %s, %s", errs, certificate())
	}
	s.Cmd.Process.Signal(syscall.SIGTERM)
	hears("STOPPING=1")
	said, err := s.End()
	if err != nil {
		t.Errorf("%v %s", err, said)
	}
	if n := strings.Count(said, "stay as they were"); n != 4 {
		t.Errorf("%d reloads refused, want 4", n)
	}
	for line := range strings.Lines(said) {
		if !json.Valid([]byte(line)) {
			t.Errorf("a line of the log is no JSON: %s", line)
		}
	}
	if !strings.Contains(said, "can be read by others") {
		t.Error("nobody was warned of the token's file")
	}
}

// A daemon that is open to others, with a token and TLS, is reached by commands
// of its machine through its lock file.
func TestServeOpen(t *testing.T) {
	dir := t.TempDir()
	clitest.WritePrivate(t, dir, "token", "0123456789abcdef")
	putCertificate(t, dir, "sakusen.example")
	clitest.WritePrivate(t, dir, "config.yaml", "token_file: token\ntls_cert: cert.pem\ntls_key: key.pem\n")
	s := clitest.Serve(t, dir, "--listen", "0.0.0.0:0")
	if text, err := os.ReadFile(filepath.Join(dir, "sakusen.db.lock")); err != nil || !strings.Contains(string(text), "address https://127.0.0.1:") {
		t.Errorf("lock file: %v %s", err, text)
	}
	if _, errs, code := s.Run("study", "pause", "nobody"); code != clitest.ExitUsage || !strings.Contains(errs, "no study named") {
		t.Errorf("exit code %d, %s", code, errs)
	}
}

// tune waits for its study through a restart of the daemon.
func TestServeTuneOutlives(t *testing.T) {
	dir := t.TempDir()
	clitest.ServedStudies(t, dir)
	want := wholeDigests(t)["served-1"]
	first := clitest.Serve(t, dir)
	type result struct {
		out, errs string
		code      int
	}
	done := make(chan result, 1)
	go func() {
		out, errs, code := first.Run("tune", "served-1.yaml", "--json")
		done <- result{out, errs, code}
	}()
	for end := suite.Deadline(t); first.States()["served-1"] == "" && time.Now().Before(end); {
	}
	first.Cmd.Process.Kill()
	first.End()
	clitest.Serve(t, dir, "--listen", strings.TrimPrefix(first.URL, "http://"))
	if r := <-done; clitest.DigestIn(r.out) != want {
		t.Errorf("exit code %d, %s%s; want the digest %s", r.code, r.out, r.errs, want)
	}
}
