"""What the shop charges."""

import unittest

from shop.basket import total
from shop.pricing import gross, net


class Pricing(unittest.TestCase):
    def test_a_few_pieces_cost_the_full_price(self):
        self.assertEqual(net(200, 9), 1800)

    def test_ten_pieces_are_five_percent_off(self):
        self.assertEqual(net(200, 10), 1900)

    def test_tax_comes_on_top(self):
        self.assertEqual(gross(200, 11), 2508)

    def test_a_basket_is_the_sum_of_its_lines(self):
        self.assertEqual(total([(200, 1), (200, 10)]), 240 + 2280)
