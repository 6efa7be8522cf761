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
  /** Whether the warning about a private key is shown. */
  warned: boolean
  warn: () => void
  /** Stores text entered into a field. Discards a private key and shows the warning instead. */
  take: (field: 'title' | 'key', text: string) => void
}

/** Returns the state of a form for a new key. A private key never becomes part of this state. */
export function useKeyForm(loadSchema: () => Promise<z.ZodType<NewKey, NewKey>>): KeyForm {
  const form = useForm({ resolver: useSchemaResolver(loadSchema), defaultValues: blank })
  const { errors } = form.formState
  const [title, key, expiry] = useWatch({ control: form.control, name: ['title', 'key', 'expiry'] })
  const [warned, setWarned] = useState(false)

  // The form's state is sent to the server, so text that looks like a private key must never become part of
  // it.
  const take = (field: 'title' | 'key', text: string): void => {
    const isPrivate = looksLikePrivateKey(text)
    // Typing a title does not hide the warning; entering another text as the key does.
    if (isPrivate || field === 'key') setWarned(isPrivate)
    form.clearErrors(field)
    form.setValue(field, isPrivate ? '' : text, { shouldDirty: true })
  }
  return { form, errors, values: { title, key, expiry }, warned, warn: () => setWarned(true), take }
}

interface KeyFieldsProps {
  keyForm: KeyForm
  preview: PreviewState
  /** Problem with the key, shown if there is no other error. */
  problem?: string | undefined
  titleCaption: string
  /** Caption if there is no expiration date. */
  endless: string
  /** Additional fields between the title and the expiration date. */
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
      <FormBanner title="The key couldn’t be added" message={errors.root?.server?.message} />
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

/** Alert that takes the focus, so that people notice it before they paste the private key anywhere else. */
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
            It wasn’t sent anywhere and has been cleared from the form. Never share a private key. Paste the
            contents of the file that ends in <code>.pub</code> instead. If you’ve pasted the private key
            anywhere else, create a new key pair and delete the old one.
          </>
        }
      />
    </div>
  )
}
