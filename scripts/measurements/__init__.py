"""The measurements of ``bench``, a module for each subject."""
