export const maxLabels = 100
export const maxLabelLength = 255

/** Returns the distinct labels in a text, where they are separated by commas or line breaks. */
export const labelsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map(label => label.trim())
      .filter(Boolean),
  ),
]

/** Joins labels to a text that `labelsIn` reads. */
export const textOfLabels = (labels: readonly string[]): string => labels.join(', ')

/**
 * Returns what is wrong with labels for the runner's command line, such as `linux:host`; undefined if they
 * are valid. The runner declares only the part before the colon.
 */
export function problemOfLabels(labels: readonly string[]): string | undefined {
  const names = labels.map(label => label.replace(/:.*/s, '').trim())
  if (names.length === 0) return 'Enter at least one label.'
  if (names.includes('')) return 'Give each label a name.'
  if (names.length > maxLabels) return `Use at most ${maxLabels} labels.`
  const isLong = names.some(name => name.length > maxLabelLength)
  return isLong ? `Use at most ${maxLabelLength} characters for a label.` : undefined
}

/** Whether one of these labels is the given one. As on GitHub, case does not matter. */
export const hasLabel = (labels: readonly string[], label: string): boolean =>
  labels.some(each => each === label || each.toLowerCase() === label.toLowerCase())
