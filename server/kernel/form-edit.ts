import { z } from 'zod'
import { conflict, invalid } from './errors'

/** Values of a form's fields, by the fields' API names. */
type FormFields = Record<string, string | boolean>

const expected = z.record(z.string(), z.union([z.string(), z.boolean()]))

/**
 * Creates the schema of an edit form: the changed fields, and the value that each had when the form was shown.
 */
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
 * Checks that no one changed the edited fields since the form was shown. `current` contains the current values
 * of a row that remains locked until the edit is saved.
 * @throws {DomainError} conflict with the current values, if someone else changed a field to another value;
 * invalid if the form lacks the expected value of a changed field.
 */
export function requireUnchanged<T extends FormFields>(current: T, { changes, expected }: FormEdit<T>): void {
  const changed = Object.keys(changes).filter(name => changes[name] !== undefined)
  const missing = changed.find(name => !(name in expected))
  if (missing) throw invalid(`the expected value of ${missing} is missing`, { field: missing })
  const differing = changed.filter(
    name => current[name] !== expected[name] && current[name] !== changes[name],
  )
  if (differing.length === 0) return
  throw conflict(
    `someone else has changed ${differing.join(', ')} since the form was shown; nothing was saved`,
    {
      current: Object.fromEntries(differing.map(name => [name, current[name] ?? ''])),
    },
  )
}
