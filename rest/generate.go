package rest

//go:generate go run ./writedocument openapi.yaml
