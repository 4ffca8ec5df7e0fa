"""The reading of running times: statistics that know about censored runs, growth fits, figures."""
