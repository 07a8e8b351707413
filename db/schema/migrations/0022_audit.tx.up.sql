-- Who changed what. An entry is stored by the transaction that makes the change; nobody alters it afterwards.
CREATE TABLE audit_entries (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'token', 'system')),
    actor_id uuid CHECK ((actor_id IS NULL) = (actor_kind = 'system')),
    actor_name text NOT NULL, -- at that time
    action text NOT NULL, -- a mutation of the API, or an operator's command
    subject_type text NOT NULL, -- empty where the action says it all
    subject_id uuid,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE INDEX audit_entries_newest ON audit_entries (account_id, created_at DESC, id DESC);
CREATE INDEX audit_entries_subject ON audit_entries (account_id, subject_id, created_at DESC, id DESC) WHERE subject_id IS NOT NULL;
CREATE INDEX audit_entries_old ON audit_entries (created_at);

SELECT guard_tenant('audit_entries');

CREATE FUNCTION refuse_change_of_audit() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION 'audit entries are not changed' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER append_only BEFORE UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change_of_audit();
