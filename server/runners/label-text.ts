export const maxLabels = 100
export const maxLabelLength = 255

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

/** What is wrong with labels that a runner is told, such as `linux:host`, of which it declares what is before the colon. */
export function problemOfLabels(labels: readonly string[]): string | undefined {
  const names = labels.map(label => label.replace(/:.*/s, '').trim())
  if (names.length === 0) return 'Give at least one label.'
  if (names.includes('')) return 'Give each label a name.'
  if (names.length > maxLabels) return `Use at most ${maxLabels} labels.`
  const isLong = names.some(name => name.length > maxLabelLength)
  return isLong ? `Use at most ${maxLabelLength} characters for a label.` : undefined
}
