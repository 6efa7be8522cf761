'use client'
import { type BaseSyntheticEvent, useEffect, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod'
import { readFailure, showFailure } from './failure'
import { useSchemaResolver } from './use-schema-resolver'
import { useSingleFlight } from './use-single-flight'
import { refreshPage } from './workarounds/navigation-queue'
import { useUnsavedWarning } from './workarounds/use-unsaved-warning'

type FieldValue = string | boolean

/** A field that someone else has changed since the form was shown. */
export interface SaveConflict {
  field: string
  theirs: FieldValue
  mine: FieldValue
}

/** The changed fields with their new and previous values. */
interface SentEdit<Output> {
  changes: Partial<Output>
  expected: Record<string, FieldValue>
}

interface SaveFormOptions<Input extends FieldValues, Output> {
  schema: () => Promise<z.ZodType<Output, Input>>
  /** The values on the server, as far as the page knows. */
  saved: DefaultValues<Input> & Record<string, FieldValue>
  /** Labels of the fields. */
  labels: Readonly<Record<string, string>>
  /** Asks whether to save. If it returns false, the form remains unchanged. */
  confirm?: (edit: SentEdit<Output>) => Promise<boolean>
  /** Sends the edit and returns the new values of all fields. */
  save: (edit: SentEdit<Output>) => Promise<Record<string, FieldValue>>
}

/** State of an edit form apart from its fields. */
export interface SaveFormState {
  submit: (event?: BaseSyntheticEvent) => Promise<void>
  unsaved: boolean
  saving: boolean
  /** Problem of the form as a whole. Problems of a field are shown next to it. */
  problem: string | undefined
  conflicts: readonly SaveConflict[]
  labels: Readonly<Record<string, string>>
  /** Replaces the viewer's value with the one that someone else has saved. */
  takeTheirs: (conflict: SaveConflict) => void
}

interface SaveForm<Input extends FieldValues, Output> extends SaveFormState {
  form: UseFormReturn<Input, unknown, Output>
  /** Shows the given values instead of what was typed. */
  adopt: (saved: Record<string, FieldValue>) => void
  /** Returns the props of a text field. */
  text: (name: keyof Input & string) => UseFormRegisterReturn & {
    defaultValue: string
    label: string
    error: string | undefined
  }
  /** Returns the props of a checkbox. */
  check: (name: keyof Input & string) => UseFormRegisterReturn & { defaultChecked: boolean; label: string }
}

/**
 * Form to edit saved values. It sends only the changed fields, so that people who edit different fields don't
 * overwrite each other. If both changed the same field, the later one is shown the other's value first.
 */
export function useSaveForm<Input extends FieldValues, Output extends FieldValues>({
  schema,
  saved,
  labels,
  confirm = async () => true,
  save,
}: SaveFormOptions<Input, Output>): SaveForm<Input, Output> {
  const form = useForm<Input, unknown, Output>({ resolver: useSchemaResolver(schema), defaultValues: saved })
  const { errors, dirtyFields, isDirty, isSubmitting } = form.formState
  const [known, setKnown] = useState<Record<string, FieldValue>>(saved)
  const [conflicts, setConflicts] = useState<readonly SaveConflict[]>([])
  useUnsavedWarning(isDirty)

  useOthersChanges(saved, form, setKnown)

  const setField = (field: string, value: FieldValue): void =>
    form.setValue(field as Path<Input>, value as PathValue<Input, Path<Input>>, { shouldDirty: true })

  // From now on, the other person's value counts as the saved one, so that saving again replaces it
  // knowingly.
  const meet = (current: Record<string, FieldValue>): void => {
    const met = Object.entries(current).map(([field, theirs]) => ({
      field,
      theirs,
      mine: form.getValues(field as Path<Input>) as FieldValue,
    }))
    for (const { field, theirs, mine } of met) {
      form.resetField(field as Path<Input>, { defaultValue: theirs as PathValue<Input, Path<Input>> })
      setField(field, mine)
    }
    setKnown({ ...known, ...current })
    setConflicts(met)
  }

  const adopted = useRef<object>(saved)
  const adopt = (now: Record<string, FieldValue>): void => {
    adopted.current = now
    setKnown(now)
    setConflicts([])
    form.reset(now as unknown as DefaultValues<Input>, keepFields)
  }

  const send = async (values: Output, typed: Readonly<Record<string, unknown>>): Promise<void> => {
    const changed = Object.keys(values).filter(field => (dirtyFields as Record<string, unknown>)[field])
    const edit = {
      changes: pick(values, changed) as Partial<Output>,
      expected: pick(known, changed) as Record<string, FieldValue>,
    }
    if (!(await confirm(edit))) return
    const before = adopted.current
    try {
      const now = await save(edit)
      refreshPage()
      // Values that another action has since adopted are newer.
      if (adopted.current !== before) return
      const typedSince = Object.entries(form.getValues()).filter(([field, value]) => value !== typed[field])
      adopt(now)
      for (const [field, value] of typedSince) setField(field, value as FieldValue)
    } catch (error) {
      const { current } = readFailure(error)
      if (current) meet(current)
      else showFailure(form, error)
    }
  }

  return {
    form,
    adopt,
    ...fieldsOf(form, saved, labels, errors),
    labels,
    // The button stays enabled even if there is nothing to save, so that it keeps the focus.
    submit: useSingleFlight(async event => {
      if (!isDirty) return
      // Text typed while the form is being validated, confirmed, and sent is not part of the edit.
      const typed = { ...form.getValues() }
      await form.handleSubmit(values => send(values, typed))(event)
    }),
    unsaved: isDirty,
    saving: isSubmitting,
    problem: errors.root?.server?.message,
    conflicts,
    takeTheirs: ({ field, theirs }) => {
      setField(field, theirs)
      setConflicts(conflicts.filter(conflict => conflict.field !== field))
      form.setFocus(field as Path<Input>)
    },
  }
}

/**
 * Shows what others save, unless the form was edited: then it stays as it is, because what arrives meanwhile may be older
 * than what a conflict shows.
 */
function useOthersChanges<Input extends FieldValues, Output extends FieldValues>(
  saved: DefaultValues<Input> & Record<string, FieldValue>,
  form: UseFormReturn<Input, unknown, Output>,
  onChange: (saved: Record<string, FieldValue>) => void,
): void {
  const news = JSON.stringify(saved)
  const seen = useRef(news)
  useEffect(() => {
    if (seen.current === news) return
    seen.current = news
    const now = JSON.parse(news) as typeof saved
    // The check includes text typed since the last render.
    if (Object.keys(now).some(field => form.getFieldState(field as Path<Input>).isDirty)) return
    onChange(now)
    form.reset(now, keepFields)
  }, [news, form, onChange])
}

function fieldsOf<Input extends FieldValues, Output extends FieldValues>(
  form: UseFormReturn<Input, unknown, Output>,
  saved: Record<string, FieldValue>,
  labels: Readonly<Record<string, string>>,
  errors: object,
): Pick<SaveForm<Input, Output>, 'text' | 'check'> {
  return {
    text: name => ({
      ...form.register(name as Path<Input>),
      // The server renders the field before the form has values.
      defaultValue: String(saved[name]),
      label: labels[name] ?? name,
      error: (errors as Record<string, { message?: string }>)[name]?.message,
    }),
    check: name => ({
      ...form.register(name as Path<Input>),
      defaultChecked: saved[name] === true,
      label: labels[name] ?? name,
    }),
  }
}

// Otherwise, the form forgets its fields until the next render, along with anything typed into them
// meanwhile.
const keepFields = { keepFieldsRef: true }

const pick = (values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map(name => [name, values[name]]))
