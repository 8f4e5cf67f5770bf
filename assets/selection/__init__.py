"""Selection: what a snapshot is made of, as accepted tables and layers under one numbering."""
