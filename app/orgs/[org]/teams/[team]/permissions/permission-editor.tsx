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
import { draftOf, isChanged, wordsOf } from '@/app/orgs/_teams/permission-draft'
import { PermissionFields } from '@/app/orgs/_teams/permission-fields'
import type { Team } from '@/server/teams/schema'
import { ChangeReview } from './change-review'

/** Permissions are chosen first and saved as a whole, after a look at what that changes. */
export function PermissionEditor({ team }: { team: Team }): ReactNode {
  const router = useRouter()
  const [saved, setSaved] = useState(team)
  const [draft, setDraft] = useState(() => draftOf(team))
  const unsaved = isChanged(saved, draft)
  useUnsavedWarning(unsaved)

  const saving = useMutation({
    mutationFn: () => trpc.teams.edit.mutate({ id: team.id, ...wordsOf(draft) }),
    onSuccess: now => {
      setSaved(now)
      setDraft(draftOf(now))
      toast.success(`Saved the permissions of ${now.name}`)
      router.refresh()
    },
  })
  const discard = (): void => {
    setDraft(draftOf(saved))
    saving.reset()
  }

  return (
    <div className={form.form}>
      <PermissionFields draft={draft} saved={draftOf(saved)} onChange={setDraft} />
      <FormBanner
        title="The permissions were not saved"
        message={saving.error ? readFailure(saving.error).message : undefined}
      />
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
