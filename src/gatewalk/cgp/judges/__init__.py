"""Ways to evaluate offspring, a file each; `gatewalk.cgp.judging` says what a judge does."""
