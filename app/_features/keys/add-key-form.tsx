'use client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { wireEnd } from '@/app/_lib/expiry'
import { messageFor, showFailure } from '@/app/_lib/failure'
import { type KeyOwner, sshKeysKey } from '@/app/_lib/queries/keys'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { isolated } from '@/app/_lib/visible-text'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { Page } from '@/server/kernel/pagination'
import type { AddKeyInput, PublicKey } from '@/server/keys/schema'
import { looksLikePrivateKey } from '@/server/keys/ssh/private-key'
import { KeyFields, useKeyForm } from './key-fields'
import { useKeyPreview } from './key-preview'

const loadNewKey = async () => (await import('./form-schemas')).NewKey

interface AddKeyFormProps {
  owner: KeyOwner
  onAdded: (id: number) => void
  onCancel: () => void
}

export function AddKeyForm({ owner, onAdded, onCancel }: AddKeyFormProps): ReactNode {
  const queryClient = useQueryClient()
  const keyForm = useKeyForm(loadNewKey)
  const { form: newKey, values, warn } = keyForm
  const { key, title } = values
  useUnsavedWarning(key !== '' || title !== '')
  // A title suggested from one key is replaced by the title suggested from the next, but a title that the
  // user typed remains.
  const suggested = useRef('')
  const hasSuggestedTitle = (): boolean => newKey.getValues('title') === suggested.current
  const suggest = (comment: string): void => {
    if (!hasSuggestedTitle()) return
    suggested.current = comment
    newKey.setValue('title', comment, { shouldValidate: comment !== '' })
  }
  const preview = useKeyPreview(key, suggest)
  const [isReading, setReading] = useState(false)
  const present = presentKeyTitle(queryClient, owner, preview.facts?.fingerprint)
  const known = present === undefined ? undefined : messageFor({ code: 'keyTaken', title: present })

  const add = newKey.handleSubmit(async ({ expiry, ...input }) => {
    try {
      const { id } = await addKey(owner, { ...input, expires_at: wireEnd(expiry) })
      await queryClient.invalidateQueries({ queryKey: sshKeysKey(owner.username) })
      onAdded(id)
      toast.success(`Added the SSH key “${isolated(input.title)}”`)
    } catch (error) {
      showFailure(newKey, error)
    }
  })
  const submit = useSingleFlight(async event => {
    if (looksLikePrivateKey(title) || looksLikePrivateKey(key)) return warn()
    // People who submit before the preview is ready still get the title that it would suggest.
    if (key.trim() !== '' && hasSuggestedTitle()) {
      setReading(true)
      try {
        suggest((await preview.read()).comment)
      } catch (error) {
        return showFailure(newKey, error)
      } finally {
        setReading(false)
      }
    }
    await add(event)
  })

  return (
    <Panel title="Add an SSH key">
      <form className={form.form} onSubmit={submit} noValidate method="post">
        <KeyFields
          keyForm={keyForm}
          preview={preview}
          problem={known}
          titleCaption="A title that helps you identify this key, such as “Work laptop”."
          endless="This key never expires. An expiration date limits the damage if the device is lost."
        />
        <div className={form.actions}>
          <Button type="submit" variant="primary" loading={isReading || newKey.formState.isSubmitting}>
            Add SSH key
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </form>
    </Panel>
  )
}

function addKey({ username, mine }: KeyOwner, input: Omit<AddKeyInput, 'read_only'>): Promise<PublicKey> {
  return mine ? trpc.keys.add.mutate(input) : trpc.keys.addFor.mutate({ username, ...input })
}

/**
 * Returns the title of a listed key with this fingerprint. Only the loaded pages of the list are searched;
 * the server checks all keys.
 */
function presentKeyTitle(
  queryClient: QueryClient,
  { username }: KeyOwner,
  fingerprint: string | undefined,
): string | undefined {
  if (fingerprint === undefined) return undefined
  const pages = queryClient.getQueriesData<Page<PublicKey>>({ queryKey: sshKeysKey(username) })
  const present = pages.flatMap(([, page]) => page?.items ?? [])
  return present.find(key => key.fingerprint === fingerprint)?.title
}
