"""Query, key and value in Transformer attention: the numbers behind a bilingual course."""
