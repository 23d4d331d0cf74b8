"""okstra at work on a small project with a planted defect, without a network or a model."""
