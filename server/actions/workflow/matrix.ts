import { areEqual, type Json, storable } from './expressions'
import { maxMatrixJobs, maxMatrixLength } from './run-limits'
import { entriesOf, itemsOf, type Reader, refusalAt, type Template } from './template'

export type Combination = Record<string, Json>

/** Combination of a matrix, and those of its values that the name of its job shows, in order. */
export interface Expanded {
  matrix: Combination
  shown: Json[]
}

/** Maximum number of combinations before `exclude` removes some of them. */
export const maxProduct = 16 * maxMatrixJobs

/** Maximum number of values that are copied or compared for all matrices of a run. */
export const maxEffort = 200_000

/** Counts the values that are copied and compared for the matrices of a run. */
export class MatrixEffort {
  private spent = 0

  /**
   * Adds to the count.
   * @throws {DomainError} unprocessable if it exceeds `maxEffort`.
   */
  spend(values: number, node: Template): void {
    this.spent += values
    if (this.spent > maxEffort)
      throw refusalAt(
        node,
        "The run's matrices are too large: " +
          `expanding them takes more than ${maxEffort.toLocaleString('en-US')} steps.`,
      )
  }
}

/**
 * Returns the combinations of a matrix in GitHub's order.
 * @throws {DomainError} unprocessable with the position if a part cannot be expanded or there are too many
 * combinations.
 */
export function expandMatrix(reader: Reader, matrix: Template, effort: MatrixEffort): Expanded[] {
  let combinations: Combination[] = [{}]
  const filters: Record<'include' | 'exclude', Combination[]> = { include: [], exclude: [] }
  for (const [key, template] of entriesOf(reader, matrix, 'The matrix')) {
    const name = storable(key)
    const values = itemsOf(reader, template, `The matrix key '${name}'`)
    if (name === 'include' || name === 'exclude')
      filters[name] = values.map(each => asCombination(template, each))
    else {
      if (values.length === 0) throw refusalAt(template, `The matrix key '${name}' has no values.`)
      if (combinations.length * values.length > maxProduct) throw tooMany(matrix)
      const keys = Object.keys(combinations[0] ?? {}).length + 1
      effort.spend(combinations.length * values.length * keys, template)
      combinations = combinations.flatMap(made => values.map(each => ({ ...made, [name]: each })))
    }
  }
  const [first = {}] = combinations
  const included = filters.include.map(entry => spelledAs(first, entry))
  const excluded = filters.exclude.map(entry => spelledAs(first, entry))
  for (const entry of [...excluded, ...included]) effort.spend(combinations.length * sizeOf(entry), matrix)
  const unknown = excluded.flatMap(entry => Object.keys(entry)).find(key => !Object.hasOwn(first, key))
  if (unknown !== undefined)
    throw refusalAt(matrix, `An exclude entry has the key '${unknown}', which the matrix does not have.`)
  const hasDimensions = Object.keys(first).length > 0
  const kept = hasDimensions ? combinations.filter(made => !excluded.some(entry => matches(made, entry))) : []
  const all = withIncluded(kept, included, key => Object.hasOwn(first, key))
  if (all.length > maxMatrixJobs) throw tooMany(matrix)
  if (all.length === 0) throw refusalAt(matrix, 'The matrix has no combinations.')
  let length = 0
  for (const made of all) {
    length += JSON.stringify(made).length
    if (length > maxMatrixLength) throw refusalAt(matrix, "The run's matrices contain too much text.")
  }
  return all
}

// An `include` entry extends every combination whose own values it does not change; if there is none, it adds
// a combination. As on GitHub, names do not show what it adds to other combinations.
function withIncluded(
  combinations: readonly Combination[],
  included: readonly Combination[],
  isOwn: (key: string) => boolean,
): Expanded[] {
  const extended = combinations.map(made => ({ matrix: { ...made }, shown: Object.values(made) }))
  const added: Expanded[] = []
  for (const entry of included) {
    const [filter, more] = [partsOf(entry, isOwn), partsOf(entry, key => !isOwn(key))]
    const matching = extended.filter((_, index) => matches(combinations[index] ?? null, filter))
    for (const { matrix } of matching) Object.assign(matrix, more)
    const matrix = { ...filter, ...more }
    if (matching.length === 0) added.push({ matrix, shown: Object.values(matrix) })
    if (extended.length + added.length > maxMatrixJobs) break
  }
  return [...extended, ...added]
}

// As on GitHub, case does not matter in keys.
function spelledAs(first: Combination, entry: Combination): Combination {
  const keys = new Map(Object.keys(first).map(key => [key.toLowerCase(), key]))
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [keys.get(key.toLowerCase()) ?? key, value]),
  )
}

const partsOf = (entry: Combination, isWanted: (key: string) => boolean): Combination =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => isWanted(key)))

/**
 * Returns the values that the name of a job shows for a combination whose keys have lost their order, as far as
 * the workflow says the keys of its matrix without expressions.
 */
export function shownAgain(matrix: Template | undefined, combination: Combination): Json[] {
  const entries = matrix && 'entries' in matrix ? matrix.entries : []
  const own = entries.map(([key]) => key).filter(key => key !== 'include' && key !== 'exclude')
  const [, include] = entries.find(([key]) => key === 'include') ?? []
  const added = include && 'items' in include ? include.items.flatMap(keysOf) : []
  const isProduct = own.length > 0 && own.every(key => Object.hasOwn(combination, key))
  const keys = new Set(isProduct ? own : [...own, ...added, ...Object.keys(combination)])
  return [...keys].flatMap(key => (Object.hasOwn(combination, key) ? [combination[key] as Json] : []))
}

const keysOf = (template: Template): string[] =>
  'entries' in template ? template.entries.map(([key]) => key) : []

/** Returns the number of values in a value, including the value itself. */
const sizeOf = (value: Json): number =>
  value === null || typeof value !== 'object'
    ? 1
    : Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 1)

/**
 * Whether a value has all parts of a filter. As on GitHub, they are compared as by `==` in expressions, so '3'
 * equals 3, and `Linux` equals `linux`.
 */
function matches(value: Json, filter: Json): boolean {
  if (filter === null || typeof filter !== 'object') return areEqual(value, filter)
  return Object.entries(filter).every(([key, part]) => matches(partOf(value, key), part))
}

function partOf(value: Json, key: string): Json {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return null
  return (value as Combination)[key] ?? null
}

function asCombination(node: Template, value: Json): Combination {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw refusalAt(node, 'Each entry in include and exclude must be a mapping.')
  if (Object.keys(value).length > 0) return value
  throw refusalAt(node, 'An entry in include or exclude has no values.')
}

const tooMany = (node: Template) => refusalAt(node, `The matrix has more than ${maxMatrixJobs} combinations.`)
