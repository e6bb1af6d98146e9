"""The one door to language models: messages in; text, use of tokens, the time it took and the model's name out."""
