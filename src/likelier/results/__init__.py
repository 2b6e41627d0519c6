"""Results: what the questions return, one module per kind; all are `Result`."""
