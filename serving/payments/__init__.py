"""Credit packs sold through Stripe: its checkout, and its reports of payments."""
