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

interface OpenGroup {
  /** Of its first line among the lines, and in the log. */
  index: number
  row: number
  hasError: boolean
}

/**
 * Folds the lines of a part of a log: those of a group are hidden until it is opened, except where one of them is an error, or
 * the group is still growing. A group ends where the next one begins. It can be called again and again as the log grows: rows
 * are read once. `chosen` is what the reader opened and closed, by the first row of the group.
 */
export function createFolding(
  contentOf: (row: number) => string | undefined,
  { from, selected }: { from: number; selected: ReadonlyMap<number, boolean> },
): (to: number, isGrowing: boolean) => Folded {
  let lines: ShownLine[] = []
  let row = from
  let group: OpenGroup | undefined

  const endGroup = (
    lines: ShownLine[],
    { index, row, hasError }: OpenGroup,
    isOpenByItself: boolean,
  ): void => {
    const isOpen = selected.get(row) ?? (isOpenByItself || hasError)
    const count = lines.length - 1 - index
    lines[index] = { row, kind: 'group', isInGroup: false, group: { lines: count, isOpen } }
    if (!isOpen) lines.length = index + 1
  }

  const read = (kind: LineKind): void => {
    if (kind === 'group' || kind === 'endgroup') {
      if (group) endGroup(lines, group, false)
      group = kind === 'group' ? { index: lines.length, row, hasError: false } : undefined
      if (kind === 'group') lines.push({ row, kind, isInGroup: false })
      return
    }
    if (group && kind === 'error') group.hasError = true
    lines.push({ row, kind, isInGroup: group !== undefined })
  }

  return (to, isGrowing) => {
    // Rows at the end can turn out to belong to the next part.
    if (to < row) [lines, row, group] = [[], from, undefined]
    for (; row < to; row++) {
      const content = contentOf(row)
      if (content === undefined) break
      read(kindOf(content))
    }
    const shown = lines.slice()
    if (group) endGroup(shown, group, isGrowing && row === to)
    return { lines: shown, to: row }
  }
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
