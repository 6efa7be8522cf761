import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './handle'

// Stands for a parameter until the query is run.
class Slot {
  constructor(readonly name: PropertyKey) {}
}

const slots = new Proxy({}, { get: (_, name) => new Slot(name) })

/**
 * Returns a function that runs a frequent query whose SQL text is always the same, and resolves to the rows. The
 * query is built and compiled only once, which takes longer than everything else that this process does for it.
 * `build` gets placeholders instead of values, so it can only pass them on to the query.
 */
export function fixedQuery<Parameters extends object, Row>(
  build: (db: Db, parameters: Parameters) => Compilable<Row>,
): (db: Db, parameters: Parameters) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= build(db, slots as Parameters).compile()
    const parameters = compiled.parameters.map(value =>
      value instanceof Slot ? values[value.name as keyof Parameters] : value,
    )
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}
