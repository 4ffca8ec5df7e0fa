"""The studies that come with Gatewalk: papers and open questions, a folder each, which `study run` runs."""
