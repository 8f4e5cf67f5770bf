"""What every answer has in common, one concern per module."""
