export interface Reference {
  from: string
  to: string
}

/**
 * Sorts tables so that each follows those it references, and otherwise by name. Tables in a reference cycle,
 * and tables that depend on one, come last, in order of their names.
 */
export function orderByReferences(tables: string[], references: Reference[]): string[] {
  const ordered: string[] = []
  let waiting = [...tables].sort()
  for (;;) {
    const open = new Set(waiting)
    const blocked = new Set(
      references.filter(({ from, to }) => from !== to && open.has(to)).map(({ from }) => from),
    )
    const free = waiting.filter(table => !blocked.has(table))
    if (free.length === 0) return [...ordered, ...waiting]
    ordered.push(...free)
    waiting = waiting.filter(table => blocked.has(table))
  }
}
