import { compileParts, matchesParts, type Part, type Program } from '@/server/kernel/text-parts'

// Longer patterns match nothing.
const maxLength = 500

const maxNameLength = 4096

/**
 * Returns whether a list of GitHub's filter patterns includes a name. The last pattern that matches decides;
 * patterns that start with `!` exclude. Undefined if the time `until` (on the clock of `performance.now()`)
 * passes first, or if the name is too long.
 */
export function isIncluded(patterns: readonly string[], name: string, until = Infinity): boolean | undefined {
  if (name.length > maxNameLength) return undefined
  for (let at = patterns.length - 1; at >= 0; at--) {
    if (performance.now() > until) return undefined
    const pattern = patterns[at] ?? ''
    if (matchesParts(programOf(bodyOf(pattern)), name)) return !pattern.startsWith('!')
  }
  return false
}

const bodyOf = (pattern: string): string => pattern.replace(/^!/, '')

const maxKnown = 1000
const known = new Map<string, Program>()

function programOf(pattern: string): Program {
  const found = known.get(pattern)
  if (found) return found
  if (known.size >= maxKnown) known.clear()
  const program = compileParts(pattern.length > maxLength ? never : parse(pattern))
  known.set(pattern, program)
  return program
}

const never: Part[] = [{ kind: 'one', accepts: () => false }]
const any = (): boolean => true
const notSlash = (letter: string): boolean => letter !== '/'
const optional = (parts: Part[]): Part => ({ kind: 'choice', options: [parts, []] })
const same = (letter: string): Part => ({ kind: 'one', accepts: other => other === letter })

/**
 * Parses a filter pattern. `*` matches characters other than slashes, `**` all characters, `[a-z]` one of a
 * set; `?` and `+` repeat the part before them, and `\` escapes the next character.
 */
function parse(pattern: string): Part[] {
  const letters = Array.from(pattern)
  const parts: Part[] = []
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? ''
    const before = parts.at(-1)
    if (letter === '\\' && at + 1 < letters.length) parts.push(same(letters[++at] ?? ''))
    else if (letter === '*' && letters[at + 1] === '*') {
      while (letters[at + 1] === '*') at++
      const isFolder = letters[at + 1] === '/' && (parts.length === 0 || isSlash(before))
      if (isFolder) at++
      // The folder is optional: the name can also start here.
      parts.push(
        isFolder ? optional([{ kind: 'many', accepts: any }, slash]) : { kind: 'many', accepts: any },
      )
    } else if (letter === '*') parts.push({ kind: 'many', accepts: notSlash })
    else if (letter === '?' && before) parts.splice(-1, 1, optional([before]))
    else if (letter === '+' && before) parts.splice(-1, 1, { kind: 'repeated', parts: [before] })
    else if (letter === '[' && letters.indexOf(']', at + 2) > 0) {
      const end = letters.indexOf(']', at + 2)
      parts.push({ kind: 'one', accepts: setOf(letters.slice(at + 1, end)) })
      at = end
    } else parts.push(letter === '/' ? slash : same(letter))
  }
  return parts
}

const slash = same('/')
const isSlash = (part: Part | undefined): boolean => part === slash

function setOf(letters: readonly string[]): (letter: string) => boolean {
  const ranges: [low: string, high: string][] = []
  for (let at = 0; at < letters.length; at++) {
    const low = letters[at] ?? ''
    const isRange = letters[at + 1] === '-' && at + 2 < letters.length
    ranges.push([low, isRange ? (letters[at + 2] ?? '') : low])
    if (isRange) at += 2
  }
  return letter => ranges.some(([low, high]) => low <= letter && letter <= high)
}
