package rest

import "net/http"

// request is what a request carries, each part already read: the parameters of the path, of the query and of the body.
type request struct {
	path  map[string]string // by variable
	query values
	body  values

	header http.Header
}

// lookup finds a field by its name: the body takes precedence over the query.
func (r request) lookup(name string) (any, bool) {
	if value, ok := r.body[name]; ok {
		return value, true
	}
	value, ok := r.query[name]
	return value, ok
}

// whole is everything the request carries as one object.
func (r request) whole() values {
	all := make(values, len(r.query)+len(r.body))
	for name, value := range r.query {
		all[name] = value
	}
	for name, value := range r.body {
		all[name] = value
	}
	return all
}

// binding is what an operation runs with.
type binding struct {
	variables map[string]any
	places    places
}

// bind makes the operation's variables from a request. What the request does not carry stays absent, what it carries as
// null stays null, and what the operation does not name is ignored. The failure tells every field that does not fit.
func (o *operation) bind(r request) (binding, *failure) {
	r = r.withHeaders(o.headers)
	c := &coercer{schema: o.schema, filter: o.query}
	variables := make(map[string]any, len(o.parameters))
	for _, p := range o.parameters {
		if value, ok := r.path[p.variable]; ok {
			variables[p.variable] = value
			continue
		}
		if p.header != "" {
			variables[p.variable] = r.header.Get(p.header) != ""
			continue
		}
		if p.paging != nil && o.query {
			variables[p.variable] = p.paging.read(r.query[p.names[0]])
			continue
		}
		if value, set := o.bindParameter(c, p, r); set {
			variables[p.variable] = value
		}
	}
	if !c.texts.empty() {
		return binding{}, invalid(c.texts)
	}
	return binding{variables, c.places}, nil
}

func (o *operation) bindParameter(c *coercer, p parameter, r request) (any, bool) {
	if p.spread {
		whole := r.whole()
		for name, value := range r.path {
			whole[snakeCase(name)] = value
		}
		return c.object(o.schema.Types[p.typ.Name()], whole, "")
	}
	for _, name := range p.names {
		if raw, ok := r.lookup(name); ok {
			value, set := c.coerce(target{p.typ, p.variable, name, p.hasDefault}, raw)
			return value, set && (!p.onlyTrue || value == true)
		}
	}
	if p.typ.NonNull && !p.hasDefault {
		c.texts.add(p.names[0], textRequired)
	}
	return nil, false
}
