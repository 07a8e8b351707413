// Command writedocument writes the OpenAPI document of the REST interface into the file named by its argument. Run it by
// `go generate ./rest`, after the code of the GraphQL schema was generated.
package main

import (
	"fmt"
	"os"

	"afterimage/graph/generated"
	"afterimage/rest"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "writedocument: %v\n", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("give the name of the file to write, not %d arguments", len(args))
	}
	text, err := rest.Document(generated.NewExecutableSchema(generated.Config{}).Schema())
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], text, 0o644) //nolint:gosec // everybody may read what is served to everybody
}
