"""From kernels/ to generated/: the catalog's expansion, its compilation and the tables made of it."""
