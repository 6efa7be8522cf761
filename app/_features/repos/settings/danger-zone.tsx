'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { DangerItem } from '@/app/_components/danger-zone'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { audienceOf } from '@/app/_features/repos/access/access-labels'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { Repository } from '@/server/repos/schema'

export function VisibilitySection({ repository }: { repository: Repository }): ReactNode {
  const { owner, name, full_name } = repository
  const toPrivate = !repository.private
  const word = toPrivate ? 'private' : 'public'
  return (
    <DangerItem title="Visibility">
      <div className={form.form}>
        <p>
          {repository.private
            ? 'This repository is private. Only people with access can see it.'
            : `This repository isn’t private: ${audienceOf(repository.owner)} can see it.`}
        </p>
        <div className={form.actions}>
          <ConfirmButton
            label={`Make ${word}…`}
            title={`Make ${full_name} ${word}?`}
            confirm={`Make ${word}`}
            run={() => trpc.repos.edit.mutate({ owner: owner.login, repo: name, private: toPrivate })}
            done={`${full_name} is ${word}`}
            onDone={refreshPage}
          >
            {toPrivate ? (
              <>
                <p>
                  Only its owners, its collaborators, and teams with access will be able to see it. Everyone
                  else will immediately lose access and see a “not found” page.
                </p>
                <p>Existing clones aren’t deleted.</p>
              </>
            ) : (
              <>
                <p>
                  This immediately lets {audienceOf(repository.owner)} see and clone the repository, including
                  all branches and tags, their full history, and the repository’s activity.
                </p>
                <p>
                  Check old commits for passwords and keys first. You can’t take back what others have already
                  cloned.
                </p>
              </>
            )}
          </ConfirmButton>
        </div>
      </div>
    </DangerItem>
  )
}

/** Archives or unarchives a repository. It does not ask for confirmation, because both can be undone. */
export function ArchiveSection({ repository }: { repository: Repository }): ReactNode {
  const { owner, name, full_name, archived } = repository
  const change = useMutation({
    mutationFn: () => trpc.repos.edit.mutate({ owner: owner.login, repo: name, archived: !archived }),
    onSuccess: () => {
      toast.success(archived ? `Unarchived ${full_name}` : `Archived ${full_name}`)
      refreshPage()
    },
    onError: error => toast.error(readFailure(error).message),
  })

  return (
    <DangerItem title="Archive">
      <div className={form.form}>
        <p>
          {archived
            ? 'This repository is archived and read-only.'
            : 'Archiving makes the repository read-only. You can undo this.'}
        </p>
        <div className={form.actions}>
          <Button loading={change.isPending} onClick={() => change.mutate()}>
            {archived ? 'Unarchive repository' : 'Archive repository'}
          </Button>
        </div>
      </div>
    </DangerItem>
  )
}

interface DeleteSectionProps {
  repository: Repository
  mayDelete: boolean
}

export function DeleteSection({ repository, mayDelete }: DeleteSectionProps): ReactNode {
  const router = useRouter()
  const { owner, name, full_name } = repository
  if (!mayDelete) {
    return (
      <DangerItem title="Delete">
        <p>You’re an administrator but not an owner of this repository. Only owners can delete it.</p>
      </DangerItem>
    )
  }
  return (
    <DangerItem title="Delete">
      <div className={form.form}>
        <p>
          Deletes the repository, including all branches, tags, releases, and activity. This can’t be undone.
        </p>
        <div className={form.actions}>
          <ConfirmButton
            label="Delete this repository…"
            title={`Delete ${full_name}?`}
            confirm="Delete repository"
            typedName={full_name}
            run={() => trpc.repos.remove.mutate({ owner: owner.login, repo: name })}
            done={`Deleted ${full_name}`}
            onDone={() => {
              router.push('/')
              refreshPage()
            }}
          >
            <p>
              This deletes every branch, tag, and commit. Collaborators and teams lose access, and existing
              clones can no longer fetch or push. This can’t be undone.
            </p>
            <p>To prevent changes without deleting the repository, archive it instead.</p>
          </ConfirmButton>
        </div>
      </div>
    </DangerItem>
  )
}
