'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type FieldErrors, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { Banner } from '@/app/_components/banner'
import { ExpiryField } from '@/app/_components/expiry-field'
import { FormBanner, TextField } from '@/app/_components/fields'
import type { Expiry } from '@/app/_lib/expiry'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { looksLikePrivateKey } from '@/server/keys/ssh/private-key'
import type { PreviewState } from './key-preview'
import { KeyTextField } from './key-text-field'

interface NewKey {
  title: string
  key: string
  expiry: Expiry
}

const blank: NewKey = { title: '', key: '', expiry: { after: 'never', date: '' } }

interface KeyForm {
  form: UseFormReturn<NewKey>
  errors: FieldErrors<NewKey>
  values: NewKey
  /** Whether somebody has entered a private key. */
  warned: boolean
  warn: () => void
  /** Takes a text that was typed, pasted or read from a file. */
  take: (field: 'title' | 'key', text: string) => void
}

/** The form of a new key, from which a private key is kept out. */
export function useKeyForm(loadSchema: () => Promise<z.ZodType<NewKey, NewKey>>): KeyForm {
  const form = useForm({ resolver: useSchemaResolver(loadSchema), defaultValues: blank })
  const { errors } = form.formState
  const [title, key, expiry] = useWatch({ control: form.control, name: ['title', 'key', 'expiry'] })
  const [warned, setWarned] = useState(false)

  // Nothing that looks like a private key may reach the form's state, from where it would be sent.
  const take = (field: 'title' | 'key', text: string): void => {
    const isPrivate = looksLikePrivateKey(text)
    // The warning stays while the title is typed; a new text in the key field ends it.
    if (isPrivate || field === 'key') setWarned(isPrivate)
    form.clearErrors(field)
    form.setValue(field, isPrivate ? '' : text, { shouldDirty: true })
  }
  return { form, errors, values: { title, key, expiry }, warned, warn: () => setWarned(true), take }
}

interface KeyFieldsProps {
  keyForm: KeyForm
  preview: PreviewState
  /** Said of the key where nothing else is wrong with it. */
  problem?: string | undefined
  titleCaption: string
  /** Said of a key that has no end. */
  endless: string
  /** More fields, between the title and the end. */
  children?: ReactNode
}

export function KeyFields({
  keyForm: { form, errors, values, warned, take },
  preview,
  problem,
  titleCaption,
  endless,
  children,
}: KeyFieldsProps): ReactNode {
  return (
    <>
      <FormBanner title="The key was not added" message={errors.root?.server?.message} />
      {warned ? <PrivateKeyWarning /> : null}
      <KeyTextField
        field={form.register('key')}
        value={values.key}
        error={errors.key?.message ?? preview.problem ?? problem}
        preview={preview.facts}
        onText={text => take('key', text)}
      />
      <TextField
        {...form.register('title', { onChange: event => take('title', event.target.value) })}
        label="Title"
        autoComplete="off"
        caption={titleCaption}
        error={errors.title?.message}
      />
      {children}
      <ExpiryField
        what="key"
        endless={endless}
        value={values.expiry}
        after={form.register('expiry.after')}
        date={form.register('expiry.date')}
        error={errors.expiry?.date?.message}
      />
    </>
  )
}

/** Loud, and focused: the person must notice before pasting it anywhere else. */
function PrivateKeyWarning(): ReactNode {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <div role="alert">
      <Banner
        ref={ref}
        tabIndex={-1}
        variant="critical"
        title="This is a private key"
        description={
          <>
            It was not sent anywhere and has been cleared from the form. A private key must never leave your
            machine. Paste the contents of the file that ends in <code>.pub</code> instead. If you have pasted
            the private key anywhere else, make a new pair and delete the old one.
          </>
        }
      />
    </div>
  )
}
