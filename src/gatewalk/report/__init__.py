"""The page: one style sheet, the parts of a page in HTML, tables in four formats, Markdown notes."""
