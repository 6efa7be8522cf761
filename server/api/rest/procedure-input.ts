import type { z } from 'zod'

/** Named inputs of a request or a procedure. */
export type Input = Record<string, unknown>

/**
 * Returns a function that makes the input of a procedure from the input of a request and the values in its
 * path; undefined if the procedure takes none. Values of the query are texts: empty ones are left out, a single
 * one becomes a list where the procedure expects a list, and numbers, booleans and dates are converted, which
 * is switched on in the schemas themselves by the first call.
 */
export function procedureInput(
  schemas: readonly unknown[],
  { hasBody }: { hasBody: boolean },
): (input: Input, inPath: Record<string, string>) => Input | undefined {
  const wrapped = schemas.map(schema => unwrapped(schema as z.core.$ZodTypes))
  const isNone =
    wrapped.length === 1 && ['void', 'undefined', 'never'].includes(typeOf(wrapped[0] as z.core.$ZodTypes))
  const fields = Object.assign({}, ...wrapped.map(schema => shapeOf(schema))) as Shape
  const lists = Object.keys(fields).filter(name => isList(fields[name]))
  let converts = false
  return (input, inPath) => {
    if (isNone) return undefined
    if (!converts) convertTexts(fields)
    converts = true
    if (hasBody) return { ...input, ...inPath }
    const all: Input = {
      ...Object.fromEntries(Object.entries(input).filter(([, value]) => value)),
      ...inPath,
    }
    for (const name of lists) {
      if (all[name] !== undefined && !Array.isArray(all[name])) all[name] = [all[name]]
    }
    return all
  }
}

type Shape = Record<string, z.core.$ZodTypes>

const typeOf = (schema: z.core.$ZodTypes): string => schema._zod.def.type

const shapeOf = (schema: z.core.$ZodTypes): Shape =>
  schema._zod.def.type === 'object' ? (schema._zod.def.shape as Shape) : {}

// The object that is parsed before or after a transformation.
function unwrapped(schema: z.core.$ZodTypes): z.core.$ZodTypes {
  const { def } = innerOf(schema)._zod
  if (def.type !== 'pipe') return innerOf(schema)
  const [before, after] = [def.in, def.out] as [z.core.$ZodTypes, z.core.$ZodTypes]
  return unwrapped(typeOf(after) === 'transform' ? before : after)
}

function isList(schema: z.core.$ZodTypes | undefined): boolean {
  const def = schema?._zod.def
  return def?.type === 'array' || (def?.type === 'optional' && isList(def.innerType as z.core.$ZodTypes))
}

function convertTexts(fields: Shape): void {
  for (const field of Object.values(fields)) {
    const schema = innerOf(field)
    if (['number', 'boolean', 'bigint', 'date'].includes(typeOf(schema))) {
      Object.assign(schema._zod.def, { coerce: true })
    } else convertTexts(shapeOf(schema))
  }
}

function innerOf(schema: z.core.$ZodTypes): z.core.$ZodTypes {
  const { def } = schema._zod
  switch (def.type) {
    case 'array':
      return innerOf(def.element as z.core.$ZodTypes)
    case 'nullable':
    case 'optional':
    case 'default':
    case 'prefault':
      return innerOf(def.innerType as z.core.$ZodTypes)
    case 'lazy':
      return innerOf(def.getter() as z.core.$ZodTypes)
    default:
      return schema
  }
}
