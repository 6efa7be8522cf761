import pg from 'pg'

const int8 = pg.types.builtins.INT8
// OID of int8[], which is missing from the constants of `pg`.
const int8Array = 1016 as typeof int8

/**
 * Converts column values to JavaScript values. An int8 becomes a number; if it cannot be represented exactly,
 * a RangeError is thrown.
 */
export const columnTypes = new pg.TypeOverrides()
columnTypes.setTypeParser(int8, toSafeInteger)
columnTypes.setTypeParser(int8Array, (text: string) => deepNumbers(readTextArray(text)))

// IDs are JSON numbers, so a value that JavaScript would round must cause an error instead.
function toSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`int8 value ${text} is outside the safe integer range`)
  return value
}

type Nested<T> = T | null | Nested<T>[]

const readTextArray: (text: string) => Nested<string> = pg.types.getTypeParser(int8Array)

function deepNumbers(value: Nested<string>): Nested<number> {
  if (value === null) return null
  return Array.isArray(value) ? value.map(deepNumbers) : toSafeInteger(value)
}
