package e2e

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// house is a service that tests share. Each of them is a lodger, with an account of its own there: nobody sees anything of another's.
// It is opened for its first lodger and closed when all tests have ended.
type house struct {
	installation
	flags   []string
	once    sync.Once
	err     error // that kept it from opening
	process *process
	url     string
	remove  func() error
}

// houses are those that have had lodgers, by their flags.
var houses = struct {
	sync.Mutex
	by map[string]*house
}{by: map[string]*house{}}

// lodge takes a test in at the service with these flags, which may reach all sites of tests, and nothing else on this machine.
func lodge(t *testing.T, flags ...string) *service {
	t.Helper()
	houses.Lock()
	name := strings.Join(flags, " ")
	h := houses.by[name]
	if h == nil {
		h = &house{flags: flags}
		houses.by[name] = h
	}
	houses.Unlock()
	if h.once.Do(h.open); h.err != nil {
		t.Fatalf("open the house %q: %v", name, h.err)
	}
	s := &service{t: t, installation: h.installation, url: h.url, email: strings.ToLower(t.Name()) + "@example.com"}
	s.program = &program{process: h.process, t: t, since: len(h.process.loggedSince(0))}
	t.Cleanup(s.checkLog) // with other lodgers' lines of the same time: nobody may cause an error here
	created := exec.CommandContext(t.Context(), binary, append([]string{"account", "create", s.email, "--first-name", "Owner",
		"--log-level", "error"}, h.at()...)...)
	token, err := created.Output()
	if err != nil {
		t.Fatalf("create the account %s: %v", s.email, err)
	}
	s.token = strings.TrimSpace(string(token))
	return s
}

// open starts the service. Its address has a name, to which passkeys can belong. All lodgers' sites have one address.
func (h *house) open() {
	h.installation, h.remove, h.err = install(context.Background())
	if h.err != nil {
		return
	}
	listen, err := unusedAddress()
	if err != nil {
		h.err = err
		return
	}
	public := strings.Replace("http://"+listen, "127.0.0.1", "localhost", 1)
	args := append([]string{"serve", "--listen", listen, "--public-url", public, "--allow-hosts", sitesAddress, "--host-captures=0",
		"--log-format=json"}, h.at()...)
	command := exec.Command(binary, append(args, h.flags...)...)
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} // when the tests are killed
	if h.process, h.err = launch(strings.TrimSpace("house "+strings.Join(h.flags, " ")), command); h.err != nil {
		return
	}
	h.url, h.err = h.process.printed(regexp.MustCompile(`serves at (https?://\S+)`))
	if h.err == nil { // the account that it opens at first is nobody's
		_, h.err = h.process.printed(regexp.MustCompile(`Its API token is in (\S+), readable`))
	}
}

// closeHouses ends the shared services, and wants them to have been in order to the end: no contradiction in what they have stored, no
// error in what they have logged.
func closeHouses() error {
	var problems []error
	for _, h := range houses.by {
		problems = append(problems, h.close())
	}
	return errors.Join(problems...)
}

func (h *house) close() error {
	if h.process == nil { // it did not open, which its lodgers have told
		return nil
	}
	var problems []error
	if err := h.process.end(); err != nil {
		problems = append(problems, err)
	}
	doctor := exec.Command(binary, append([]string{"doctor", "--deep", "--log-level", "error"}, h.at()...)...)
	if said, err := doctor.CombinedOutput(); err != nil {
		problems = append(problems, fmt.Errorf("the consistency check of %s found something: %w\n%s", h.process.name, err, said))
	}
	for _, line := range errorsIn(h.process.loggedSince(0)) {
		problems = append(problems, fmt.Errorf("%s logged an error: %s", h.process.name, line.raw))
	}
	return errors.Join(append(problems, h.remove())...)
}
