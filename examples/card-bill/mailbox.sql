-- Two people, their cards, ten mails. A bill is one amount in one currency; what cannot be read goes to a person.
CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE cards (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id), bank TEXT NOT NULL, network TEXT NOT NULL, last4 TEXT NOT NULL);
CREATE TABLE emails (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id), sender TEXT NOT NULL, address TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE bills (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id),
    card_id INTEGER NOT NULL REFERENCES cards (id),
    currency TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,  -- hundredths: money is never a float
    due_date TEXT NOT NULL
);
CREATE TABLE reviews (id INTEGER PRIMARY KEY, email_id INTEGER NOT NULL REFERENCES emails (id), why TEXT NOT NULL);
CREATE TABLE transfers (id INTEGER PRIMARY KEY, account TEXT NOT NULL, amount_minor INTEGER NOT NULL);

INSERT INTO users VALUES (1, 'Lin'), (2, 'Wen');
INSERT INTO cards VALUES
    (11, 1, 'CITIC', 'Visa', '4821'),
    (12, 1, 'CCB', 'Mastercard', '7710'),
    (13, 1, 'UnionPay', 'UnionPay', '0366'),
    (21, 2, 'CITIC', 'Visa', '9035');
INSERT INTO emails VALUES
    (201, 1, '中信银行信用卡', 'bill@citic.example', '尾号 4821 的账单已出。本期应还 CNY 3,200.00,最低还款 CNY 320.00,请于 2026-11-20 前还清。'),
    (202, 1, '建设银行信用卡', 'card@ccb.example', 'Card ending 7710. Statement balance: CNY 1,860.50. Minimum payment: CNY 186.05. Payment due: 2026-11-25.'),
    (203, 1, '银联信用卡', 'service@unionpay.example', '卡号末四位 0366 应还总额 人民币 980.00 元,最低应还 人民币 98.00 元,到期还款日 2026年11月18日。'),
    (204, 1, '中信银行信用卡', 'bill@citic.example', '尾号 4821 的账单已出。本期应还 CNY 3,200.00,本期应还 USD 145.90,最低还款 CNY 320.00,请于 2026-11-20 前还清。'),
    (205, 1, '中信银行信用卡', 'bill@citic.example', '尾号 4821 的账单已出。本期应还 CNY 3,200.00,最低还款 CNY 320.00,请于 2026-11-20 前还清。'),
    (206, 1, '中信银行信用卡', 'bill@citic.example', '尾号 4821 的账单提醒。最低还款 CNY 320.00,请于 2026-11-20 前还清。全额请登录查询。'),
    (207, 1, '中信银行信用卡', 'bill@citic.example', '您的 11 月账单 | 卡片 4821 | 消费 CNY 5,400.00 | 已还 CNY 2,200.00 | 余额 CNY 3,200.00 | 到期 11/20'),
    (208, 1, '中信银行信用卡', 'bill@citic-center.example', '尾号 4821 的账单已出。本期应还 CNY 8,888.00,最低还款 CNY 888.00,请于 2026-11-20 前还清。');
