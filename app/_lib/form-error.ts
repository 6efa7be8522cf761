import type { FieldValues, Path, UseFormGetValues, UseFormSetError } from 'react-hook-form'
import { readFailure } from './failure'

interface Form<T extends FieldValues> {
  setError: UseFormSetError<T>
  getValues: UseFormGetValues<T>
}

/** Puts a failed call where the person can act on it: beside its field, or above the form. */
export function showFailure<T extends FieldValues>(form: Form<T>, error: unknown): void {
  const { field, message } = readFailure(error)
  const known = field !== undefined && field in form.getValues()
  form.setError(known ? (field as Path<T>) : 'root.server', { message }, { shouldFocus: known })
}
