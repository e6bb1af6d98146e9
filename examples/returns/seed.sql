-- The shop's books: two customers, what they bought, what the shop sells, and the rules that it has promised to keep.
CREATE TABLE customers (id TEXT PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE products (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    price_fen INTEGER NOT NULL,  -- money is never a float
    rating INTEGER NOT NULL,     -- in tenths of a star
    stock INTEGER NOT NULL,
    blurb TEXT NOT NULL
);
CREATE TABLE orders (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    status TEXT NOT NULL CHECK (status IN ('packing', 'on_the_road', 'delivered')),
    delivered_on TEXT
);
CREATE TABLE order_items (
    order_id TEXT NOT NULL REFERENCES orders (id),
    product_id TEXT NOT NULL REFERENCES products (id),
    quantity INTEGER NOT NULL,
    price_fen INTEGER NOT NULL,
    PRIMARY KEY (order_id, product_id)
);
CREATE TABLE tickets (
    id INTEGER PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    order_id TEXT NOT NULL REFERENCES orders (id),
    kind TEXT NOT NULL CHECK (kind IN ('refund', 'exchange')),
    reason TEXT NOT NULL,
    amount_fen INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'open'
);
CREATE TABLE carts (
    customer_id TEXT NOT NULL REFERENCES customers (id),
    product_id TEXT NOT NULL REFERENCES products (id),
    PRIMARY KEY (customer_id, product_id)
);
CREATE TABLE passages (id TEXT PRIMARY KEY, words TEXT NOT NULL, en TEXT NOT NULL, zh TEXT NOT NULL);

INSERT INTO customers VALUES ('C-1', 'Ruan Qing', 'Linzhou'), ('C-2', 'Tove Aalto', 'Eastmere');

INSERT INTO products VALUES
    ('P-11', 'kettle', 'Heron kettle', 15900, 47, 12, 'one litre, quiet'),
    ('P-12', 'kettle', 'Otter kettle', 12900, 42, 30, 'one and a half litres'),
    ('P-13', 'kettle', 'Crane kettle', 32900, 49, 4, 'holds a temperature'),
    ('P-21', 'fan', 'Breeze fan', 19900, 41, 9, 'three speeds'),
    ('P-22', 'fan', 'Whisper fan', 25900, 48, 6, 'the quietest, 24 dB'),
    ('P-23', 'fan', 'Harbour fan', 28900, 45, 2, 'turns by itself'),
    ('P-24', 'fan', 'Tower fan', 45900, 49, 5, 'tall, with a timer'),
    ('P-31', 'lamp', 'Fox lamp', 9900, 44, 20, 'for a desk'),
    ('P-32', 'lamp', 'Owl lamp', 17900, 46, 8, 'dims in five steps'),
    ('P-41', 'jacket', 'Rain jacket', 39900, 43, 15, 'sizes S to XL'),
    ('P-51', 'cooker', 'Rice cooker', 29900, 46, 7, 'three litres'),
    ('P-61', 'headphones', 'Lark headphones', 49900, 48, 3, 'over the ear');

INSERT INTO orders VALUES
    ('A-1001', 'C-1', 'delivered', '2026-11-12'),
    ('A-1002', 'C-1', 'delivered', '2026-09-30'),
    ('A-1003', 'C-1', 'on_the_road', NULL),
    ('A-1004', 'C-1', 'delivered', '2026-11-15'),
    ('A-2001', 'C-2', 'delivered', '2026-11-14');
INSERT INTO order_items VALUES
    ('A-1001', 'P-41', 1, 39900),
    ('A-1002', 'P-12', 1, 12900),
    ('A-1003', 'P-51', 1, 29900),
    ('A-1004', 'P-31', 2, 9900),
    ('A-1004', 'P-11', 1, 15900),
    ('A-2001', 'P-61', 1, 49900);

INSERT INTO passages VALUES
    ('R-1', 'return window days late 退货 期限 几天', 'Goods can be returned within 14 days of delivery.', '签收后 14 天内可以退货。'),
    ('R-2', 'return before receipt road received yet 没收到 未签收 在途 退货',
        'An order that is still on the road can be returned as well; the parcel is turned back and the full price refunded.',
        '还在路上的订单也可以退,包裹会被召回,全额退款。'),
    ('R-3', 'refund money account paid back arrive 到账 退款', 'A refund is paid back within 3 working days.', '退款在 3 个工作日内到账。'),
    ('R-4', 'exchange size swap colour 换货 尺码 换', 'Clothing can be exchanged for another size once, free of charge.', '衣服可以免费换一次尺码。'),
    ('R-5', 'shipping cost postage fee free 运费 邮费', 'Postage is free above 99.00; below it is 8.00.', '满 99.00 免运费,不满收 8.00。'),
    ('R-6', 'warranty guarantee broken repair 保修 坏了 维修', 'Electrical goods carry a warranty of 24 months.', '电器保修 24 个月。');
