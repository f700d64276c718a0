"""The search the agent uses, asked again."""
