'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import { draftOf, isChanged, wordsOf } from '@/app/-/orgs/_teams/permission-draft'
import { PermissionFields } from '@/app/-/orgs/_teams/permission-fields'
import type { Team } from '@/server/teams/schema'
import { ChangeReview } from './change-review'
import { SaveBar } from './save-bar'

const changedMeanwhile =
  'Somebody changed them meanwhile. Below is what your choice would change of what they are now; save again if that is what you want.'

/** Permissions are chosen first and saved as a whole, after a look at what that changes. */
export function PermissionEditor({ team }: { team: Team }): ReactNode {
  const router = useRouter()
  const [saved, setSaved] = useState(team)
  const [stale, setStale] = useState(false)
  const [draft, setDraft] = useState(() => draftOf(team))
  const unsaved = isChanged(saved, draft)
  useUnsavedWarning(unsaved)

  const { permission, units_map } = saved
  const change = { id: team.id, ...wordsOf(draft), expected: { permission, units_map } }
  const catchUp = async (): Promise<void> => {
    setSaved(await trpc.teams.get.query({ id: team.id }))
    setStale(true)
  }
  const saving = useMutation({
    mutationFn: () => trpc.teams.setPermissions.mutate(change),
    onSuccess: now => {
      setSaved(now)
      setStale(false)
      setDraft(draftOf(now))
      toast.success(`Saved the permissions of ${now.name}`)
      router.refresh()
    },
    onError: error => (readFailure(error).kind === 'conflict' ? catchUp() : undefined),
  })
  const failure = saving.error ? readFailure(saving.error) : undefined
  const refusal = stale ? changedMeanwhile : failure?.kind === 'conflict' ? undefined : failure?.message
  const discard = (): void => {
    setDraft(draftOf(saved))
    setStale(false)
    saving.reset()
  }

  return (
    <div className={form.form}>
      <PermissionFields draft={draft} saved={draftOf(saved)} onChange={setDraft} />
      <SaveBar
        team={saved}
        draft={draft}
        unsaved={unsaved}
        saving={saving.isPending}
        onSave={() => saving.mutate()}
        onDiscard={discard}
      />
      <FormBanner title="The permissions were not saved" message={refusal} />
      {unsaved ? <ChangeReview team={saved} draft={draft} change={change} onStale={catchUp} /> : null}
    </div>
  )
}
