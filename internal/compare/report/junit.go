package report

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"afterimage/capture"
	"afterimage/internal/compare"
)

// The elements of JUnit's format as CI systems read it: a suite for each device, a case for each page.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name      string      `xml:"name,attr"`
		Tests     int         `xml:"tests,attr"`
		Failures  int         `xml:"failures,attr"`
		Errors    int         `xml:"errors,attr"`
		Skipped   int         `xml:"skipped,attr"`
		Time      string      `xml:"time,attr"`
		Timestamp string      `xml:"timestamp,attr"`
		Cases     []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes junit.xml: a page fails where the comparison fails.
func (f *Folder) writeJUnit(r *compare.Result, run Run) error {
	suites := junitSuites{Name: "afterimage compare", Time: seconds(run.Took)}
	at := make(map[capture.Device]int)
	for i := range r.Pairs {
		p := &r.Pairs[i]
		n, ok := at[p.Device]
		if !ok {
			n = len(suites.Suites)
			at[p.Device] = n
			suites.Suites = append(suites.Suites, junitSuite{
				Name: string(p.Device), Time: seconds(run.Took), Timestamp: run.Started.UTC().Format("2006-01-02T15:04:05"),
			})
		}
		suites.Suites[n].add(caseOf(p, run.FailOn, r.RequireComplete))
	}
	for i := range suites.Suites {
		s := &suites.Suites[i]
		suites.Tests, suites.Failures, suites.Errors = suites.Tests+s.Tests, suites.Failures+s.Failures, suites.Errors+s.Errors
	}
	text, err := xml.MarshalIndent(suites, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the JUnit report: %w", err)
	}
	return f.write("junit.xml", append([]byte(xml.Header), append(text, '\n')...))
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Error != nil {
		s.Errors++
	}
	s.Cases = append(s.Cases, c)
}

func caseOf(p *compare.Pair, failOn compare.FailOn, complete bool) junitCase {
	c := junitCase{Name: p.Path, Class: "compare." + string(p.Device), Time: seconds(p.Took)}
	var lines strings.Builder
	for i := range p.Findings {
		finding := &p.Findings[i]
		fmt.Fprintf(&lines, "%s: %s %s\n", words[compare.OutcomeOf(finding.Category)], finding.Description, finding.Host+finding.Reason)
	}
	if p.Unseen != "" {
		fmt.Fprintf(&lines, "%s, but not fully captured: %s\n", words[p.Outcome], p.Unseen)
	}
	switch {
	case p.Problem != "":
		c.Error = &junitProblem{Message: p.Problem, Type: "failed"}
	case complete && p.Unseen != "":
		c.Error = &junitProblem{Message: p.Unseen, Type: "incomplete", Text: lines.String()}
	case p.Fails(failOn):
		c.Failure = &junitProblem{Message: headline(p), Type: words[p.Outcome], Text: lines.String()}
	default:
		c.Output = lines.String()
	}
	return c
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
