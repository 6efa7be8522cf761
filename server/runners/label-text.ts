/** The labels that a text names, separated by commas or line breaks, each once. */
export const labelsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map(label => label.trim())
      .filter(Boolean),
  ),
]

/** The text that names these labels. */
export const textOfLabels = (labels: readonly string[]): string => labels.join(', ')
