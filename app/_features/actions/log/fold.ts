import { kindOf, type LineKind } from './line'

/** A line that is shown, by its row in the log. */
export interface ShownLine {
  row: number
  kind: LineKind
  /** Whether a group above it has it. */
  isInGroup: boolean
  /** Of the first line of a group: how many lines the group has, and whether they are shown. */
  group?: { lines: number; isOpen: boolean }
}

export interface Folded {
  lines: ShownLine[]
  /** The row up to which the log was there; later ones are not among the lines. */
  to: number
}

interface FoldOptions {
  from: number
  to: number
  /** What the reader opened and closed, by the first row of the group. */
  chosen: ReadonlyMap<number, boolean>
  /** More rows will come. */
  isGrowing: boolean
}

/**
 * The lines of a part of a log that are shown: those of a group are hidden until it is opened, except where one of them is an
 * error, or the group is still growing. A group ends where the next one begins.
 */
export function foldLines(
  contentOf: (row: number) => string | undefined,
  { from, to, chosen, isGrowing }: FoldOptions,
): Folded {
  const lines: ShownLine[] = []
  let first: { place: number; row: number; hasError: boolean } | undefined

  const endGroup = (isOpenByItself: boolean): void => {
    if (!first) return
    const start = lines[first.place]
    const isOpen = chosen.get(first.row) ?? (isOpenByItself || first.hasError)
    if (start) start.group = { lines: lines.length - 1 - first.place, isOpen }
    if (!isOpen) lines.length = first.place + 1
    first = undefined
  }

  for (let row = from; row < to; row++) {
    const content = contentOf(row)
    if (content === undefined) {
      endGroup(false)
      return { lines, to: row }
    }
    const kind = kindOf(content)
    if (kind === 'endgroup') {
      endGroup(false)
      continue
    }
    if (kind === 'group') {
      endGroup(false)
      first = { place: lines.length, row, hasError: false }
      lines.push({ row, kind, isInGroup: false })
      continue
    }
    if (first && kind === 'error') first.hasError = true
    lines.push({ row, kind, isInGroup: first !== undefined })
  }
  endGroup(isGrowing)
  return { lines, to }
}

/** The first row of the group that has a row, at or before it; undefined for a row outside of all groups. */
export function groupOf(
  contentOf: (row: number) => string | undefined,
  row: number,
  from: number,
): number | undefined {
  for (let at = row; at >= from; at--) {
    const kind = kindOf(contentOf(at) ?? '')
    if (kind === 'group') return at
    if (kind === 'endgroup' && at < row) return undefined
  }
  return undefined
}
