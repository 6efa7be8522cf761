import { invalid } from '@/server/kernel/errors'
import { hasControlCharacter } from '@/server/kernel/wire'
import { maxLabelLength, maxLabels } from './label-text'

/** What a runner says about itself. */
export interface Declaration {
  version: string
  labels: readonly string[]
  capabilities: readonly string[]
}

/**
 * Reads what a runner says about itself: labels without spaces around them, each one once.
 * @throws {DomainError} invalid for too many labels, and for one that is too long or has control characters.
 */
export function readDeclaration({ version, labels, capabilities }: Declaration): Declaration {
  return {
    version: shortened(version),
    labels: readLabels(labels),
    capabilities: capabilities.slice(0, maxLabels).map(shortened),
  }
}

/** @throws {DomainError} as `readDeclaration`. */
export function readLabels(declared: readonly string[]): string[] {
  const labels = [...new Set(declared.map(label => label.trim()))].filter(Boolean)
  if (labels.length > maxLabels)
    throw invalid(`a runner has at most ${maxLabels} labels`, { field: 'labels' })
  for (const label of labels) {
    if (label.length <= maxLabelLength && !hasControlCharacter(label) && label.isWellFormed()) continue
    throw invalid(`a label has at most ${maxLabelLength} characters and no control characters`, {
      field: 'labels',
    })
  }
  return labels
}

/** Shortens a text to 255 characters, without control characters and spaces around it. */
export function shortened(text: string): string {
  const printable = [...text.toWellFormed()].filter(character => !hasControlCharacter(character)).join('')
  return printable.trim().slice(0, maxLabelLength).toWellFormed().trim()
}
