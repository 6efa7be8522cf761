import pg from 'pg'

const int8 = pg.types.builtins.INT8
// Missing from the list of known types.
const int8Array = 1016 as typeof int8

/** How values of a column become JavaScript values: int8 is a number here, and never a rounded one. */
export const columnTypes = new pg.TypeOverrides()
columnTypes.setTypeParser(int8, toSafeInteger)
columnTypes.setTypeParser(int8Array, (text: string) => deepNumbers(readTextArray(text)))

// Ids travel as JSON numbers, so a value that JavaScript would round must fail loudly instead.
function toSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 value ${text} is beyond the safe integers`)
  return value
}

type Nested<T> = T | null | Nested<T>[]

const readTextArray: (text: string) => Nested<string> = pg.types.getTypeParser(int8Array)

function deepNumbers(value: Nested<string>): Nested<number> {
  if (value === null) return null
  return Array.isArray(value) ? value.map(deepNumbers) : toSafeInteger(value)
}
