"""Pages of law that were made before anybody asked: their file, who writes it and who looks into it."""
