package cli

import (
	"context"
	"fmt"
	"os"

	"afterimage/internal/compare"
	"afterimage/internal/compare/report"
	"afterimage/web"
)

// ReportPage is the page of a report. A program that was built without web pages says that the folder will have none.
func ReportPage(folder *report.Folder) (report.Page, error) {
	page, err := web.ReportFiles()
	if err == nil && page.Script == "" && folder != nil {
		fmt.Fprintln(os.Stderr, "The report has no index.html: this program was built without web pages; build it with `make build`.")
	}
	return report.Page(page), err
}

// Publish prints a result, and writes its report to a folder of a name, if there is one.
func Publish(ctx context.Context, folder *report.Folder, name string, result *compare.Result, made report.Run) error {
	report.Print(os.Stdout, result)
	if folder == nil {
		return nil
	}
	if err := folder.Write(ctx, result, made); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "The report is in %s\n", name)
	return nil
}

// TellGitHub annotates the step of a GitHub workflow in which the program runs, if it does, and adds to the summary of its job.
func TellGitHub(result *compare.Result, made report.Run) error {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	report.Annotate(os.Stdout, result)
	if file := os.Getenv("GITHUB_STEP_SUMMARY"); file != "" {
		return report.AppendSummary(file, result, made)
	}
	return nil
}
