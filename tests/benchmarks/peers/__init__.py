"""Our search beside other engines that hold the same passages and the same vectors, measured in one run."""
