import { isDeepStrictEqual } from 'node:util'
import { type Json, storable } from './expressions'
import { maxMatrixJobs } from './run-limits'
import { entriesOf, itemsOf, type Reader, refusalAt, type Template } from './template'

export type Combination = Record<string, Json>

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
export function expandMatrix(reader: Reader, matrix: Template, effort: MatrixEffort): Combination[] {
  let combinations: Combination[] = [{}]
  const excluded: Combination[] = []
  const included: Combination[] = []
  for (const [key, template] of entriesOf(reader, matrix, 'The matrix')) {
    const name = storable(key)
    const values = itemsOf(reader, template, `The matrix key '${name}'`)
    if (name === 'include') included.push(...values.map(each => asCombination(template, each)))
    else if (name === 'exclude') excluded.push(...values.map(each => asCombination(template, each)))
    else {
      if (values.length === 0) throw refusalAt(template, `The matrix key '${name}' has no values.`)
      if (combinations.length * values.length > maxProduct) throw tooMany(matrix)
      const keys = Object.keys(combinations[0] ?? {}).length + 1
      effort.spend(combinations.length * values.length * keys, template)
      combinations = combinations.flatMap(made => values.map(each => ({ ...made, [name]: each })))
    }
  }
  for (const entry of [...excluded, ...included]) effort.spend(combinations.length * sizeOf(entry), matrix)
  const [first = {}] = combinations
  const unknown = excluded.flatMap(entry => Object.keys(entry)).find(key => !Object.hasOwn(first, key))
  if (unknown !== undefined)
    throw refusalAt(matrix, `An exclude entry has the key '${unknown}', which the matrix does not have.`)
  const hasDimensions = Object.keys(first).length > 0
  const kept = hasDimensions ? combinations.filter(made => !excluded.some(entry => covers(made, entry))) : []
  const all = withIncluded(kept, included)
  if (all.length > maxMatrixJobs) throw tooMany(matrix)
  if (all.length === 0) throw refusalAt(matrix, 'The matrix has no combinations.')
  return all
}

// An `include` entry extends every combination whose own values it does not change; if there is none, it adds
// a combination.
function withIncluded(combinations: readonly Combination[], included: readonly Combination[]): Combination[] {
  const extended = combinations.map(made => ({ ...made }))
  const added: Combination[] = []
  for (const entry of included) {
    const matching = combinations.flatMap((own, index) => (agrees(own, entry) ? [index] : []))
    for (const index of matching) Object.assign(extended[index] as Combination, entry)
    if (matching.length === 0) added.push(entry)
    if (extended.length + added.length > maxMatrixJobs) break
  }
  return [...extended, ...added]
}

/** Returns the number of values in a value, including the value itself. */
const sizeOf = (value: Json): number =>
  value === null || typeof value !== 'object'
    ? 1
    : Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 1)

const agrees = (own: Combination, entry: Combination): boolean =>
  Object.entries(entry).every(
    ([key, value]) => !Object.hasOwn(own, key) || isDeepStrictEqual(own[key], value),
  )

const covers = (made: Combination, entry: Combination): boolean =>
  Object.entries(entry).every(([key, value]) => isDeepStrictEqual(made[key], value))

function asCombination(node: Template, value: Json): Combination {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value
  throw refusalAt(node, 'Each entry in include and exclude must be a mapping.')
}

const tooMany = (node: Template) => refusalAt(node, `The matrix has more than ${maxMatrixJobs} combinations.`)
