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

/** A field that somebody else has changed since the form was shown. */
export interface SaveConflict {
  field: string
  theirs: FieldValue
  mine: FieldValue
}

/** The changed fields, and what each of them was changed from. */
interface SentEdit<Output> {
  changes: Partial<Output>
  expected: Record<string, FieldValue>
}

interface SaveFormOptions<Input extends FieldValues, Output> {
  schema: () => Promise<z.ZodType<Output, Input>>
  /** What the fields hold on the server, as far as the page knows. */
  saved: DefaultValues<Input> & Record<string, FieldValue>
  /** What the fields are called on the form. */
  labels: Readonly<Record<string, string>>
  /** Asks whether to save; after a no the form stays as it is. */
  confirm?: (edit: SentEdit<Output>) => Promise<boolean>
  /** Sends the edit; gives what all fields hold then. */
  save: (edit: SentEdit<Output>) => Promise<Record<string, FieldValue>>
}

/** What surrounds the fields of a form that changes what is there. */
export interface SaveFormState {
  submit: (event?: BaseSyntheticEvent) => Promise<void>
  unsaved: boolean
  saving: boolean
  /** Of the form as a whole; what is wrong with one field is told beside it. */
  problem: string | undefined
  conflicts: readonly SaveConflict[]
  labels: Readonly<Record<string, string>>
  /** Gives up one's own value for the one somebody else has saved. */
  takeTheirs: (conflict: SaveConflict) => void
}

interface SaveForm<Input extends FieldValues, Output> extends SaveFormState {
  form: UseFormReturn<Input, unknown, Output>
  /** Shows what the fields hold by now instead of what was typed. */
  adopt: (saved: Record<string, FieldValue>) => void
  /** What a field of text needs. */
  text: (name: keyof Input & string) => UseFormRegisterReturn & {
    defaultValue: string
    label: string
    error: string | undefined
  }
  /** What a box to tick needs. */
  check: (name: keyof Input & string) => UseFormRegisterReturn & { defaultChecked: boolean; label: string }
}

/**
 * A form that changes what is there. It sends what was changed and nothing else, so that two people who edit different
 * fields do not undo each other; where both have changed one field, the later is told of the other's value first.
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

  // From now on their value counts as the saved one, so that saving again replaces it knowingly.
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
      // What another action has brought meanwhile is newer.
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
    // The button stays where the keyboard is, also when there is nothing to save.
    submit: useSingleFlight(async event => {
      if (!isDirty) return
      // What is typed while this is checked, asked about and sent is not part of it.
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
    // What was typed since the last render counts as well.
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
      // The server renders it before the form has values.
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

// Otherwise the form forgets its fields until the next render, and what is typed into one of them meanwhile.
const keepFields = { keepFieldsRef: true }

const pick = (values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map(name => [name, values[name]]))
