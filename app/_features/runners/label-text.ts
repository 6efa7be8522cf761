/** The labels that a text names, with commas or line breaks between them, each once. */
export const labelsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map(label => label.trim())
      .filter(Boolean),
  ),
]
