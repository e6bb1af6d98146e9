-- Two people, their cards, their mail, and the table that the bill reader fills.
CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE cards (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id), bank TEXT NOT NULL, last4 TEXT NOT NULL);
CREATE TABLE emails (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id), sender TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE bills (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id),
    card_id INTEGER NOT NULL REFERENCES cards (id),
    currency TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,  -- in fen: money is never a float
    due_date TEXT NOT NULL,
    UNIQUE (user_id, card_id, due_date)
);

INSERT INTO users VALUES (1, 'Lin'), (2, 'Wen');
INSERT INTO cards VALUES (11, 1, 'Harbour Bank', '4821'), (21, 2, 'Harbour Bank', '9035');
INSERT INTO emails VALUES
    (101, 1, 'statements@harbour.example', '尾号 4821 的账单已出。本期应还 CNY 3200.00,最低还款 CNY 320.00,请于 2026-11-20 前还清。'),
    (102, 1, 'statements@harbour.example', '尾号 4821 的账单已出。本期应还 CNY 3,200.00,最低还款 CNY 320.00,请于 2026-11-20 前还清。'),
    (103, 1, 'statements@harbour.example', '尾号 4821 本月没有账单,无需还款。');
