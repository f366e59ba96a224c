"""Starts nowhere under the names of the reference DCGAN, and reads what its runs leave behind. The work is done by the program
`nowhere`, which is built from the same checkout."""
