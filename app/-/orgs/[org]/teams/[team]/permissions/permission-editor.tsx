'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { toast } from 'sonner'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import { draftOf, isChanged, wordsOf } from '@/app/-/orgs/_teams/permission-draft'
import { PermissionFields } from '@/app/-/orgs/_teams/permission-fields'
import type { Team } from '@/server/teams/schema'
import { ChangeReview } from './change-review'

const changedMeanwhile =
  'Somebody changed them meanwhile. Below is what your choice would change of what they are now; save again if that is what you want.'

/** Permissions are chosen first and saved as a whole, after a look at what that changes. */
export function PermissionEditor({ team }: { team: Team }): ReactNode {
  const router = useRouter()
  const [saved, setSaved] = useState(team)
  const [draft, setDraft] = useState(() => draftOf(team))
  const unsaved = isChanged(saved, draft)
  useUnsavedWarning(unsaved)

  const saving = useMutation({
    mutationFn: async () => {
      const now = await trpc.teams.get.query({ id: team.id })
      if (isChanged(saved, draftOf(now))) return { stale: now }
      return { team: await trpc.teams.edit.mutate({ id: team.id, ...wordsOf(draft) }) }
    },
    onSuccess: ({ stale, team: now }) => {
      if (stale) return setSaved(stale)
      setSaved(now)
      setDraft(draftOf(now))
      toast.success(`Saved the permissions of ${now.name}`)
      router.refresh()
    },
  })
  const refusal = saving.data?.stale
    ? changedMeanwhile
    : saving.error
      ? readFailure(saving.error).message
      : undefined
  const discard = (): void => {
    setDraft(draftOf(saved))
    saving.reset()
  }

  return (
    <div className={form.form}>
      <PermissionFields draft={draft} saved={draftOf(saved)} onChange={setDraft} />
      <FormBanner title="The permissions were not saved" message={refusal} />
      {unsaved ? <ChangeReview team={saved} draft={draft} /> : null}
      <div className={form.actions}>
        <Button
          variant="primary"
          disabled={!unsaved}
          loading={saving.isPending}
          onClick={() => saving.isPending || saving.mutate()}
        >
          Save permissions
        </Button>
        <Button disabled={!unsaved} onClick={discard}>
          Discard changes
        </Button>
        <span className={form.hint} role="status">
          {unsaved ? 'You have unsaved changes.' : ''}
        </span>
      </div>
    </div>
  )
}
