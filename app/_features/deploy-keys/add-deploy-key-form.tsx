'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Panel } from '@/app/_components/box'
import { CheckField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { KeyFields, useKeyForm } from '@/app/_features/keys/key-fields'
import { useKeyPreview } from '@/app/_features/keys/key-preview'
import { wireEnd } from '@/app/_lib/expiry'
import { showFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { deployKeysKey } from '@/app/_lib/queries/keys'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { isolated } from '@/app/_lib/visible-text'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'

const loadNewKey = async () => (await import('./form-schemas')).NewDeployKey

interface AddDeployKeyFormProps {
  path: RepoPath
  onAdded: (id: number) => void
  onCancel: () => void
}

export function AddDeployKeyForm({ path, onAdded, onCancel }: AddDeployKeyFormProps): ReactNode {
  const queryClient = useQueryClient()
  const keyForm = useKeyForm(loadNewKey)
  const { isDirty, isSubmitting } = keyForm.form.formState
  const [mayWrite, setMayWrite] = useState(false)
  useUnsavedWarning(isDirty || mayWrite)
  // A key's comment is often an email address. It is not suggested as the title, because other people can see
  // the title.
  const preview = useKeyPreview(keyForm.values.key, () => undefined)

  const submit = useSingleFlight(
    keyForm.form.handleSubmit(async ({ expiry, ...input }) => {
      try {
        const option = { ...path, ...input, read_only: !mayWrite, expires_at: wireEnd(expiry) }
        const { id } = await trpc.keys.deploy.add.mutate(option)
        await queryClient.invalidateQueries({ queryKey: deployKeysKey(path) })
        onAdded(id)
        toast.success(`Added the deploy key “${isolated(input.title)}”`)
      } catch (error) {
        showFailure(keyForm.form, error)
      }
    }),
  )

  return (
    <Panel title="Add a deploy key">
      <form className={form.form} onSubmit={submit} noValidate method="post">
        <KeyFields
          keyForm={keyForm}
          preview={preview}
          titleCaption="A title that helps you identify this key, such as “Build server”. Anyone who can see the repository can see this title next to pushes made with the key."
          endless="This key never expires. An expiration date limits the damage if it leaks."
        >
          <CheckField
            checked={mayWrite}
            onChange={event => setMayWrite(event.target.checked)}
            label="Allow write access"
            caption="Anyone with the private key can also push to any branch or tag."
          />
        </KeyFields>
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
