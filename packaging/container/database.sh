#!/bin/sh
# Runs once, when the database is made: a role that owns the service's database and is no superuser.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$DATABASE_PASSWORD" <<'SQL'
CREATE ROLE afterimage LOGIN PASSWORD :'password';
CREATE DATABASE afterimage OWNER afterimage;
SQL
