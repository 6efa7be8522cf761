import { compileParts, matchesParts, type Part } from '@/server/kernel/text-parts'

// Branch filters use Gitea's glob syntax: `*` and `**` match any characters, `?` matches one, `[a-z]` and
// `[!a-z]` match sets, `{main,release/*}` matches alternatives, and `\` escapes a character.

/**
 * Validates a webhook's branch filter, which is a glob pattern. Returns an error message, or undefined if the
 * filter is valid.
 */
export function branchFilterProblem(filter: string): string | undefined {
  const parsed = read(filter)
  return typeof parsed === 'string' ? parsed : undefined
}

/**
 * Returns whether a Git ref matches a webhook's branch filter, which is a glob pattern. The pattern is
 * compared with the full ref and, for a branch, also with the branch name. An empty filter matches every ref,
 * and an invalid one matches none. The time is proportional to the product of the lengths of the filter and
 * the ref.
 */
export function matchesBranch(filter: string, ref: { short: string; full: string }): boolean {
  if (filter === '' || filter === '*' || filter === '**') return true
  const parts = read(filter)
  if (typeof parts === 'string') return false
  const program = compileParts(parts)
  const isBranch = ref.full.startsWith('refs/heads/')
  return (isBranch && matchesParts(program, ref.short)) || matchesParts(program, ref.full)
}

class FilterError extends Error {}

// Returns the parsed filter, or the problem with it as text.
function read(filter: string): Part[] | string {
  try {
    return parse(filter)
  } catch (error) {
    if (error instanceof FilterError) return error.message
    throw error
  }
}

// `at` points to the last character that was read; `sequence` advances to the next one.
function parse(filter: string): Part[] {
  const letters = Array.from(filter)
  let at = 0
  const sequence = (inChoice: boolean): Part[] => {
    const parts: Part[] = []
    for (; at < letters.length; at++) {
      const letter = letters[at]!
      if (inChoice && (letter === ',' || letter === '}')) break
      parts.push(part(letter))
    }
    return parts
  }
  const part = (letter: string): Part => {
    switch (letter) {
      case '*':
        while (letters[at + 1] === '*') at++
        return { kind: 'many', accepts: () => true }
      case '?':
        return { kind: 'one', accepts: () => true }
      case '[':
        return { kind: 'one', accepts: set() }
      case '{':
        return { kind: 'choice', options: options() }
      default:
        return same(literal())
    }
  }
  const literal = (): string => {
    if (letters[at] === '\\') at++
    const letter = letters[at]
    if (letter === undefined) throw new FilterError('there is nothing after the last "\\"')
    return letter
  }
  const options = (): Part[][] => {
    const start = at
    const found: Part[][] = []
    do {
      at++
      found.push(sequence(true))
    } while (letters[at] === ',')
    if (letters[at] !== '}') throw notClosed('{', start)
    return found
  }
  const set = (): ((letter: string) => boolean) => {
    const start = at++
    const negated = letters[at] === '!'
    if (negated) at++
    const ranges: [low: string, high: string][] = []
    for (; at < letters.length && letters[at] !== ']'; at++) {
      const low = literal()
      let high = low
      if (letters[at + 1] === '-' && at + 2 < letters.length && letters[at + 2] !== ']') {
        at += 2
        high = literal()
      }
      if (codeOf(high) < codeOf(low)) throw new FilterError(`"${low}-${high}" must be in ascending order`)
      ranges.push([low, high])
    }
    if (at >= letters.length) throw notClosed('[', start)
    if (ranges.length === 0) throw new FilterError('there is nothing between "[" and "]"')
    const isIn = (letter: string) =>
      ranges.some(([low, high]) => codeOf(low) <= codeOf(letter) && codeOf(letter) <= codeOf(high))
    return letter => isIn(letter) !== negated
  }
  return sequence(false)
}

const codeOf = (letter: string): number => letter.codePointAt(0) ?? 0
const same = (letter: string): Part => ({ kind: 'one', accepts: other => other === letter })
const notClosed = (bracket: string, at: number): FilterError =>
  new FilterError(`the "${bracket}" at position ${at + 1} is never closed`)
