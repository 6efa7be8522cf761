import { z } from 'zod'
import { conflict, invalid } from './errors'

/** What a form can hold in one field, by the field's wire name. */
type FormFields = Record<string, string | boolean>

const expected = z.record(z.string(), z.union([z.string(), z.boolean()]))

/** What a form sends: the fields that were changed, and what each of them held when the form was shown. */
export function formEdit<T extends z.ZodType>(
  fields: T,
): z.ZodObject<{ changes: T; expected: typeof expected }> {
  return z.object({ changes: fields, expected })
}

export interface FormEdit<T extends FormFields> {
  changes: { [K in keyof T]?: T[K] | undefined }
  expected: FormFields
}

/**
 * Holds a form to what it was filled in against: `current` is what its fields hold now, of a row that stays locked
 * until the change is made.
 * @throws {DomainError} conflict, with what they hold, when somebody else has given a changed field another value in the
 * meantime; invalid for a form that does not say what it expects of a field it changes.
 */
export function requireUnchanged<T extends FormFields>(current: T, { changes, expected }: FormEdit<T>): void {
  const changed = Object.keys(changes).filter(name => changes[name] !== undefined)
  const missing = changed.find(name => !(name in expected))
  if (missing) throw invalid(`what is expected of ${missing} is missing`, { field: missing })
  const differing = changed.filter(
    name => current[name] !== expected[name] && current[name] !== changes[name],
  )
  if (differing.length === 0) return
  throw conflict(`somebody else has changed ${differing.join(', ')} in the meantime; nothing was saved`, {
    current: Object.fromEntries(differing.map(name => [name, current[name] ?? ''])),
  })
}
