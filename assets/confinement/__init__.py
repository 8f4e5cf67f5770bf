"""Work on files that are not trusted, in a process of its own with bounds on memory, time and output."""
