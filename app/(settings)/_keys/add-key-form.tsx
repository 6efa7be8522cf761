'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { Button } from '@/app/_components/primer'
import { TextField } from '@/app/_components/text-field'
import { showFailure } from '@/app/_lib/form-error'
import { addKey, type KeyOwner } from '@/app/_lib/key-owner'
import { toast } from '@/app/_lib/toast'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import { looksLikePrivateKey } from '@/server/keys/private-key'
import { KeyTextField } from './key-text-field'
import { PrivateKeyWarning } from './private-key-warning'
import { useKeyPreview } from './use-key-preview'

const loadNewKey = async () =>
  (await import('@/server/keys/schema')).AddKeyInput.pick({ title: true, key: true })

export function AddKeyForm({ owner, onDone }: { owner: KeyOwner; onDone: () => void }): ReactNode {
  const queryClient = useQueryClient()
  const [warned, setWarned] = useState(false)
  const newKey = useForm({ resolver: useSchemaResolver(loadNewKey), defaultValues: { title: '', key: '' } })
  const { errors, isSubmitting } = newKey.formState
  const [key, title] = useWatch({ control: newKey.control, name: ['key', 'title'] })
  useUnsavedWarning(key !== '' || title !== '')
  const preview = useKeyPreview(key, comment => {
    if (newKey.getValues('title') === '') newKey.setValue('title', comment, { shouldValidate: true })
  })

  // Nothing that looks like a private key may reach the form's state, from where it would be sent.
  const take = (field: 'title' | 'key', text: string): void => {
    const isPrivate = looksLikePrivateKey(text)
    // The warning stays while the title is typed; a new text in the key field ends it.
    if (isPrivate || field === 'key') setWarned(isPrivate)
    newKey.clearErrors(field)
    newKey.setValue(field, isPrivate ? '' : text)
  }

  const submit = useSingleFlight(
    newKey.handleSubmit(async input => {
      if (looksLikePrivateKey(input.title) || looksLikePrivateKey(input.key)) return setWarned(true)
      try {
        await addKey(owner, input)
        await queryClient.invalidateQueries({ queryKey: ['keys', owner.username] })
        onDone()
        toast.success(`Added the SSH key “${input.title}”`)
      } catch (error) {
        showFailure(newKey, error)
      }
    }),
  )

  return (
    <Panel title="Add an SSH key">
      <form className={form.form} onSubmit={submit} noValidate method="post">
        <FormBanner title="The key was not added" message={errors.root?.server?.message} />
        {warned ? <PrivateKeyWarning /> : null}
        <KeyTextField
          field={newKey.register('key')}
          value={key}
          error={errors.key?.message ?? preview.problem}
          preview={preview.facts}
          onText={text => take('key', text)}
        />
        <TextField
          {...newKey.register('title', { onChange: event => take('title', event.target.value) })}
          label="Title"
          autoComplete="off"
          caption="A name to know it by, such as the machine it is on."
          error={errors.title?.message}
        />
        <div className={form.actions}>
          <Button type="submit" variant="primary" loading={isSubmitting}>
            Add SSH key
          </Button>
          <Button onClick={onDone}>Cancel</Button>
        </div>
      </form>
    </Panel>
  )
}
