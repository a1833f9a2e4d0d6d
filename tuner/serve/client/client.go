package client

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Client speaks with a daemon.
type Client struct {
	base     string // such as http://127.0.0.1:7171
	token    string
	http     *http.Client
	patience time.Duration // how long a daemon that cannot be reached is tried again
	grace    time.Duration // how long an answer is waited for after the context has ended
}

// Options say how to reach a daemon.
type Options struct {
	Token string // empty for a daemon without one
	// Certificate, unless empty, is the daemon's own certificate, in PEM form. It is
	// trusted at whatever address the daemon is reached, because the certificate names a
	// host while the database's lock file names an address.
	Certificate []byte
	// HTTP is used unless it is nil.
	HTTP *http.Client
}

// New is a client of the daemon at an address such as http://127.0.0.1:7171.
func New(address string, o Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("expected the address of a daemon such as http://127.0.0.1:7171, got %q", address)
	}
	c := &Client{base: address, token: o.Token, http: o.HTTP, grace: grace}
	if c.http == nil {
		c.http = &http.Client{Transport: &http.Transport{}} // without a proxy: a daemon is reached as it is
	}
	if u.Scheme == "https" && len(o.Certificate) > 0 {
		t, err := trusting(o.Certificate)
		if err != nil {
			return nil, err
		}
		c.http.Transport = &http.Transport{TLSClientConfig: t}
	}
	return c, nil
}

// Address is where the daemon is.
func (c *Client) Address() string { return c.base }

// restart is how long a daemon may be away while it is being restarted.
const restart = 30 * time.Second

// Patient is a client of the same daemon that waits for it, while it is started
// again at the same address. It must ask only what may be asked twice.
func (c *Client) Patient() *Client {
	patient := *c
	patient.patience = restart
	return &patient
}

// trusting trusts one certificate.
func trusting(text []byte) (*tls.Config, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("expected a certificate in PEM form")
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	t := &tls.Config{RootCAs: pool}
	if len(leaf.DNSNames) > 0 {
		t.ServerName = leaf.DNSNames[0]
	}
	return t, nil
}
