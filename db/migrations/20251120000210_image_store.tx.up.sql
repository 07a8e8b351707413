-- Which store of image files belongs to this database: the mark that a file in the store holds too. One row; of no account.
CREATE TABLE image_store (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    mark text NOT NULL CHECK (mark <> ''),
    placed boolean NOT NULL -- the store has the mark; until then it is not known which one it is
);
