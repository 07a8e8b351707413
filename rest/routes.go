package rest

const (
	get    = "GET"
	post   = "POST"
	change = "PUT PATCH"
	put    = "PUT"
	remove = "DELETE"
)

var routes = []route{}
