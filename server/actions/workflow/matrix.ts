import { isDeepStrictEqual } from 'node:util'
import { isMapping, isSequence } from '@actions/workflow-parser'
import type {
  MappingToken,
  SequenceToken,
  TemplateToken,
} from '@actions/workflow-parser/templates/tokens/index'
import { type Json, storable } from './expressions'
import { maxMatrixJobs } from './limits'
import { literalOf, type Reader } from './literals'
import { entryOf } from './read'
import { refusal } from './refusal'

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
  spend(values: number, node: TemplateToken): void {
    this.spent += values
    if (this.spent > maxEffort)
      throw refusal(
        node,
        "The run's matrices are too large: " +
          `expanding them takes more than ${maxEffort.toLocaleString('en-US')} steps.`,
      )
  }
}

/**
 * Returns the combinations of a job's matrix in GitHub's order; undefined if the job has no matrix.
 * @throws {DomainError} unprocessable with the position if a part cannot be expanded before the run starts,
 * or if there are too many combinations.
 */
export function expandMatrix(
  reader: Reader,
  strategy: TemplateToken | undefined,
  effort: MatrixEffort,
): Combination[] | undefined {
  if (!strategy) return undefined
  const matrix = entryOf(literal(strategy, isMapping, 'The strategy'), 'matrix')
  if (!matrix) return undefined
  const mapping = literal(matrix, isMapping, 'The matrix')
  let combinations: Combination[] = [{}]
  const excluded: Combination[] = []
  const included: Combination[] = []
  for (const { key, value } of mapping) {
    const name = storable(key.toString())
    const values = valuesOf(reader, value, name)
    if (name === 'include') included.push(...values.map(each => asCombination(value, each)))
    else if (name === 'exclude') excluded.push(...values.map(each => asCombination(value, each)))
    else {
      if (combinations.length * values.length > maxProduct) throw tooMany(matrix)
      const keys = Object.keys(combinations[0] ?? {}).length + 1
      effort.spend(combinations.length * values.length * keys, key)
      combinations = combinations.flatMap(made => values.map(each => ({ ...made, [name]: each })))
    }
  }
  for (const entry of [...excluded, ...included]) effort.spend(combinations.length * sizeOf(entry), matrix)
  const hasDimensions = combinations.some(made => Object.keys(made).length > 0)
  const kept = hasDimensions ? combinations.filter(made => !excluded.some(entry => covers(made, entry))) : []
  const all = withIncluded(kept, included)
  if (all.length > maxMatrixJobs) throw tooMany(matrix)
  if (all.length === 0) throw refusal(matrix, 'The matrix has no combinations.')
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

function valuesOf(reader: Reader, token: TemplateToken, name: string): Json[] {
  const values = [...literal(token, isSequence, `The matrix key '${name}'`)].map(item =>
    literalOf(reader, item),
  )
  if (values.length === 0 && name !== 'include' && name !== 'exclude') {
    throw refusal(token, `The matrix key '${name}' has no values.`)
  }
  return values
}

function asCombination(node: TemplateToken, value: Json): Combination {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value
  throw refusal(node, 'Each entry in include and exclude must be a mapping.')
}

function literal<T extends MappingToken | SequenceToken>(
  token: TemplateToken,
  is: (token: TemplateToken) => token is T,
  what: string,
): T {
  if (is(token)) return token
  if (!token.isExpression) throw refusal(token, `${what} must be written literally.`)
  throw refusal(token, `${what} is an expression, which is not supported. List its values instead.`)
}

const tooMany = (node: TemplateToken) =>
  refusal(node, `The matrix has more than ${maxMatrixJobs} combinations.`)
