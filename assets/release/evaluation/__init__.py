"""Evaluation of search: graded questions, measures of ranked lists, the scores of a snapshot."""
