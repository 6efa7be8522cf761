import { kindOf, type LineKind } from './line'

/** A visible line with its row in the log. */
export interface ShownLine {
  row: number
  kind: LineKind
  /** Whether the line is inside a group. */
  isInGroup: boolean
  /** For the first line of a group: its number of lines, and whether they are visible. */
  group?: { lines: number; isOpen: boolean }
}

export interface Folded {
  lines: ShownLine[]
  /** The row up to which the log was loaded. Later rows are not among the lines. */
  to: number
}

interface OpenGroup {
  /** Index of the group's first line among the visible lines. */
  index: number
  row: number
  hasError: boolean
}

/**
 * Creates a function that folds a part of a log. A group's lines are hidden until the reader opens it, unless
 * the group contains an error or is still growing. A group also ends where the next one starts. The function
 * can be called repeatedly as the log grows, because it reads each row once. `selected` maps the first row of
 * a group to whether the reader opened or closed it.
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
    // Rows at the end can turn out to belong to the next section.
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

/** Returns the first row of the group that contains a row. Undefined for a row outside of all groups. */
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
