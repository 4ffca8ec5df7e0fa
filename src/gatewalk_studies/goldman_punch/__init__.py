"""Do the runs of Goldman and Punch (2013) look like ours, and do their claims hold?"""
