"""Methods for scores of folds: one data set, many data sets, and p-values."""
