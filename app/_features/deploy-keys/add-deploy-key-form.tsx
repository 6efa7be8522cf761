'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { ExpiryField } from '@/app/_components/expiry-field'
import { CheckField, FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { KeyTextField, PrivateKeyWarning, useKeyPreview } from '@/app/_features/keys/key-text-field'
import { type Expiry, wireEnd } from '@/app/_lib/expiry'
import { showFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { queryKeys } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import { looksLikePrivateKey } from '@/server/keys/ssh/private-key'

const loadNewKey = async () => (await import('./form-schemas')).NewDeployKey

const endless: Expiry = { after: 'never', date: '' }

interface AddDeployKeyFormProps {
  path: RepoPath
  onAdded: (id: number) => void
  onCancel: () => void
}

export function AddDeployKeyForm({ path, onAdded, onCancel }: AddDeployKeyFormProps): ReactNode {
  const queryClient = useQueryClient()
  const [warned, setWarned] = useState(false)
  const newKey = useForm({
    resolver: useSchemaResolver(loadNewKey),
    defaultValues: { title: '', key: '', mayWrite: false, expiry: endless },
  })
  const { errors, isDirty, isSubmitting } = newKey.formState
  const [key, expiry] = useWatch({ control: newKey.control, name: ['key', 'expiry'] })
  useUnsavedWarning(isDirty)
  // Its comment, most often somebody's address, is not suggested as the title, which others see.
  const preview = useKeyPreview(key, () => undefined)

  // Nothing that looks like a private key may reach the form's state, from where it would be sent.
  const take = (field: 'title' | 'key', text: string): void => {
    const isPrivate = looksLikePrivateKey(text)
    if (isPrivate || field === 'key') setWarned(isPrivate)
    newKey.clearErrors(field)
    newKey.setValue(field, isPrivate ? '' : text, { shouldDirty: true })
  }

  const submit = useSingleFlight(
    newKey.handleSubmit(async ({ mayWrite, expiry: chosen, ...input }) => {
      try {
        const option = { ...path, ...input, read_only: !mayWrite, expires_at: wireEnd(chosen) }
        const { id } = await trpc.keys.deploy.add.mutate(option)
        await queryClient.invalidateQueries({ queryKey: queryKeys.repository.deployKeys(path) })
        onAdded(id)
        toast.success(`Added the deploy key “${input.title}”`)
      } catch (error) {
        showFailure(newKey, error)
      }
    }),
  )

  return (
    <Panel title="Add a deploy key">
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
          caption="A name to know it by, such as the program that has it. Everyone who can see the repository sees this title beside pushes with the key."
          error={errors.title?.message}
        />
        <CheckField
          {...newKey.register('mayWrite')}
          label="Allow write access"
          caption="Whoever holds the private key can then push to every branch and tag, too."
        />
        <ExpiryField
          what="key"
          endless="The key works until you delete it. One that ends does less harm when it leaks."
          value={expiry}
          after={newKey.register('expiry.after')}
          date={newKey.register('expiry.date')}
          error={errors.expiry?.date?.message}
        />
        <div className={form.actions}>
          <Button type="submit" variant="primary" loading={isSubmitting}>
            Add deploy key
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </form>
    </Panel>
  )
}
