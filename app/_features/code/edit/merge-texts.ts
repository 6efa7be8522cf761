import { diff } from '@codemirror/merge'

interface Merged {
  text: string
  /** Number of changes of ours that were put into their text. */
  combined: number
  /** Number of regions that both changed differently; the text has ours there. */
  conflicts: number
}

/** A run of lines of the base that a side replaces. */
interface Hunk {
  from: number
  to: number
  lines: string[]
}

/**
 * Merges two texts that were made of the same base, line by line. Returns undefined if the texts have too many
 * different lines.
 */
export function mergeTexts(base: string, ours: string, theirs: string): Merged | undefined {
  const codes = new Map<string, string>()
  const sides = [base, ours, theirs].map(linesOf)
  const [encodedBase, encodedOurs, encodedTheirs] = sides.map(lines => encode(lines, codes))
  if (encodedBase === undefined || encodedOurs === undefined || encodedTheirs === undefined) return undefined
  const [baseLines, ourLines, theirLines] = sides as [string[], string[], string[]]
  const our = hunksOf(encodedBase, encodedOurs, ourLines)
  const their = hunksOf(encodedBase, encodedTheirs, theirLines)
  return joinHunks(baseLines, our, their)
}

// Each line has its line break, so that the last one differs from the same line with one.
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

// Lines are compared as characters. Surrogates are left out, because pairs of them would be kept together.
const [firstSurrogate, surrogates, codeUnits] = [0xd800, 0x800, 0x10000]

function encode(lines: readonly string[], codes: Map<string, string>): string | undefined {
  const encoded = lines.map(line => {
    let code = codes.get(line)
    if (code === undefined) {
      const number = codes.size < firstSurrogate ? codes.size : codes.size + surrogates
      code = String.fromCharCode(number)
      codes.set(line, code)
    }
    return code
  })
  return codes.size > codeUnits - surrogates ? undefined : encoded.join('')
}

const limits = { scanLimit: 2_000, timeout: 1_000 }

const hunksOf = (base: string, side: string, lines: readonly string[]): Hunk[] =>
  diff(base, side, limits).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    lines: lines.slice(fromB, toB),
  }))

function joinHunks(base: readonly string[], ours: Hunk[], theirs: Hunk[]): Merged {
  const merged: string[] = []
  let [at, combined, conflicts] = [0, 0, 0]
  while (ours.length > 0 || theirs.length > 0) {
    const first = Math.min(
      ours[0]?.from ?? Number.POSITIVE_INFINITY,
      theirs[0]?.from ?? Number.POSITIVE_INFINITY,
    )
    merged.push(...base.slice(at, first))
    const region = takeRegion(ours, theirs, first)
    const our = region.ours.length > 0 ? apply(base, region.ours, first, region.to) : undefined
    const their = region.theirs.length > 0 ? apply(base, region.theirs, first, region.to) : undefined
    merged.push(...(our ?? their ?? []))
    if (our && !their) combined++
    if (our && their && our.join('') !== their.join('')) conflicts++
    at = region.to
  }
  merged.push(...base.slice(at))
  return { text: merged.join(''), combined, conflicts }
}

/** Removes the hunks of both sides that overlap or touch, beginning with the first one. */
function takeRegion(
  ours: Hunk[],
  theirs: Hunk[],
  from: number,
): { ours: Hunk[]; theirs: Hunk[]; to: number } {
  const region = { ours: [] as Hunk[], theirs: [] as Hunk[], to: from }
  for (;;) {
    const next = [ours, theirs].find(side => side[0] !== undefined && side[0].from <= region.to)
    const hunk = next?.shift()
    if (!hunk) return region
    region[next === ours ? 'ours' : 'theirs'].push(hunk)
    region.to = Math.max(region.to, hunk.to)
  }
}

function apply(base: readonly string[], hunks: readonly Hunk[], from: number, to: number): string[] {
  const lines: string[] = []
  let at = from
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.from), ...hunk.lines)
    at = hunk.to
  }
  lines.push(...base.slice(at, to))
  return lines
}
