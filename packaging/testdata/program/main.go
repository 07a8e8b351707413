// Program stands for the real one in tests of the release, which would take minutes to build.
package main

import "fmt"

var version = "dev"

func main() { fmt.Println(version) }
