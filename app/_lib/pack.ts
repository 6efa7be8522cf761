/** Data of a response in which a list of objects says once what all of them share: names of properties, and values. */
export type Packed = { readonly packed: unknown }

/**
 * Marks a list of objects: the properties with the same value in all of them, the names of the others, and the values
 * of each object in this order.
 */
interface Table {
  readonly same: Plain
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Packs data for the way from the server to the page. It consists of what JSON can express. */
export const pack = (value: unknown): Packed => ({ packed: packed(value) })

export const unpack = (value: Packed): unknown => unpacked(value.packed)

function packed(value: unknown): unknown {
  if (!isObject(value)) return value
  if (!Array.isArray(value)) return mapped(value, packed)
  if (value.length < 2 || !value.every(isPlain)) return value.map(packed)
  const names = [...new Set(value.flatMap(one => Object.keys(one)))]
  const first = value[0] as Plain
  const isSame = (name: string) =>
    first[name] !== undefined && !isObject(first[name]) && value.every(one => one[name] === first[name])
  const same = Object.fromEntries(names.filter(isSame).map(name => [name, first[name]]))
  const columns = names.filter(name => !Object.hasOwn(same, name))
  const rows = value.map(one => columns.map(name => packed(one[name])))
  return { same, columns, rows } satisfies Table
}

function unpacked(value: unknown): unknown {
  if (!isObject(value)) return value
  if (Array.isArray(value)) return value.map(unpacked)
  if (!isTable(value)) return mapped(value, unpacked)
  const { same, columns, rows } = value
  return rows.map(row => {
    const pairs = columns.map((name, at) => [name, unpacked(row[at])] as const)
    return { ...same, ...Object.fromEntries(pairs.filter(([, one]) => one !== undefined)) }
  })
}

type Plain = Record<string, unknown>

const isObject = (value: unknown): value is Plain => typeof value === 'object' && value !== null

const isPlain = (value: unknown): value is Plain => isObject(value) && !Array.isArray(value)

// No response has an object with exactly these properties.
const isTable = (value: Plain): value is Plain & Table =>
  isPlain(value.same) &&
  Array.isArray(value.columns) &&
  Array.isArray(value.rows) &&
  Object.keys(value).length === 3

const mapped = (value: Plain, change: (one: unknown) => unknown): Plain =>
  Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)]))
