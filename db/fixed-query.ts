import type { CompiledQuery } from 'kysely'
import type { Db } from './handle'

// Stands for a parameter until the query is run.
class Slot {
  constructor(readonly read: (parameters: unknown) => unknown) {}
}

/** A statement of the query builder, or of `sql`. */
interface Statement<Row> {
  compile(db: Db): CompiledQuery<Row>
}

/**
 * Returns a function that runs a frequent statement whose SQL text is always the same, and resolves to the rows. The
 * statement is built and compiled only once, which takes longer than everything else that this process does for it.
 * `build` gets a placeholder for each value of `parameters` and of the plain objects in it, so it can only pass them on
 * to the statement. Every call must pass the same property names.
 */
export function fixedQuery<Parameters extends object, Row>(
  build: (db: Db, parameters: Parameters) => Statement<Row>,
): (db: Db, parameters: Parameters) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= compile(build(db, slotsOf(values, itself)), db)
    const parameters = compiled.parameters.map(value => (value instanceof Slot ? value.read(values) : value))
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}

// Here, because a closure beside the values would keep those of the first call in memory.
const itself = (parameters: unknown): unknown => parameters

function compile<Row>(statement: Statement<Row>, db: Db): CompiledQuery<Row> {
  const compiled = statement.compile(db)
  if (compiled.parameters.some(isPlainObject)) throw new Error('a parameter of a fixed query is an object')
  return compiled
}

function slotsOf<Values extends object>(values: Values, read: (parameters: unknown) => unknown): Values {
  const slots = Object.entries(values).map(([name, value]) => {
    const readOne = (parameters: unknown) => (read(parameters) as Record<string, unknown>)[name]
    return [name, isPlainObject(value) ? slotsOf(value, readOne) : new Slot(readOne)]
  })
  return Object.fromEntries(slots) as Values
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
