package cli

// Version is set by the build.
var Version = "dev"
