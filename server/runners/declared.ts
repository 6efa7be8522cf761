import { invalid } from '@/server/kernel/errors'
import { hasControlCharacter } from '@/server/kernel/wire'
import { maxLabelLength, maxLabels } from './label-text'

/** Version, labels and capabilities that a runner declares. */
export interface Declaration {
  version: string
  labels: readonly string[]
  capabilities: readonly string[]
}

/**
 * Validates and normalizes what a runner declares. Labels are trimmed and deduplicated.
 * @throws {DomainError} invalid if there are too many labels, or if one is too long or contains control
 * characters.
 */
export function readDeclaration({ version, labels, capabilities }: Declaration): Declaration {
  return {
    version: shortened(version),
    labels: readLabels(labels),
    capabilities: capabilities.slice(0, maxLabels).map(shortened),
  }
}

/**
 * Validates, trims and deduplicates labels.
 * @throws {DomainError} as `readDeclaration`.
 */
export function readLabels(declared: readonly string[]): string[] {
  const labels = [...new Set(declared.map(label => label.trim()))].filter(Boolean)
  if (labels.length > maxLabels)
    throw invalid(`a runner can have at most ${maxLabels} labels`, { field: 'labels' })
  for (const label of labels) {
    if (label.length <= maxLabelLength && !hasControlCharacter(label) && label.isWellFormed()) continue
    throw invalid(`a label must have at most ${maxLabelLength} characters and no control characters`, {
      field: 'labels',
    })
  }
  return labels
}

/** Shortens a text to 255 characters, trimmed and without control characters. */
export function shortened(text: string): string {
  const printable = [...text.toWellFormed()].filter(character => !hasControlCharacter(character)).join('')
  return printable.trim().slice(0, maxLabelLength).toWellFormed().trim()
}
