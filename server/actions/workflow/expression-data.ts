import { data } from '@actions/expressions'
import type { Json } from '@/db/tables/workflow-templates'

// Keeping the sizes of many small values takes longer than computing them again.
const minKeptSize = 100
const sizes = new WeakMap<data.ExpressionData, number>()

/** Returns the approximate length of a value in characters. */
export function sizeOf(value: data.ExpressionData): number {
  if (value.kind === data.Kind.String) return value.value.length + 1
  if (value.primitive) return 1
  const known = sizes.get(value)
  if (known !== undefined) return known
  let size = 1
  if (value instanceof data.Array) for (const part of value.values()) size += sizeOf(part)
  if (value instanceof data.Dictionary)
    for (const pair of value.pairs()) size += pair.key.length + sizeOf(pair.value)
  if (size > minKeptSize) sizes.set(value, size)
  return size
}

// Jobs of a run read the same values, which can be long, such as `github.event` or the outputs of a job that
// many need.
const converted = new WeakMap<object, data.ExpressionData>()
// Depth of `needs.build.outputs`, the deepest value that contexts share.
export const keptDepth = 2

/** Converts a value to data of expressions. Values of at most `keptDepth` are converted only once. */
export function toData(value: Json, depth = 0): data.ExpressionData {
  switch (typeof value) {
    case 'string':
      return new data.StringData(value)
    case 'number':
      return new data.NumberData(value)
    case 'boolean':
      return new data.BooleanData(value)
  }
  if (value === null) return new data.Null()
  const known = depth <= keptDepth ? converted.get(value) : undefined
  if (known) return known
  const made = Array.isArray(value) ? new data.Array() : new data.Dictionary()
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue
    const each = toData(part, depth + 1)
    if (made instanceof data.Array) made.add(each)
    else made.add(key, each)
  }
  if (depth <= keptDepth) converted.set(value, made)
  return made
}

/** Converts data of expressions to a value that the database can store. */
export function fromData(value: data.ExpressionData): Json {
  if (value instanceof data.Array) return value.values().map(fromData)
  if (value instanceof data.Dictionary)
    return Object.fromEntries(value.pairs().map(pair => [storable(pair.key), fromData(pair.value)]))
  switch (value.kind) {
    case data.Kind.String:
      return storable(value.value)
    case data.Kind.Boolean:
      return value.value
    case data.Kind.Number:
      return numberOf(value.number())
    default:
      return null
  }
}

// As in JSON, there is no other zero, and nothing that is not a number.
const numberOf = (value: number): number | null => (Number.isFinite(value) ? value + 0 : null)

/** Removes the characters that the database cannot store: NUL and lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()
