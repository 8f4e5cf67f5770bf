"""The commands of `lawctl`: a module for each noun, which adds its verbs and carries them out."""
