"""The sections of a store's report: each turns cells and their runs into plain data for the page."""
