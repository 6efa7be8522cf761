import type { ReferenceEnv } from './references'

/**
 * Texts longer than this number of characters are shown as plain source, because rendering time grows with
 * length.
 */
export const maxFormattedLength = 64 * 1024

/** Maximum nesting of quotes, lists and tags; deeper content is dropped. */
export const maxNesting = 50

export type MarkdownOptions = ReferenceEnv & {
  baseUrl: string
  /** Whether code blocks name their grammar, so that they can be highlighted. */
  hasLanguages?: boolean | undefined
}
