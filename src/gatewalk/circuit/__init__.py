"""The artefact: circuits, their evaluation, text, pictures, files and equivalence."""
