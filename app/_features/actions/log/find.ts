import { plainLine, type Span } from './ansi'
import { readLine } from './line'

/** What finds a text wherever it stands, in upper and lower case alike. */
export function patternOf(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'), 'gi')
}

const maxFound = 10_000

/** The rows whose text, as it is read, has a match: the first 10,000 of them. */
export function findRows(
  contentOf: (row: number) => string | undefined,
  rows: number,
  pattern: RegExp,
): number[] {
  const found: number[] = []
  for (let row = 0; row < rows && found.length < maxFound; row++) {
    const content = contentOf(row)
    if (!content) continue
    pattern.lastIndex = 0
    if (pattern.test(plainLine(readLine(content).text))) found.push(row)
  }
  return found
}

/** A span of which all or nothing matches. */
export interface MarkedSpan extends Span {
  isMatch?: boolean
}

const maxMarks = 1000

/** Splits spans where matches begin and end, which can be in the middle of them. */
export function markMatches(spans: readonly Span[], pattern: RegExp): MarkedSpan[] {
  const matches = matchesIn(spans.map(({ text }) => text).join(''), pattern)
  if (matches.length === 0) return [...spans]
  const marked: MarkedSpan[] = []
  let start = 0
  let next = 0
  for (const span of spans) {
    const end = start + span.text.length
    for (let at = start; at < end; ) {
      while ((matches[next]?.to ?? end) <= at && next < matches.length) next++
      const match = matches[next]
      const isMatch = match !== undefined && match.from <= at
      const to = Math.min(end, isMatch ? match.to : (match?.from ?? end))
      const part = { ...span, text: span.text.slice(at - start, to - start) }
      marked.push(isMatch ? { ...part, isMatch } : part)
      at = to
    }
    start = end
  }
  return marked
}

function matchesIn(text: string, pattern: RegExp): { from: number; to: number }[] {
  const matches: { from: number; to: number }[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match && matches.length < maxMarks; match = pattern.exec(text)) {
    if (match[0] === '') break
    matches.push({ from: match.index, to: match.index + match[0].length })
  }
  return matches
}
